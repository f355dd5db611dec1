/** Every page there is, opened by somebody signed in: it loads under the content policy, says what it is, and axe finds nothing serious, and it fits a phone. In one theme each; in the long run in both. */
import { describe, expect, it } from 'vitest'
import { expectNoComplaints, findings, themesOf, useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()

const signedIn = [
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
const open = ['/sign-in', '/sign-up', '/forgot']

describe('every page', () => {
  it.each(signedIn.flatMap((path, at) => themesOf(at).map((theme) => [path, theme] as const)))(
    '%s in %s: loads, has a heading, and axe finds nothing serious',
    async (path, theme) => {
      const team = await world.team()
      const { page, complaints } = await pages.signedIn(team, path, 'owner', { theme })
      await page.getByRole('heading', { level: 1 }).waitFor()
      // What is still being loaded shows as a skeleton.
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      expect(await findings(page)).toEqual([])
      expectNoComplaints({ complaints })
    },
  )

  it.each(open.flatMap((path, at) => themesOf(at).map((theme) => [path, theme] as const)))(
    '%s in %s, for a stranger',
    async (path, theme) => {
      const { page, complaints } = await pages.stranger(path, { theme })
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await findings(page)).toEqual([])
      expectNoComplaints({ complaints })
    },
  )

  it.each(signedIn)('%s fits a phone: nothing is wider than the screen', async (path) => {
    const team = await world.team()
    const { page } = await pages.signedIn(team, path, 'owner', { width: 375, height: 800 })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(
      await page.evaluate(
        () =>
          (globalThis as unknown as { document: { documentElement: { scrollWidth: number } } }).document.documentElement
            .scrollWidth,
      ),
    ).toBeLessThanOrEqual(375)
  })
})
