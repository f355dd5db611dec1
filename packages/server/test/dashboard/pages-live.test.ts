/** Live updates in a browser with many tabs share one event stream. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { track } from '../world/tracking.ts'
import { useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()

it('seven tabs are live at once over one stream, which passes on when its tab is closed [FIX-10]', async () => {
  const team = await world.team({ credits: 1_000 })
  const { page: first, context } = await pages.signedIn(team, '/sources')
  const streams: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.frame().page())
  })
  await first.reload()
  await expect.poll(() => streams.length).toBe(1)
  const tabs = [first]
  for (let count = 1; count < 7; count++) {
    const tab = await context.newPage()
    // Without sharing, the seventh tab would wait here: a browser opens six connections to a host.
    await tab.goto('/sources')
    await tab.getByRole('heading', { name: 'Sources' }).first().waitFor()
    tabs.push(tab)
  }
  expect(streams).toEqual([first])

  const tracked = async (): Promise<string> => {
    const handle = world.handle('person')
    world.network.seedPerson({ handle, posts: [] })
    await track(team, handle)
    return handle
  }
  const everyTabShows = (handle: string) =>
    Promise.all(tabs.map((tab) => tab.getByRole('row').filter({ hasText: handle }).waitFor()))
  await everyTabShows(await tracked())

  await tabs.shift()!.close()
  await expect.poll(() => streams.length).toBe(2)
  await everyTabShows(await tracked())
  expect(streams.length).toBe(2)
})
