import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium, type Browser as Chromium, type BrowserContext, type Page } from 'playwright-core'
import type { TeamRole } from '@les/contract'
import { buildIfStale } from '@les/dashboard/build'
import { afterEach, beforeAll, expect } from 'vitest'
import { long } from '../world/amount.ts'
import { useWorld, type Team, type World, type WorldOptions } from '../world/world.ts'
import { findChromium } from './chromium.ts'
import { useContexts } from './contexts.ts'
import { memberOf, type Browser, type MemberBrowser } from './stage.ts'

/** A page with a signed-in person. */
export type SignedIn = {
  readonly page: Page
  readonly context: BrowserContext
  readonly member: MemberBrowser
  /** Script errors and breaches of the content security policy that the browser reported. */
  readonly complaints: string[]
}

/** Settings of the browser window. */
export type Looks = {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** Touch input, as on a phone. */
  readonly touch?: boolean
  /** Stays open after its test, until the end of the file. */
  readonly staysOpen?: boolean
}

export const themes = ['light', 'dark'] as const

/** The themes for the page with this number: alternating, in the long run both. */
export const themesOf = (at: number): readonly (typeof themes)[number][] => (long ? themes : [themes[at % 2]!])

export type Pages = {
  signedIn(team: Pick<Team, 'id'>, path: string, role?: TeamRole, looks?: Looks): Promise<SignedIn>
  signedInAs(browser: Pick<Browser, 'cookies'>, path: string, looks?: Looks): Promise<Omit<SignedIn, 'member'>>
  stranger(path: string, looks?: Looks): Promise<Omit<SignedIn, 'member'>>
}

let axe: Promise<string> | undefined
const axeSource = (): Promise<string> =>
  (axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

/** Serious and critical findings of axe on a page, as text. */
export async function findings(page: Page): Promise<string[]> {
  // Through the debugger, because the content security policy forbids the page's own scripts; lasts until the page is left.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await axeSource())
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[]
        }>
      }
    }
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // Skips passed checks and selectors, which nobody reads.
    return (await axe.run({ runOnly, resultTypes: ['violations'], selectors: false })).violations
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ''}`)
          .join(' | ')}`,
    )
}

/** Describes what is wider than its place: the page and scrolling parts of it, except code and rows of tabs. */
export const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Box = {
      scrollWidth: number
      clientWidth: number
      tagName: string
      className: string
      closest(selector: string): unknown
    }
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { documentElement: Box; querySelectorAll(selector: string): ArrayLike<Box> }
      getComputedStyle(box: Box): { overflowX: string }
    }
    const boxes = Array.from(document.querySelectorAll('body, main, main *, [role=dialog], [role=dialog] *'))
    return [document.documentElement, ...boxes]
      .filter(
        (box) =>
          box.scrollWidth > box.clientWidth + 1 &&
          (box === document.documentElement || /auto|scroll/.test(getComputedStyle(box).overflowX)) &&
          !box.closest('pre, code, [role=tablist], details:not([open])'),
      )
      .map(
        ({ tagName, className, scrollWidth, clientWidth }) =>
          `${tagName} ${className}: ${scrollWidth} in ${clientWidth}`,
      )
  })

/** Describes grids that are not exactly one Tab stop, with their stops. */
export const crowdedGrids = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Box = {
      tabIndex: number
      tagName: string
      textContent: string | null
      getAttribute(name: string): string | null
      getClientRects(): { length: number }
      querySelectorAll(selector: string): ArrayLike<Box>
    }
    const { document } = globalThis as unknown as { document: Box }
    const focusable = 'a[href], button, input, select, textarea, [tabindex]'
    return Array.from(document.querySelectorAll('[role=grid]')).flatMap((grid) => {
      const stops = Array.from(grid.querySelectorAll(focusable)).filter(
        (each) => each.tabIndex >= 0 && each.getClientRects().length > 0,
      )
      const named = stops.map(({ tagName, textContent }) => `${tagName} ${textContent?.slice(0, 20)}`)
      return stops.length === 1 ? [] : [`${grid.getAttribute('aria-label')}: ${named.slice(0, 4).join(', ')}`]
    })
  })

/** Disabled controls that give assistive technology no reason; a busy control needs none. */
export const unexplained = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Control = { readonly textContent: string | null; getAttribute(name: string): string | null }
    const { document } = globalThis as unknown as {
      document: { getElementById(id: string): Control | null; querySelectorAll(selector: string): ArrayLike<Control> }
    }
    return Array.from(document.querySelectorAll('[aria-disabled=true]:not([aria-busy=true])'))
      .filter((control) => {
        const ids = (control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
        return !ids.some((id) => document.getElementById(id)?.textContent?.trim())
      })
      .map((control) => control.getAttribute('aria-label') ?? control.textContent ?? '')
  })

