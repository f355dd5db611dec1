/** Leads by a substring that is in many texts, but in none of the newest leads: found by their texts, not by walking all leads. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { leadVerdicts } from '../../src/modules/fit/index.ts'
import { pageOfEngagers } from '../../src/modules/leads/engagers-listing.ts'
import type { LeadFilter } from '../../src/modules/leads/filter.ts'
import { pageOfLeads } from '../../src/modules/leads/listing.ts'
import type { LeadList } from '../../src/modules/leads/text-choice.ts'
import { openStage, type Stage } from '../delivery/stage.ts'

const count = 6_000
let stage: Stage
let list: LeadList
let expected: readonly { readonly id: string; readonly person: string }[]

beforeAll(async () => {
  stage = await openStage()
  const source = await stage.makeSource('old-texts')
  // The last 300 of 6,000 have the substring, two for each of 150 people, each in a text of its own.
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, name, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), ${source}, ${source}, 'profile', 'ACoA' || n % 150, 'reaction:' || n, 'Like',
      'https://www.linkedin.com/in/' || n, case when n > ${count - 300} then 'Anna ' else 'Otto ' end || n, 'completed',
      'no_webhook', ${stage.state.now}::timestamptz - (n || ' seconds')::interval
    from generate_series(1, ${count}) n`.execute(stage.db)
  await sql`insert into lead_text (team_id, field, key, folded)
    select distinct team_id, 'name', name_key, name_folded from lead`.execute(stage.db)
  await sql`analyze lead, lead_text`.execute(stage.db)
  const { rows } = await sql<{ id: string; person: string }>`
    select id, person_urn as person from lead where name like 'Anna%' order by created_at desc, id desc`.execute(
    stage.db,
  )
  expected = rows
  const filter: LeadFilter = {
    ownerId: null,
    includeInactive: false,
    includeSyncing: false,
    open: [],
    name: 'anna',
  }
  // What `chooseByText` says of a substring in thousands of texts and more than 10,000 leads.
  const frequent = { column: 'name', text: 'anna' } as const
  list = { teamId: stage.teamId, filter, chosen: { frequent, reach: { texts: 10_000, leads: 10_001 } } }
})
afterAll(() => stage.close())

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
const people = () => expected.filter((lead, at) => expected.findIndex(({ person }) => person === lead.person) === at)

it.each([
  ['near', 2_000],
  ['far down', 0],
])('pages that are read as %s show them, newest first, to the end and beyond it [LED-01]', async (_where, deep) => {
  for (const offset of [0, 1, 140, 149, 150, 290, 299, 300, 310]) {
    const page = { limit: 4, offset, verdicts: leadVerdicts, deep }
    const leads = await pageOfLeads(stage.db, list, page)
    expect([offset, idsOf(leads)]).toEqual([offset, idsOf(expected.slice(offset, offset + 5))])
    const found = await pageOfEngagers(stage.db, list, page)
    expect([offset, idsOf(found.rows)]).toEqual([offset, idsOf(people().slice(offset, offset + 5))])
  }
})

it.each([
  ['near', { offset: 0, deep: 2_000, most: 5_000 }],
  ['far down', { offset: 200, deep: 0, most: 1_100 }],
])('a page that is read as %s fetches few leads of those there are [LED-01]', async (_where, page) => {
  await sql`vacuum (analyze) lead`.execute(stage.db)
  const fetched = await stage.db.transaction().execute(async (tx) => {
    // What this connection has counted and not handed on yet, this transaction's part among it.
    const counted = async () => {
      const { rows } = await sql<{ leads: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as leads from pg_stat_xact_user_tables
        where relname = 'lead'`.execute(tx)
      return rows[0]!.leads
    }
    const before = await counted()
    await pageOfLeads(tx, list, { limit: 4, offset: page.offset, deep: page.deep, verdicts: leadVerdicts })
    return (await counted()) - before
  })
  expect(fetched).toBeGreaterThan(0)
  // Near: 550 of the newest, 4,400, and the page; far down: a sample of 1,000, and the page.
  expect(fetched).toBeLessThan(page.most)
})
