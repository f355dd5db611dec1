/**
 * Every page loads under the content security policy, has a heading, passes axe and fits a phone (in the long run in both
 * themes).
 */
import { describe, expect, it } from 'vitest'
import { expectNoComplaints, findings, sideways, themesOf, useVisitor, useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()

const signedIn = [
  '/home',
  '/leads',
  '/sources',
  '/keyword',
  '/keyword/new',
  '/discover',
  '/agent',
  '/webhooks',
  '/outreach',
  '/credits',
  '/requests',
  '/settings',
]
const open = ['/sign-in', '/sign-up', '/forgot', '/not-connected']

describe('every page', () => {
  const visitor = useVisitor(pages, () => world.team())
  it.each(signedIn.flatMap((path, at) => themesOf(at).map((theme) => [path, theme] as const)))(
    '%s in %s: loads, has a heading, axe finds nothing serious, and on a phone nothing is wider than the screen',
    async (path, theme) => {
      const { page, complaints } = await visitor.goTo(path, theme)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      expect(await findings(page)).toEqual([])
      await page.setViewportSize({ width: 375, height: 800 })
      await expect.poll(() => sideways(page), { message: 'what scrolls sideways on a phone' }).toEqual([])
      expectNoComplaints({ complaints })
    },
  )

  it.each(open.flatMap((path, at) => themesOf(at).map((theme) => [path, theme] as const)))(
    '%s in %s, for a stranger [SEC-15]',
    async (path, theme) => {
      const { page, complaints } = await pages.stranger(path, { theme })
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await findings(page)).toEqual([])
      expectNoComplaints({ complaints })
    },
  )

  it('opened with junk in its address shows itself, inside the frame', async () => {
    const words = ['tab', 'kind', 'state', 'event', 'sourceKind', 'engagementType', 'webhookStatus', 'view', 'step']
    const junk = [
      ...words.map((name) => `${name}=Banana`),
      ...['offset=-1', 'days=1e309', 'since=2026-99-99', 'isIcp=perhaps', 'lead=nobody', 'ownerId=%7B%7D', 'posts=1'],
      ...[
        'filters=%5B%7B%22column%22%3A1%7D%5D',
        'add=%5B1%2C2%5D',
        'track=%7B%22a%22%3A1%7D',
        'lines=%00',
        'x=%E0%A4%A',
      ],
    ].join('&')
    const details = ['/sources/nobody', '/keyword/nobody', '/discover/nobody']
    for (const path of [...signedIn, ...details]) {
      const { page } = await visitor.goTo(`${path}?${junk}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      // Pages that redirect are done a moment after their first heading.
      await page.getByRole('link', { name: 'Webhooks' }).first().waitFor()
      expect([path, await page.getByText('Something went wrong').count()]).toEqual([path, 0])
    }
    const visit = await visitor.goTo('/leads?tab=people&engagementType=Banana')
    await visit.page.getByRole('tab', { selected: true }).first().waitFor()
    expectNoComplaints(visit)
  })

  it('that does not exist says so inside the frame, and the navigation leads on', async () => {
    const team = await world.team()
    const { page, complaints } = await pages.signedIn(team, '/settings', 'owner')
    for (const path of ['/nowhere/at/all?tab=Banana', '/sources/some/thing/else']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      expect(await findings(page)).toEqual([])
      await page.getByRole('link', { name: 'Credits' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor()
    }
    expectNoComplaints({ complaints })
  })

  it('that cannot be fetched says so inside the frame and comes by itself; an outage is told, and typed text survives both', async () => {
    const team = await world.team()
    const { page } = await pages.signedIn(team, '/livez', 'owner')
    await page.clock.install()
    // In save-data mode no page is prefetched, so one is left to fetch.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    await page.route(/\/(?:readyz|events)$/, (route) => route.abort())
    await page.goto('/discover?new=true')
    const typed = page.getByRole('dialog').getByRole('textbox').first()
    await typed.fill('typed before the outage')
    await page.clock.fastForward('06')
    await page.getByText('The service does not answer at the moment').waitFor()
    await expect.poll(() => typed.inputValue()).toBe('typed before the outage')
    await page.unroute(/\/(?:readyz|events)$/)
    await page.clock.fastForward('04')
    await page.getByText('The service does not answer at the moment').waitFor({ state: 'detached' })
    await expect.poll(() => typed.inputValue()).toBe('typed before the outage')
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.route(/\/assets\/|\/readyz$/, (route) => route.abort())
    await page.getByRole('link', { name: 'Credits' }).first().click()
    await page.getByText('This page could not be loaded').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Webhooks' }).first().isVisible()).toBe(true)
    await page.unroute(/\/assets\/|\/readyz$/)
    await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor()
  })
})
