/** Every page of a team with something of everything: it shows, axe finds nothing serious, and strangers' text stays text. */
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  crowdedGrids,
  expectNoComplaints,
  findings,
  sideways,
  themesOf,
  unexplained,
  useVisitor,
  useWorldWithPages,
} from './browser.ts'
import { fillTeam, tourOf, type FilledTeam } from './filled-team.ts'

const { world, pages } = useWorldWithPages()
const names = Object.keys(tourOf({ sourceId: '', searchId: '', runId: '', leadId: '', destinationId: '' }))
let filled: FilledTeam
beforeAll(async () => {
  filled = await fillTeam(world)
}, 240_000)

async function settled(page: Page): Promise<void> {
  // A drawer hides the page behind it from assistive technology.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  if (new URL(page.url()).searchParams.has('lead'))
    await page
      .getByRole('dialog')
      .getByText('Timeline')
      .or(page.getByRole('dialog').getByRole('heading', { level: 3 }))
      .first()
      .waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('could not be loaded').count()).toBe(0)
}

const visitor = useVisitor(pages, async () => filled.team)
const goTo = (name: string, theme?: 'light' | 'dark') => visitor.goTo(tourOf(filled)[name]!, theme)

describe('a page with something on it', () => {
  it.each(names.flatMap((name, at) => themesOf(at + 1).map((theme) => [name, theme] as const)))(
    '%s in %s: axe finds nothing serious, what is off says why, a grid is one stop of Tab, and on a phone nothing scrolls sideways',
    async (name, theme) => {
      const visit = await goTo(name, theme)
      await settled(visit.page)
      expect(await findings(visit.page)).toEqual([])
      await expect.poll(() => unexplained(visit.page), { message: 'what is off without a reason' }).toEqual([])
      await expect.poll(() => crowdedGrids(visit.page), { message: 'what Tab stops at in a grid' }).toEqual([])
      await visit.page.setViewportSize({ width: 375, height: 812 })
      await expect.poll(() => sideways(visit.page), { message: 'what scrolls sideways on a phone' }).toEqual([])
      expectNoComplaints(visit)
    },
  )
})

const attack = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>'"{{constructor.constructor('window.owned=1')()}}`
const badAddress = 'javascript:window.owned=1'

/** Text and address columns that strangers, vendors or receivers fill. */
const columns: Readonly<Record<string, { readonly texts: readonly string[]; readonly addresses: readonly string[] }>> =
  {
    person: {
      texts: ['name', 'headline', 'job_title', 'country', 'company_name'],
      addresses: ['avatar_url', 'linkedin_url'],
    },
    lead: {
      texts: ['name', 'headline', 'job_title', 'country', 'company_name', 'company_industry', 'comment_text'],
      addresses: ['avatar_url', 'linkedin_url', 'post_url', 'company_domain'],
    },
    post: { texts: ['text', 'author_name', 'author_headline'], addresses: ['url', 'author_url'] },
    company: {
      texts: ['name', 'industry', 'headquarters', 'description'],
      addresses: ['website', 'linkedin_url', 'logo_url'],
    },
    delivery_attempt: { texts: ['response'], addresses: [] },
    keyword_post: { texts: ['reason'], addresses: [] },
    api_key: { texts: ['name'], addresses: [] },
    team: { texts: ['name'], addresses: [] },
  }

const aboutStrangers = ['leads', 'lead-detail', 'engagers', 'raw-leads', 'discover-run', 'agent']

describe('what strangers wrote', () => {
  beforeAll(async () => {
    for (const [table, { texts, addresses }] of Object.entries(columns)) {
      const set = [
        ...texts.map((column) => sql`${sql.ref(column)} = ${attack}`),
        ...addresses.map((column) => sql`${sql.ref(column)} = ${badAddress}`),
      ]
      await sql`update ${sql.table(table)} set ${sql.join(set)}`.execute(world.database.root)
    }
    await sql`update sign_in."user" set name = ${attack}`.execute(world.database.root)
    // The agent's profile changes too; otherwise people with changed titles would no longer match it.
    await sql`update agent
      set profile = profile || ${JSON.stringify({ titles: [attack], countries: [] })}::jsonb`.execute(
      world.database.root,
    )
    // A new document, so that nothing is cached.
    await visitor.open('/home')
  })

  it.each(names)('is shown as text on %s: no script runs, no link leads to one', async (name) => {
    const visit = await goTo(name)
    await settled(visit.page)
    // Every page shows the team's name; pages about strangers must show the text in their main part.
    const where = aboutStrangers.includes(name) ? visit.page.locator('main, [role=dialog]') : visit.page.locator('body')
    await where.getByText('<img src=x', { exact: false }).first().waitFor({ state: 'attached' })
    const seen = await visit.page.evaluate(() => {
      const { document, owned } = globalThis as unknown as {
        owned?: unknown
        document: { querySelectorAll(selector: string): ArrayLike<unknown> }
      }
      return {
        owned: owned ?? null,
        links: document.querySelectorAll('[href^="javascript:" i], [src^="javascript:" i]').length,
        images: document.querySelectorAll('img[src="x"]').length,
      }
    })
    expect(seen).toEqual({ owned: null, links: 0, images: 0 })
    expectNoComplaints(visit)
  })
})
