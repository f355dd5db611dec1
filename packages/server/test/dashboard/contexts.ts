/** Reuses browser contexts between tests: creating a profile and a process for each would test nothing. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import type { Looks } from './browser.ts'

/** A context, and the page that keeps its process alive between tests. */
type Held = { readonly context: BrowserContext; readonly anchor: Page; readonly touch: boolean }

const common: BrowserContextOptions = { reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin' }

/** A page without scripts or event streams, on the origin whose local storage must be cleared. */
const inert = '/livez'

/** Removes all traces of a test: pages, cookies, local storage, permissions. The HTTP cache stays, as in any browser. */
async function tidy({ context, anchor }: Held): Promise<void> {
  for (const page of context.pages()) if (page !== anchor) await page.close()
  await context.clearCookies()
  await context.clearPermissions()
  await anchor.evaluate(() => {
    const { localStorage } = globalThis as unknown as { localStorage: { clear(): void } }
    localStorage.clear()
  })
}

/** Pages in contexts that the file's next test reuses; after a failed test contexts are discarded. */
export function useContexts(browser: () => Browser, url: () => string): (looks: Looks) => Promise<Page> {
  const [taken, staying, free]: [Held[], Held[], Held[]] = [[], [], []]
  const make = async (touch: boolean): Promise<Held> => {
    const context = await browser().newContext({
      ...common,
      baseURL: url(),
      ...(touch ? { hasTouch: true, isMobile: true } : {}),
    })
    context.setDefaultTimeout(40_000)
    const anchor = await context.newPage()
    await anchor.goto(inert)
    return { context, anchor, touch }
  }
  afterEach(async ({ task }) => {
    const isFailed = task.result?.state === 'fail'
    for (const held of taken.splice(0)) {
      if (held.anchor.isClosed()) continue
      // Pages that stay open would keep listening and drawing during later tests.
      if (isFailed) await held.context.close()
      else free.push((await tidy(held), held))
    }
  })
  afterAll(async () => {
    for (const { context } of [...free.splice(0), ...staying.splice(0)]) await context.close()
  })
  return async ({ touch = false, staysOpen = false, theme = 'light', width = 1280, height = 900 }) => {
    const at = free.findIndex((held) => held.touch === touch)
    const held = at < 0 ? await make(touch) : free.splice(at, 1)[0]!
    ;(staysOpen ? staying : taken).push(held)
    const page = await held.context.newPage()
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    return page
  }
}
