/** Contexts of the browser, one test after another: what starts anew with each is a profile and a process, not what a test looks at. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import type { Looks } from './browser.ts'

/** A context, and the page that keeps its process between two tests. */
type Held = { readonly context: BrowserContext; readonly anchor: Page; readonly touch: boolean }

const common: BrowserContextOptions = { reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin' }

/** No script, nothing listened to, and of the origin that the pages keep their values for. */
const inert = '/livez'

/** Leaves nothing of what a test did: no page, no cookie, no value, no permission. What was fetched stays, as in anybody's browser. */
async function tidy({ context, anchor }: Held): Promise<void> {
  for (const page of context.pages()) if (page !== anchor) await page.close()
  await context.clearCookies()
  await context.clearPermissions()
  await anchor.evaluate(() => {
    const { localStorage } = globalThis as unknown as { localStorage: { clear(): void } }
    localStorage.clear()
  })
}

/** Pages in contexts that are taken again by the next test of the file; after a failure none is. */
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
      // A test may have closed it itself.
      if (held.anchor.isClosed()) continue
      // Pages that stay open go on listening and drawing beside the tests that follow.
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
