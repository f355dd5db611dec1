/** Lists are leafed through while their leads come, change and go: every page is the one that reading from the beginning gives. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { leadVerdicts } from '../../src/modules/fit/index.ts'
import { pageOfEngagers } from '../../src/modules/leads/engagers-listing.ts'
import type { LeadFilter } from '../../src/modules/leads/filter.ts'
import { readHidden } from '../../src/modules/leads/hidden.ts'
import { mergeListChanges } from '../../src/modules/leads/list-changes.ts'
import { pageOfLeads } from '../../src/modules/leads/listing.ts'
import { openPlaces, pageByPlaces, type Start } from '../../src/modules/leads/places.ts'
import { pageOfRawLeads } from '../../src/modules/leads/raw-listing.ts'
import { sortedLeadOperations } from '../../src/modules/leads/sorted-listing.ts'
import type { LeadList } from '../../src/modules/leads/text-choice.ts'
import { openStage, type Stage } from '../delivery/stage.ts'
import { recountLeads } from '../world/lists.ts'
import { settled } from './settled.ts'

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
  open: [],
  ...over,
})
const manager = { frequent: { column: 'job_title', text: 'manager' }, reach: { texts: 2, leads: 10_001 } } as const
const cases: readonly (readonly [string, Partial<LeadFilter>, LeadList['chosen'], (lead: Lead) => boolean])[] = [
  ['of all', {}, null, () => true],
  ['of comments', { engagementType: 'Comment' }, null, ({ type }) => type === 'Comment'],
  ['of whom does not fit', { isIcp: false }, null, ({ fits }) => fits === false],
  ['of managers', { jobTitle: 'manager' }, manager, ({ title }) => /manager/i.test(title)],
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
      const places = openPlaces()
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
        const asked = { limit, deep: 0, places, passedEvery: 3, verdicts: leadVerdicts }
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
    const fromBeginning = sortedLeadOperations(leadVerdicts, {
      places: openPlaces(),
      placedFrom: Infinity,
      passedEvery: 3,
    })
    const leafing = sortedLeadOperations(leadVerdicts, { places: openPlaces(), placedFrom: 0, passedEvery: 3 })
    const context = gridContext(stage)
    const page = (operations: typeof leafing, at: number, rows: number) =>
      operations.listSortedLeads({ sort, direction, limit: rows, offset: at } as never, context)
    for (let offset = 0; offset < 100; offset += limit) {
      await changes[chance.next().value(changes.length)]!(await readLeads(), chance.next().value)
      const all = (await page(fromBeginning, 0, 500)).leads
      // Leafed to, gone back to, and a jump behind which places are left.
      for (const at of [offset, Math.max(0, offset - 2 * limit), offset + 30, offset + 13])
        expect([at, idsOf((await page(leafing, at, limit)).leads)]).toEqual([at, idsOf(all.slice(at, at + limit))])
    }
  })
})

describe.each(cases.filter(([, over]) => Object.keys(over).length > 0))(
  'a jump among people, in lists %s',
  (_name, over, chosen, isShown) => {
    it('remembers places on its way, and whoever jumps next reads from one of them [LED-01, LED-24]', async () => {
      await sql`update source set status = 'active' where team_id = ${stage.teamId}`.execute(stage.db)
      await settled(stage.db)
      const people = idsOf(peopleOf((await readLeads()).filter((lead) => !lead.raw && isShown(lead))))
      const places = openPlaces()
      const filter = { ...filterOf(over), hidden: [] }
      const page = async (offset: number) =>
        idsOf(
          (
            await pageOfEngagers(
              stage.db,
              { teamId: stage.teamId, filter, chosen },
              { limit, offset, deep: 0, places, passedEvery: 3, verdicts: leadVerdicts },
            )
          ).rows,
        )
      const last = people.length - 2
      expect(await page(last)).toEqual(people.slice(last))
      const kept = [...places.values()].flatMap(({ kept }) => kept.map(({ offset, place }) => [offset, place.id]))
      const expected = people.map((id, offset) => [offset, id]).filter(([offset]) => Number(offset) % 3 === 0)
      expect(kept).toEqual(expect.arrayContaining(expected))
      for (let offset = 0; offset < last; offset++)
        expect([offset, await page(offset)]).toEqual([offset, people.slice(offset, offset + limit + 1)])
    })
  },
)

describe('a place that is remembered', () => {
  type Asked = { readonly start: Start | null }
  let asked: Asked[]
  let places: ReturnType<typeof openPlaces>
  beforeEach(async () => {
    asked = []
    places = openPlaces()
    await settled(stage.db)
  })
  const plain = async () => (await readLeads()).filter(({ raw }) => !raw)
  /** Reads a page of all leads, from where it is told to; `meanwhile`, something happens after it was read. */
  const page = (offset: number, meanwhile: () => Promise<unknown> = async () => undefined) =>
    pageByPlaces(
      stage.db,
      {
        teamId: stage.teamId,
        name: 'all',
        furthest: 50,
        read: async (start) => {
          asked.push({ start })
          const leads = await plain()
          const from = start === null ? offset : leads.findIndex(({ id }) => id === start.place.id) + start.rest
          if (asked.length === 2) await meanwhile()
          return leads.slice(from, from + limit + 1)
        },
        above: async ({ id }) => (await plain()).findIndex((lead) => lead.id === id),
      },
      { limit, offset, places },
    )
  const starts = () => asked.map(({ start }) => start?.rest ?? null)

  it('is where the next page begins while nothing changes [LED-24]', async () => {
    await page(40)
    await page(44)
    await page(50)
    await page(40)
    expect(starts()).toEqual([null, 0, 2, 0])
  })
  it('is of no use to a page above it, or too far below it [LED-24]', async () => {
    await page(40)
    await page(36)
    await page(95)
    expect(starts()).toEqual([null, null, null])
  })
  it('moves with what comes and goes above it [LED-24]', async () => {
    await page(40)
    await addLeads(5, 1)
    const leads = await plain()
    await sql`delete from lead where id = ${leads[0]!.id}`.execute(stage.db)
    const expected = (await plain()).slice(47, 47 + limit + 1)
    expect(idsOf(await page(47))).toEqual(idsOf(expected))
    expect(asked[1]!.start).not.toBeNull()
  })
  it('is forgotten when a lead below it changes [LED-24]', async () => {
    await page(40)
    const leads = await plain()
    await sql`update lead set is_icp = null where id = ${leads[60]!.id}`.execute(stage.db)
    await page(44)
    expect(starts()).toEqual([null, null])
  })
  it('holds for a page above which leads came as it was read [LED-24]', async () => {
    await page(40)
    const before = await plain()
    expect(idsOf(await page(44, () => addLeads(3, 1)))).toEqual(idsOf(before.slice(44, 44 + limit + 1)))
    expect(starts()).toEqual([null, 0])
    // What was read beside the change is not remembered, what was known before it is.
    const after = await plain()
    const moved = after.findIndex(({ id }) => id === before[44]!.id)
    expect(idsOf(await page(moved))).toEqual(idsOf(after.slice(moved, moved + limit + 1)))
    expect(starts()).toEqual([null, 0, 0])
  })
  it('does not hold for a page below which one went as it was read: that is read anew [LED-24]', async () => {
    await page(40)
    const before = await plain()
    const gone = sql`delete from lead where id = ${before[45]!.id}`
    const after = before.filter((_, at) => at !== 45)
    expect(idsOf(await page(44, () => gone.execute(stage.db)))).toEqual(idsOf(after.slice(44, 44 + limit + 1)))
    expect(starts()).toEqual([null, 0, null])
  })
  it('knows of a change that was under way as it was read [LED-24]', async () => {
    const leads = await plain()
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    let begun = () => {}
    const under = new Promise<void>((resolve) => (begun = resolve))
    const change = stage.db.transaction().execute(async (tx) => {
      await sql`delete from lead where id = ${leads[10]!.id}`.execute(tx)
      begun()
      await held
    })
    await under
    // One that began after it has ended: by the newest number that was given out, the change would seem to be older than the page.
    await sql`select pg_current_xact_id()`.execute(stage.db)
    await page(40)
    go()
    await change
    const expected = (await plain()).slice(44, 44 + limit + 1)
    expect(idsOf(await page(44))).toEqual(idsOf(expected))
  })
  it('is of one team and one list [LED-24]', async () => {
    await page(40)
    const other = {
      teamId: sources[0]!,
      name: 'all',
      furthest: 50,
      read: async (start: Start | null) => (asked.push({ start }), []),
    }
    await pageByPlaces(stage.db, other, { limit, offset: 44, places })
    await pageByPlaces(stage.db, { ...other, teamId: stage.teamId, name: 'some' }, { limit, offset: 44, places })
    expect(starts()).toEqual([null, null, null])
  })
})

