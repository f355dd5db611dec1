/** Drives a page by keyboard only; after every key something must have a visible focus. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

type Focus = { readonly name: string; readonly fault: string | null }

const focusOf = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    type Box = {
      tagName: string
      id: string
      dataset: Record<string, string | undefined>
      textContent: string | null
      outerHTML: string
      matches(selector: string): boolean
      getAttribute(name: string): string | null
    }
    const { document, getComputedStyle, acted } = globalThis as unknown as {
      acted?: boolean
      document: { activeElement: Box | null; body: Box }
      getComputedStyle(box: Box): { outlineStyle: string; outlineWidth: string }
    }
    const active = document.activeElement
    // A newly loaded document starts without focus.
    if (active === null || active.matches('html, body'))
      return { name: 'the page itself', fault: acted ? 'the focus is lost' : null }
    const words = active.getAttribute('aria-label') || active.textContent || active.outerHTML
    const name = `${active.tagName.toLowerCase()} «${words.trim().replace(/\s+/g, ' ').slice(0, 120)}»`
    const { outlineStyle, outlineWidth } = getComputedStyle(active)
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    // Text fields show a caret, parts of a date a selection, menu items a colour; the main part and dialogs are visible.
    const isSeen =
      (active.matches(':focus-visible') && isOutlined) ||
      active.matches(
        'input:not([type]), input[type=text], input[type^=date], [role=combobox], #main, [role=dialog], [role=menu]',
      ) ||
      active.dataset.highlighted !== undefined
    return { name, fault: isSeen ? null : `the focus cannot be seen on ${name}` }
  })

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate(
    (element) => element === (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
  )

/** Works a page by keys. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Fails if the focus is lost or invisible; while a dialog closes, it may be so for a moment. */
  async #held(after: string): Promise<void> {
    await expect.poll(async () => (await focusOf(this.#page)).fault, { message: `after ${after}` }).toBeNull()
  }

  async press(key: string, times = 1): Promise<void> {
    for (let at = 0; at < times; at++) {
      await this.#page.evaluate(() => void Object.assign(globalThis, { acted: true }))
      await this.#page.keyboard.press(key)
      await this.#held(key)
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    await this.#held(`typing ${text}`)
  }

  async see(target: Locator): Promise<void> {
    await target.first().waitFor()
    await this.#held(`seeing ${target}`)
  }

  async at(target: Locator): Promise<void> {
    await target.waitFor()
    await expect.poll(() => hasFocus(target), { message: `the focus comes to ${target}` }).toBe(true)
  }

  /** Presses a key (by default Tab) until something has the focus. */
  async to(target: Locator, key = 'Tab'): Promise<void> {
    await target.waitFor()
    const passed: string[] = []
    while (!(await hasFocus(target))) {
      if (passed.length === 80) throw new Error(`${key} never reaches ${target}; it came by ${passed.join(', ')}`)
      await this.press(key)
      passed.push((await focusOf(this.#page)).name)
    }
  }

  async find(text: string, line: Locator): Promise<void> {
    await this.press('Control+k')
    await this.at(this.#page.getByRole('dialog').getByRole('combobox'))
    await this.type(text)
    await line.waitFor()
    while ((await line.getAttribute('aria-selected')) !== 'true') await this.press('ArrowDown')
    await this.press('Enter')
  }
}
