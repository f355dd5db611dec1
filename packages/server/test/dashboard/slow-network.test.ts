/**
 * What a page costs on a slow network: 400 kbit/s and 300 ms for each request, with an empty cache, for somebody who was here before.
 * `npm run measure:pages` prints the table and holds the budgets; as a part of the other tests it would measure the machine.
 */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useWorldWithPages } from './browser.ts'
import { fillTeam, tourOf, type FilledTeam } from './filled-team.ts'

const isWanted = process.env.LES_MEASURE_PAGES === '1'
const maxRequests = 14
/** The largest paint of each page, in milliseconds: of its frame, with what its first answer says. */
const budgets: Readonly<Record<string, number>> = {
  home: 2_500,
  leads: 2_500,
  sources: 2_500,
  'source-detail': 2_500,
  'keyword-searches': 2_500,
  webhooks: 2_500,
  credits: 2_500,
  settings: 2_500,
}
/** When the page shows its data. */
const readyMs = 9_000

type Measured = {
  readonly page: string
  readonly largestPaintMs: number
  readonly largest: string
  readonly readyMs: number
  readonly requests: number
  readonly bytes: number
}

/** Counts what comes over the network. */
function countOf(session: CDPSession, origin: string) {
  const seen = { requests: [] as string[], pictures: 0, bytes: 0 }
  session.on('Network.requestWillBeSent', ({ request }) => {
    // Faces of people come from elsewhere, each when it is scrolled to; nothing waits for them.
    if (request.url.startsWith(origin)) seen.requests.push(request.url.slice(origin.length))
    else seen.pictures += 1
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength
  })
  return seen
}

type Paint = {
  readonly startTime: number
  readonly size: number
  readonly element: { readonly textContent: string } | null
}

/** When the largest text or picture was painted, in milliseconds since the document was asked for, and what it says. */
const largestPaint = (page: Page): Promise<{ readonly ms: number; readonly text: string }> =>
  page.evaluate(
    () =>
      new Promise<{ ms: number; text: string }>((resolve) => {
        type Observer = new (heard: (list: { getEntries(): Paint[] }) => void) => { observe(options: object): void }
        const { PerformanceObserver } = globalThis as unknown as { PerformanceObserver: Observer }
        new PerformanceObserver((list) => {
          const { startTime, size, element } = list.getEntries().at(-1)!
          resolve({
            ms: Math.round(startTime),
            text: `${size} px: ${element?.textContent.slice(0, 80) ?? 'the frame'}`,
          })
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )

describe.skipIf(!isWanted)('on a slow network', () => {
  const { world, pages } = useWorldWithPages()
  const table: Measured[] = []
  let filled: FilledTeam
  beforeAll(async () => {
    filled = await fillTeam(world)
  }, 240_000)
  afterAll(() => {
    for (const { page, largestPaintMs, largest, readyMs, requests, bytes } of table)
      process.stdout.write(
        `${page.padEnd(18)} largest paint ${String(largestPaintMs).padStart(5)} ms, ` +
          `ready ${String(readyMs).padStart(5)} ms, ${String(requests).padStart(2)} requests, ` +
          `${Math.round(bytes / 1000)} kB; largest: ${largest}\n`,
      )
  })

  it.each(Object.entries(budgets))(
    '%s paints its largest part within %i ms and asks for fewer than 15 things',
    async (name, largestPaintMs) => {
      const { page, context } = await pages.signedIn(filled.team, '/livez')
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 300,
        downloadThroughput: 400_000 / 8,
        uploadThroughput: 400_000 / 8,
      })
      const aheadMs = (await world.now()).getTime() - Date.now()
      await page.addInitScript(
        ([team, clock]) => {
          const { localStorage } = globalThis as unknown as {
            localStorage: { setItem(key: string, value: string): void }
          }
          localStorage.setItem('les.here', '1')
          localStorage.setItem('les.team', team!)
          localStorage.setItem('les.clock', clock!)
        },
        [filled.team.id, String(aheadMs)],
      )
      const seen = countOf(session, world.url)
      await page.goto(tourOf(filled)[name]!, { waitUntil: 'commit' })
      // The frame has no heading of the first rank: this one is of the page.
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await page.locator('#frame').waitFor({ state: 'detached' })
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      const ready = await page.evaluate(() => performance.now())
      const requests = [...seen.requests]
      const paint = await largestPaint(page)
      table.push({
        page: name,
        largestPaintMs: paint.ms,
        largest: paint.text,
        readyMs: Math.round(ready),
        requests: requests.length,
        bytes: seen.bytes,
      })
      await context.close()
      expect(paint.ms, paint.text).toBeLessThanOrEqual(largestPaintMs)
      expect(ready).toBeLessThanOrEqual(readyMs)
      expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(maxRequests)
    },
    120_000,
  )
})