/** Checks the current page: no serious axe finding, disabled controls give reasons, and a grid is one Tab stop. */
export async function expectUsable({ page }: Pick<SignedIn, 'page'>): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  expect(await findings(page)).toEqual([])
  expect(await unexplained(page)).toEqual([])
  expect(await crowdedGrids(page)).toEqual([])
}

/** The same, and nothing on the page scrolls sideways on a phone. */
export async function expectFit(seen: Pick<SignedIn, 'page'>): Promise<void> {
  const { page } = seen
  await expectUsable(seen)
  await page.setViewportSize({ width: 375, height: 812 })
  await expect.poll(() => sideways(page), { message: 'what scrolls sideways on a phone' }).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** The world of a test file, with pages built from the current sources. */
export function useWorldWithPages(options: WorldOptions = {}): { readonly world: World; readonly pages: Pages } {
  // Before the world, because the service lists the built files when it is composed.
  beforeAll(() => buildIfStale().then(() => {}), 240_000)
  const world = useWorld(options)
  return { world, pages: usePages(world) }
}

/** One browser for all files of a test process, since starting takes seconds; it ends with the process. */
let launched: Promise<Chromium> | undefined

async function launch(): Promise<Chromium> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // Pages of one context share a process, so scripts are compiled once.
      '--process-per-site',
      // There is no GPU; this saves trying one first.
      '--disable-gpu',
      '--num-raster-threads=1',
      // A page lives for seconds, so optimised code would be discarded before it pays off.
      '--js-flags=--no-opt',
    ],
  })
}

function usePages(world: World): Pages {
  const holder: { browser?: Chromium } = {}
  beforeAll(async () => {
    if (launched && !(await launched).isConnected()) launched = undefined
    holder.browser = await (launched ??= launch())
  }, 180_000)
  const newPage = useContexts(
    () => holder.browser!,
    () => world.url,
  )
  const open = async (looks: Looks = {}): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> => {
    const page = await newPage(looks)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && /content security policy|refused to|uncaught/i.test(message.text()))
        complaints.push(message.text())
    })
    return { context: page.context(), page, complaints }
  }
  const made: Pages = {
    signedInAs: async (browser, path, looks) => {
      const opened = await open(looks)
      const { hostname } = new URL(world.url)
      await opened.context.addCookies(
        [...browser.cookies].map(([name, value]) => ({
          name,
          value,
          url: `https://${hostname}/`,
          secure: true,
          httpOnly: true,
          sameSite: 'Lax' as const,
        })),
      )
      await opened.page.goto(path)
      return opened
    },
    signedIn: async (team, path, role = 'owner', looks) => {
      const member = await memberOf(world, team, role)
      return { ...(await made.signedInAs(member, path, looks)), member }
    },
    stranger: async (path, looks) => {
      const opened = await open(looks)
      await opened.page.goto(path)
      return opened
    },
  }
  return made
}

/** A person who goes from page to page in one browser, because starting one per page takes longer than showing it. */
export function useVisitor(pages: Pages, team: () => Promise<Pick<Team, 'id'>>) {
  let visitor: SignedIn | undefined
  // After a failure the next page, or a retry, starts with a new browser.
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    await visitor?.context.close()
    visitor = undefined
  })
  return {
    /** Opens a page in a new document. */
    open: async (path: string): Promise<void> => {
      visitor ??= await pages.signedIn(await team(), '/livez', 'owner', { staysOpen: true })
      await visitor.page.goto(path)
    },
    /** Goes to a page as a link does; only the first one is a new document. */
    goTo: async (path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<SignedIn> => {
      const isNew = !visitor
      visitor ??= await pages.signedIn(await team(), path, 'owner', { staysOpen: true })
      await visitor.page.emulateMedia({ colorScheme })
      await visitor.page.setViewportSize({ width: 1280, height: 900 })
      if (!isNew) await follow(visitor.page, path)
      return visitor
    },
  }
}

const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(async (href) => {
    type Router = {
      navigate(to: { href: string }): Promise<void>
      readonly state: {
        readonly status: string
        readonly location: { readonly href: string }
        readonly resolvedLocation?: { readonly href: string }
      }
    }
    const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: Router }
    await router.navigate({ href })
    const { requestAnimationFrame } = globalThis as unknown as { requestAnimationFrame(then: () => void): void }
    while (router.state.status !== 'idle' || router.state.resolvedLocation?.href !== router.state.location.href)
      await new Promise<void>((resolve) => requestAnimationFrame(resolve))
  }, path)

/** Fails if the page reported a complaint. */
export const expectNoComplaints = ({ complaints }: Pick<SignedIn, 'complaints'>): void => expect(complaints).toEqual([])

/** Holds a page's requests to an address; `asked` resolves at the first one, `letGo` lets them through. */
export async function holdAsked(page: Page, address: string): Promise<{ asked: Promise<void>; letGo: () => void }> {
  const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(address, async (route) => {
    asked.resolve()
    await free.promise
    await route.continue()
  })
  return { asked: asked.promise, letGo: free.resolve }
}
