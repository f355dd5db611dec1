/**
 * Pictures of every page, taken by `npm run pictures` (`scripts/test/pictures.ts`). Equal pages give identical bytes: the clock
 * stands still, ids and ports are overwritten, nothing moves.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { World } from '../world/world.ts'
import { themes, useWorldWithPages } from './browser.ts'
import { memberOf } from './stage.ts'
import { fillTeam, tourOf, type FilledTeam } from './filled-team.ts'

const folder = process.env.LES_PICTURES
const only = process.env.LES_PICTURES_ONLY?.split(',')
const sizes = { 1440: { height: 900 }, 375: { height: 812, touch: true } } as const
const widths = [1440, 375] as const
const names = Object.keys(tourOf({ sourceId: '', searchId: '', runId: '', leadId: '', destinationId: '' })).filter(
  (name) => only?.includes(name) ?? true,
)

/** Overwrites what differs between runs: ids, ports, numbers in invented names. */
const written = (page: Page): Promise<void> =>
  page.evaluate(() => {
    type TextNode = { data: string; nextNode(): TextNode | null }
    const { document } = globalThis as unknown as {
      document: { body: object; createTreeWalker(root: object, show: number): { nextNode(): TextNode | null } }
    }
    const walker = document.createTreeWalker(document.body, 4)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const next = node.data
        .replace(
          /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
          '01a1fd55-0000-7000-8000-000000000000',
        )
        .replace(/cs_\w+…\w+|cs_\w+\.\.\.\w+/g, 'cs_1234…5678')
        .replace(/\b\d+ ms\b/g, '10 ms')
        .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:8080')
        .replace(/[A-Za-z0-9_-]{30,}(?![^\s])/g, (text) => text.slice(0, 6).padEnd(text.length, 'x'))
      if (next !== node.data) node.data = next
    }
  })

/** Puts leads of the same moment a second apart in a fixed order, because the service orders them by random ids. */
async function inOneOrder(world: World): Promise<void> {
  const { root } = world.database
  await sql`update lead set created_at = lead.created_at - o.nth * interval '1 second'
    from (
      select l.id, row_number() over (
        partition by l.created_at
        order by l.name, l.engagement_type, l.comment_text, s.type, s.username, l.post_url
      ) as nth
      from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    ) o
    where o.id = lead.id`.execute(root)
}

const waiting = (page: Page): Promise<number> =>
  page.evaluate(() => {
    type Picture = { complete: boolean; getBoundingClientRect(): { top: number } }
    const { document, innerHeight } = globalThis as unknown as {
      document: { images: ArrayLike<Picture> }
      innerHeight: number
    }
    return Array.from(document.images).filter(
      (each) => !each.complete && each.getBoundingClientRect().top < innerHeight,
    ).length
  })

/** A screenshot equal to the next one, because the first may be taken before everything is drawn. */
async function atRest(page: Page): Promise<Buffer> {
  const take = (): Promise<Buffer> => page.screenshot({ animations: 'disabled', caret: 'hide' })
  let last = await take()
  for (let tries = 0; tries < 6; tries += 1) {
    const next = await take()
    if (next.equals(last)) break
    last = next
  }
  return last
}

describe.skipIf(folder === undefined)('pictures', () => {
  const { world, pages } = useWorldWithPages()
  let filled: FilledTeam
  beforeAll(async () => {
    await mkdir(folder!, { recursive: true })
    filled = await fillTeam(world)
    await inOneOrder(world)
    // With a second member the first-steps panel, which appears when a page is idle, is complete and gone.
    await memberOf(world, filled.team, 'member')
  }, 240_000)

  it.each(widths.flatMap((width) => themes.map((theme) => [width, theme] as const)))(
    'of every page, %i wide, %s',
    async (width, theme) => {
      const { page, context } = await pages.signedIn(filled.team, '/livez', 'owner', { theme, width, ...sizes[width] })
      await page.clock.setFixedTime(await world.now())
      for (const name of names) {
        await page.goto(tourOf(filled)[name]!)
        await page.locator('h1').first().waitFor({ state: 'attached' })
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
        await expect.poll(() => waiting(page)).toBe(0)
        await written(page)
        await writeFile(join(folder!, `${name}-${theme}-${width}.png`), await atRest(page))
      }
      await context.close()
    },
    240_000,
  )
})