describe('notes of changes', () => {
  const notes = async () => {
    const { rows } = await sql<{ mark: string; since: Date }>`
      select mark::text, since from list_change where team_id = ${stage.teamId} order by mark`.execute(stage.db)
    return rows
  }
  const note = (marks: string, back: number) =>
    sql`insert into list_change (team_id, mark, since)
      select ${stage.teamId}, ${sql.raw(marks)}, ${stage.state.now}::timestamptz - (${back} || ' seconds')::interval`.execute(
      stage.db,
    )
  const seen = async () =>
    (await sql<{ seen: string }>`select pg_current_snapshot()::text as seen`.execute(stage.db)).rows[0]!.seen
  const since = async (earlier: string) => {
    const { rows } = await sql<{ since: Date | null }>`
      select min(since) as since from list_change where team_id = ${stage.teamId}
        and mark >= pg_snapshot_xmin(${earlier}::pg_snapshot)::text::bigint`.execute(stage.db)
    return rows[0]!.since?.getTime()
  }
  beforeEach(() => sql`delete from list_change`.execute(stage.db))

  it('say of each transaction how old its oldest lead is [LED-24]', async () => {
    await stage.db.transaction().execute(async (tx) => {
      for (const back of [30, 70, 50])
        await sql`update lead set is_icp = true where created_at = (select min(created_at) from lead
          where created_at >= ${stage.state.now}::timestamptz - (1000 + ${back} / 3 || ' seconds')::interval)`.execute(
          tx,
        )
    })
    const oldest = await sql<{ at: Date }>`select min(created_at) as at from lead where is_icp and xmin = (
      select xmin from lead order by xmin::text::bigint desc limit 1)`.execute(stage.db)
    expect((await notes()).map(({ since }) => since)).toEqual([oldest.rows[0]!.at])
  })
  it('become one when they are many, which tells whoever looked before of them all [LED-24]', async () => {
    const before = await seen()
    for (let back = 1; back <= 3; back++)
      await note(`generate_series(${back * 200}::bigint, ${back * 200 + 199})`, back)
    const later = await seen()
    expect(await stage.unitOfWork((tx) => mergeListChanges(tx))).toBe(600)
    expect(await notes()).toHaveLength(1)
    await settled(stage.db)
    const oldest = stage.state.now.getTime() - 3_000
    expect([await since(before), await since(later), await since(await seen())]).toEqual([oldest, oldest, undefined])
    expect(await stage.unitOfWork((tx) => mergeListChanges(tx))).toBe(0)
  })
  it('of another cluster become one of this one [LED-24]', async () => {
    await note('9000000000000', 5)
    expect(await since(await seen())).toBeDefined()
    expect(await stage.unitOfWork((tx) => mergeListChanges(tx))).toBe(1)
    await settled(stage.db)
    expect(await since(await seen())).toBeUndefined()
  })
})
