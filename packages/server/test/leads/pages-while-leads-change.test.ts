/** Lists are leafed through while their leads come, change and go: every page is the one that reading from the beginning gives. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pageOfEngagers } from '../../src/modules/leads/engagers-listing.ts'
import type { LeadFilter } from '../../src/modules/leads/filter.ts'
import { readHidden } from '../../src/modules/leads/hidden.ts'
import { pageOfLeads } from '../../src/modules/leads/listing.ts'
import { pageOfRawLeads } from '../../src/modules/leads/raw-listing.ts'
import { sortedLeadOperations } from '../../src/modules/leads/sorted-listing.ts'
import type { LeadList } from '../../src/modules/leads/text-choice.ts'
import { openStage, type Stage } from '../delivery/stage.ts'
import { recountLeads } from '../world/lists.ts'

type Lead = {
  id: string
  owner: string
  person: string
  at: Date
  raw: boolean
  type: string
  title: string
  fits: boolean | null
}

let stage: Stage
let sources: string[]
let written = 0

/** Leads of instants so many seconds before now, three at each; a person has several, of all sources. */
async function addLeads(count: number, secondsBack: number): Promise<void> {
  const from = written
  written += count
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, name, company_name, job_title, is_icp, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), (${sources}::uuid[])[1 + (n * 7) % 3],
      (${sources}::uuid[])[1 + (n * 7) % 3], (array['profile', 'company', 'keyword'])[1 + n % 3],
      'ACoA' || (n * 11) % 29, 'reaction:' || n, case when n % 5 = 0 then 'Comment' else 'Like' end,
      'https://www.linkedin.com/in/' || n, (array['Anna', 'bert', null, 'Zoë', 'anna'])[1 + n % 5],
      case when n % 7 > 0 then 'Company ' || n % 7 end, (array['Sales Manager', 'Founder'])[1 + (n * 5) % 2],
      (array[true, false, null])[1 + n % 3], case when n % 6 = 0 then 'raw' else 'completed' end, 'no_webhook',
      ${stage.state.now}::timestamptz - (${secondsBack} + (n - ${from}::int) / 3 || ' seconds')::interval
    from generate_series(${from + 1}::int, ${from + count}::int) n`.execute(stage.db)
  await sql`insert into lead_text (team_id, field, key, folded)
    select distinct team_id, 'job_title', job_title_key, job_title_folded from lead on conflict do nothing`.execute(
    stage.db,
  )
  await recountLeads(stage.db, stage.teamId)
}

/** All leads, newest first, of one instant the greater id first. */
async function readLeads(): Promise<Lead[]> {
  const { rows } =
    await sql<Lead>`select id, owner_id as owner, person_urn as person, created_at as at, enrichment = 'raw' as raw,
      engagement_type as type, job_title as title, is_icp as fits from lead
      where team_id = ${stage.teamId} order by created_at desc, id desc`.execute(stage.db)
  return rows
}

beforeAll(async () => {
  stage = await openStage()
  sources = []
  for (const name of ['one', 'two', 'untracked']) sources.push(await stage.makeSource(`places-${name}`))
})
beforeEach(async () => {
  await sql`delete from lead where team_id = ${stage.teamId}`.execute(stage.db)
  await sql`update source set status = case when id = ${sources[2]} then 'inactive' else 'active' end`.execute(stage.db)
  await addLeads(120, 1_000)
})
afterAll(() => stage.close())

const filterOf = (over: Partial<LeadFilter>): LeadFilter => ({
  ownerId: null,
  includeInactive: false,
  includeSyncing: false,
  ...over,
})
const cases: readonly (readonly [string, Partial<LeadFilter>, LeadList['chosen'], (lead: Lead) => boolean])[] = [
  ['of all', {}, null, () => true],
  ['of comments', { engagementType: 'Comment' }, null, ({ type }) => type === 'Comment'],
  ['of whom does not fit', { isIcp: false }, null, ({ fits }) => fits === false],
  ['of managers', { jobTitle: 'manager' }, 'many', ({ title }) => /manager/i.test(title)],
]
const limit = 4
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
const peopleOf = (shown: readonly Lead[]) =>
  shown.filter((lead, at) => shown.findIndex(({ person }) => person === lead.person) === at)

/** Numbers below `bound` that look random, the same in every run. */
function* numbers(seed: number): Generator<(bound: number) => number, never> {
  let state = seed
  while (true) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const value = state
    yield (bound) => Math.floor((value / 2_147_483_648) * bound)
  }
}

/** What may become of leads between two pages: nothing, more often than not. */
const changes: readonly ((leads: readonly Lead[], below: (bound: number) => number) => Promise<unknown>)[] = [
  async () => undefined,
  async () => undefined,
  async () => undefined,
  (_leads, below) => addLeads(1 + below(4), 900 - written),
  (_leads, below) => addLeads(1, 1_000 + below(40)),
  (leads, below) => sql`delete from lead where id = ${leads[below(leads.length)]!.id}`.execute(stage.db),
  (leads, below) => sql`delete from lead where id = ${leads[below(9)]!.id}`.execute(stage.db),
  (leads, below) =>
    sql`update lead set is_icp = is_icp is not true, engagement_type = 'Comment', job_title = 'Sales Manager',
        enrichment = 'completed' where id = ${leads[below(leads.length)]!.id}`.execute(stage.db),
  (leads, below) =>
    sql`update lead set is_icp = false, engagement_type = 'Like', job_title = 'Founder'
      where id = ${leads[below(9)]!.id}`.execute(stage.db),
  () =>
    sql`update source set status = case status when 'active' then 'inactive' else 'active' end
      where id = ${sources[1]}`.execute(stage.db),
]

const gridContext = ({ teamId, db, state }: Stage) => ({
  caller: {
    teamId,
    keyId: '',
    plan: 'growth' as const,
    status: 'active' as const,
    captureAllowed: true,
    user: { id: '', sessionId: '', email: '', name: '', role: 'viewer' as const },
  },
  db,
  requestId: 'grid',
  now: state.now,
})

describe.each(cases)('leafed through while leads change, lists %s', (_name, over, chosen, isShown) => {
  it.each([1, 2, 3])(
    'are what reading them from the beginning gives, with chance %i [LED-01, LED-24]',
    async (seed) => {
      const chance = numbers(seed)
      for (let offset = 0; offset < 100; offset += limit) {
        const list = async (): Promise<LeadList> => ({
          teamId: stage.teamId,
          filter: { ...filterOf(over), hidden: await readHidden(stage.db, stage.teamId, filterOf(over)) },
          chosen,
        })
        const all = await readLeads()
        const change = changes[chance.next().value(changes.length)]!
        await change(all, chance.next().value)
        await recountLeads(stage.db, stage.teamId)
        const { rows: hidden } = await sql<{ id: string }>`select id from source where status = 'inactive'`.execute(
          stage.db,
        )
        const now = (await readLeads()).filter(({ owner }) => !hidden.some(({ id }) => id === owner))
        const shown = now.filter((lead) => !lead.raw && isShown(lead))
        const raw = now.filter((lead) => lead.raw)
        const asked = { limit }
        // A list is mostly leafed through, now and then gone back in.
        for (const at of [offset, Math.max(0, offset - 2 * limit)]) {
          const page = { ...asked, offset: at }
          const part = (list: readonly Lead[]) => idsOf(list.slice(at, at + limit + 1))
          expect([at, idsOf(await pageOfLeads(stage.db, await list(), page))]).toEqual([at, part(shown)])
          const { rows: people } = await pageOfEngagers(stage.db, await list(), page)
          expect([at, idsOf(people)]).toEqual([at, part(peopleOf(shown))])
          const filter = { ownerId: null, includeInactive: false }
          const rows = await pageOfRawLeads(stage.db, { teamId: stage.teamId, filter }, page)
          expect([at, idsOf(rows)]).toEqual([at, part(raw)])
        }
      }
    },
  )
})

describe.each([
  ['name', 'up'],
  ['name', 'down'],
  ['company', 'up'],
  ['fit', 'down'],
  ['engagement', 'up'],
  ['captured', 'up'],
] as const)('leafed through while leads change, the grid by %s, %s', (sort, direction) => {
  it.each([4, 5])('is what reading it from the beginning gives, with chance %i [LED-01, LED-24]', async (seed) => {
    const chance = numbers(seed)
    const operations = sortedLeadOperations
    const context = gridContext(stage)
    const page = (at: number, rows: number) =>
      operations.listSortedLeads({ sort, direction, limit: rows, offset: at } as never, context)
    for (let offset = 0; offset < 100; offset += limit) {
      await changes[chance.next().value(changes.length)]!(await readLeads(), chance.next().value)
      const all = (await page(0, 500)).leads
      for (const at of [offset, Math.max(0, offset - 2 * limit), offset + 30, offset + 13])
        expect([at, idsOf((await page(at, limit)).leads)]).toEqual([at, idsOf(all.slice(at, at + limit))])
    }
  })
})
