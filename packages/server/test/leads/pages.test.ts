import { sessionRegistry, type SessionOperationOf } from '@les/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageOfEngagers } from '../../src/modules/leads/engagers.ts'
import { readHidden, type LeadFilter, type LeadList } from '../../src/modules/leads/list.ts'
import { idsOfPage, pageOfRawLeads } from '../../src/modules/leads/listing.ts'
import { sortedLeadOperations } from '../../src/modules/leads/operations.ts'
import { openStage, type Stage } from '../delivery/stage.ts'

type Lead = {
  id: string
  owner: string
  person: string
  at: Date
  raw: boolean
  type: string
  title: string
  fits: boolean | null
  kind: string
}

let stage: Stage
let sources: string[]
let leads: Lead[]
let hidden: Set<string>

const newestFirst = (some: readonly Lead[]) =>
  some.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
const readLeads = async () => {
  const { rows } =
    await sql<Lead>`select id, owner_id as owner, person_urn as person, created_at as at, enrichment = 'raw' as raw,
      engagement_type as type, job_title as title, is_icp as fits, source_kind as kind from lead
      where team_id = ${stage.teamId}`.execute(stage.db)
  return newestFirst(rows)
}

beforeAll(async () => {
  stage = await openStage()
  sources = []
  for (const name of ['one', 'two', 'untracked', 'syncing']) sources.push(await stage.makeSource(`deep-${name}`))
  await sql`update source set status = 'inactive' where id = ${sources[2]}`.execute(stage.db)
  await sql`update source set leads_pending = 1, lead_rows = 1 where id = ${sources[3]}`.execute(stage.db)
  hidden = new Set(sources.slice(2))
  // Three leads per instant; a person has up to six, across all sources.
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, job_title, is_icp, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), (${sources}::uuid[])[1 + (n * 7) % 4],
      (${sources}::uuid[])[1 + (n * 7) % 4], (array['profile', 'company', 'keyword'])[1 + n % 3],
      'ACoA' || (n * 11) % 17, 'reaction:' || n, case when n % 5 = 0 then 'Comment' else 'Like' end,
      'https://www.linkedin.com/in/' || n, (array['Sales Manager', 'MANAGER of Growth', 'Founder',
            'Recruiter'])[1 + (n * 5) % 4], (array[true, false, null])[1 + n % 3],
            case when n % 6 = 0 then 'raw' else 'completed' end, 'no_webhook',
            ${stage.state.now}::timestamptz - (n / 3 || ' seconds')::interval
    from generate_series(1, 90) n`.execute(stage.db)
  await sql`insert into lead_text (team_id, field, key, folded)
    select distinct team_id, 'job_title', job_title_key, job_title_folded from lead`.execute(stage.db)
  leads = await readLeads()
})
afterAll(() => stage.close())

const filterOf = (over: Partial<LeadFilter> = {}): LeadFilter => ({
  isRaw: false,
  ownerId: null,
  includeInactive: false,
  includeSyncing: false,
  ...over,
})
const withHidden = async (over: Partial<LeadFilter> = {}): Promise<LeadFilter> => ({
  ...filterOf(over),
  hidden: await readHidden(stage.db, stage.teamId, filterOf(over)),
})
const cases: readonly (readonly [string, Partial<LeadFilter>, (lead: Lead) => boolean])[] = [
  ['of all sources that are shown', {}, (lead) => !hidden.has(lead.owner)],
  ['with the hidden ones', { includeInactive: true, includeSyncing: true }, () => true],
  ['with those being synced', { includeSyncing: true }, (lead) => lead.owner !== sources[2]],
  ['of comments', { engagementType: 'Comment' }, (lead) => !hidden.has(lead.owner) && lead.type === 'Comment'],
  ['of whom fits', { isIcp: true }, (lead) => !hidden.has(lead.owner) && lead.fits === true],
  ['of profiles', { sourceKind: 'profile' }, (lead) => !hidden.has(lead.owner) && lead.kind !== 'keyword'],
]
const limit = 4

/** Each person's newest lead, given leads newest first. */
const peopleOf = (shown: readonly Lead[]) =>
  shown.filter((lead, at) => shown.findIndex(({ person }) => person === lead.person) === at)
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

const gridOperation = sessionRegistry.find(
  ({ id }) => id === 'listSortedLeads',
) as SessionOperationOf<'listSortedLeads'>
const { listSortedLeads } = sortedLeadOperations
const asQuery = (chosen: object) =>
  Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, `${value}`]))
const gridContext = () => ({
  caller: {
    teamId: stage.teamId,
    keyId: '',
    plan: 'growth' as const,
    status: 'active' as const,
    captureAllowed: true,
    user: { id: '', sessionId: '', email: '', name: '', role: 'viewer' as const },
  },
  db: stage.db,
  requestId: 'grid',
  now: stage.state.now,
})

const listOf = (filter: LeadFilter, chosen: LeadList['chosen'] = null): LeadList => ({
  teamId: stage.teamId,
  filter,
  chosen,
})

describe.each(cases)('lists %s', (_name, filter, isShown) => {
  it('show the leads that stand there, to the end and beyond it [LED-01]', async () => {
    const expected = leads.filter((lead) => !lead.raw && isShown(lead)).map(({ id }) => id)
    for (let offset = 0; offset <= expected.length + limit; offset += 3) {
      const ids = await idsOfPage(stage.db, listOf(filterOf(filter)), { limit, offset })
      expect([offset, ids]).toEqual([offset, expected.slice(offset, offset + limit + 1)])
    }
  })
  it('show the people who stand there, each by their newest lead [LED-01]', async () => {
    const shown = leads.filter((lead) => !lead.raw && isShown(lead))
    const expected = peopleOf(shown)
    // Hidden sources are either named beforehand or found by the statement.
    for (const named of [filterOf(filter), await withHidden(filter)])
      for (let offset = 0; offset <= expected.length + limit; offset += 3) {
        const { rows } = await pageOfEngagers(stage.db, listOf(named), { limit, offset })
        expect([offset, idsOf(rows)]).toEqual([offset, idsOf(expected.slice(offset, offset + limit + 1))])
      }
  })
})

describe('lists by a substring that is in more leads than are chosen one by one', () => {
  const chosen = 'many'
  it.each([
    ['of all sources that are shown', {}],
    ['with the hidden ones', { includeInactive: true, includeSyncing: true }],
  ])('%s, show the leads and the people who stand there [LED-01]', async (_scope, scope) => {
    const filter = filterOf({ jobTitle: 'manager', ...scope })
    const shown = leads.filter(
      ({ raw, title, owner }) => !raw && /manager/i.test(title) && (filter.includeInactive || !hidden.has(owner)),
    )
    const people = peopleOf(shown)
    expect(shown.length).toBeGreaterThan(people.length)
    for (let offset = 0; offset <= shown.length + limit; offset += 3) {
      const page = { limit, offset }
      const ids = await idsOfPage(stage.db, listOf(filter, chosen), page)
      const found = await pageOfEngagers(stage.db, listOf(filter, chosen), page)
      expect([offset, ids]).toEqual([offset, idsOf(shown.slice(offset, offset + limit + 1))])
      expect([offset, idsOf(found.rows)]).toEqual([offset, idsOf(people.slice(offset, offset + limit + 1))])
    }
  })
})

/** A stable sort: within a band the newest come first. */
const byPlace =
  (place: readonly (string | boolean | null)[], of: (lead: Lead) => string | boolean | null) =>
  (list: readonly Lead[]) =>
    list.toSorted((a, b) => place.indexOf(of(a)) - place.indexOf(of(b)))
const orders = [
  ['fit', 'up', byPlace([true, false, null], ({ fits }) => fits)],
  ['fit', 'down', byPlace([false, true, null], ({ fits }) => fits)],
  ['engagement', 'up', byPlace(['Comment', 'Like'], ({ type }) => type)],
  ['engagement', 'down', byPlace(['Like', 'Comment'], ({ type }) => type)],
  ['captured', 'up', (list: readonly Lead[]) => list.toReversed()],
  ['captured', 'down', (list: readonly Lead[]) => list],
] as const
const gridCases: readonly (readonly [string, object, (lead: Lead) => boolean])[] = [
  ['of all sources that are shown', {}, () => true],
  ['of comments', { engagementType: 'Comment' }, ({ type }) => type === 'Comment'],
  ['of whom fits', { isIcp: true }, ({ fits }) => fits === true],
  ['of managers', { jobTitle: 'manager' }, ({ title }) => /manager/i.test(title)],
  [
    'of comments by managers',
    { engagementType: 'Comment', jobTitle: 'manager' },
    ({ type, title }) => type === 'Comment' && /manager/i.test(title),
  ],
]

describe.each(orders)('the grid by %s, %s', (sort, direction, inOrder) => {
  it.each(gridCases)(
    '%s, shows the leads that stand there, across its bands [LED-01]',
    async (_name, chosen, isShown) => {
      const shown = leads.filter((lead) => !lead.raw && !hidden.has(lead.owner) && isShown(lead))
      const expected = inOrder(shown).map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(0)
      for (let offset = 0; offset <= expected.length + limit; offset += 3) {
        const input = gridOperation.query.parse({
          ...asQuery(chosen),
          sort,
          direction,
          limit: `${limit}`,
          offset: `${offset}`,
        })
        const page = await listSortedLeads(input, gridContext())
        expect([offset, page.leads.map(({ id }) => id)]).toEqual([offset, expected.slice(offset, offset + limit)])
      }
    },
  )
})

it('raw leads are those that stand there [RAW-01]', async () => {
  const expected = leads.filter((lead) => lead.raw && lead.owner !== sources[2]).map(({ id }) => id)
  for (let offset = 0; offset <= expected.length; offset += 2) {
    const rows = await pageOfRawLeads(stage.db, listOf(filterOf({ isRaw: true, includeSyncing: true })), {
      limit,
      offset,
    })
    expect([offset, rows.map(({ id }) => id)]).toEqual([offset, expected.slice(offset, offset + limit + 1)])
  }
})

it('people are found behind many leads of a few [LED-01]', async () => {
  // The first batch of newest leads has only two people, so that several are needed.
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, job_title, is_icp, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), ${sources[0]}, ${sources[0]}, 'profile', 'ACoA' || n % 2, 'again:' || n,
      'Like',
      'https://www.linkedin.com/in/' || n, 'Sales Manager', true, 'completed', 'no_webhook',
      ${stage.state.now}::timestamptz + (n / 3 || ' seconds')::interval
    from generate_series(1, 150) n`.execute(stage.db)
  leads = await readLeads()
  for (const [filter, chosen, isShown] of [
    [{ engagementType: 'Like' }, null, ({ type }) => type === 'Like'],
    [{ isIcp: true }, null, ({ fits }) => fits === true],
    [{ jobTitle: 'manager' }, 'many', ({ title }) => /manager/i.test(title)],
  ] as const satisfies readonly (readonly [Partial<LeadFilter>, unknown, (lead: Lead) => boolean])[]) {
    const people = peopleOf(leads.filter((lead) => !lead.raw && !hidden.has(lead.owner) && isShown(lead)))
    expect(people.length).toBeGreaterThan(limit)
    const named = await withHidden(filter)
    for (let offset = 0; offset <= people.length + limit; offset += 3) {
      const { rows } = await pageOfEngagers(stage.db, listOf(named, chosen), { limit, offset })
      expect([filter, offset, idsOf(rows)]).toEqual([filter, offset, idsOf(people.slice(offset, offset + limit + 1))])
    }
  }
})

it('people stand where their newest lead does, also when leads go [LED-01]', async () => {
  const everyone = filterOf({ includeInactive: true, includeSyncing: true })
  const newest = peopleOf(leads.filter(({ raw }) => !raw))
  await sql`delete from lead where id = any(${idsOf(newest.slice(0, 9))}::uuid[])`.execute(stage.db)
  await sql`delete from lead where person_urn = ${newest[9]!.person}`.execute(stage.db)
  const left = peopleOf((await readLeads()).filter(({ raw }) => !raw))
  const { rows } = await pageOfEngagers(stage.db, listOf(everyone), { limit: 100, offset: 0 })
  expect(idsOf(rows)).toEqual(idsOf(left))
})
