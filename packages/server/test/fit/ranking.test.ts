/** An agent's stored ranking equals a full computation after any history of changes. */
import fc from 'fast-check'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askRanking,
  findAgentView,
  pageOfAgent,
  rankingStep,
  noteCompanies,
  type ListAsked,
  rankingWork,
} from '../../src/modules/fit/index.ts'
import { notePeople } from '../../src/modules/accounts/index.ts'
import { saveAgentSource } from '../../src/modules/agent/store.ts'
import { deletePosts, listPosts, rememberPosts, saveCompanies } from '../../src/modules/network/index.ts'
import { failLeads, fillLeads, insertLeads, listKnownEngagements } from '../../src/modules/leads/index.ts'
import { lockSource } from '../../src/modules/sources/index.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import { readWaiting } from '../../src/platform/work/index.ts'
import { openStage, type Stage } from '../delivery/stage.ts'
import { amount } from '../world/amount.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const deps = (batch = 3) => ({
  unitOfWork: stage.unitOfWork,
  system: stage.deps.system,
  processId: stage.deps.processId,
  batch,
})
const profiles = [
  { titles: ['CMO'], countries: ['Germany'], topics: ['pumps', 'drills'] },
  { titles: [], countries: [], topics: ['drills'] },
  { titles: ['CMO', 'Clerk'], companySizes: ['51-200'], topics: ['pumps'] },
].map((own) => ({ industries: [], companySizes: [], countries: [], ...own }))
const texts = [
  'All about pumps',
  'We are hiring! Join our team',
  'On drills and pumps',
  'Good morning',
  null,
  'Of drills alone',
]
const titles = ['CMO', 'Clerk', 'Head of CMO affairs', null]

type Set = { readonly teamId: string; readonly agentId: string; readonly sources: string[]; readonly other: string }

/** A team with an agent that reads two sources, a third that it may come to read, posts of two authors, and a company. */
async function set(): Promise<Set> {
  const teamId = (await stage.makeTeam()).team.id
  const agentId = stage.ids.uuid(stage.state.now)
  const sources = [await stage.makeSource('one', teamId), await stage.makeSource('two', teamId)]
  const other = await stage.makeSource('three', teamId)
  await sql`insert into agent (team_id, id, status, profile, created_at)
    values (${teamId}, ${agentId}, 'draft', ${JSON.stringify(profiles[0])}::jsonb, ${stage.state.now})`.execute(
    stage.db,
  )
  for (const id of sources) await attach({ teamId, agentId }, id)
  for (let post = 0; post < 5; post++)
    await sql`insert into post (team_id, urn, url, text, author_kind, author_urn, author_headline, first_seen_at)
      values (${teamId}, ${`urn:${post}`}, 'https://x', ${texts[post % texts.length]!}, 'person',
          ${post === 4 ? null : `author-${post % 2}`}, ${post === 3 ? 'I sell pumps' : null},
          ${stage.state.now})`.execute(stage.db)
  await stage.unitOfWork((tx) => askRanking(tx, { teamId, agentId }))
  return { teamId, agentId, sources, other }
}
const attach = (of: { teamId: string; agentId: string }, id: string) =>
  sql`insert into agent_source (team_id, agent_id, source_id, made, topic, launch, added_at)
    values (${of.teamId}, ${of.agentId}, ${id}, true, null, 0, ${stage.state.now}) on conflict do nothing`.execute(
    stage.db,
  )

const small = fc.nat({ max: 1_000 })
const actions = fc.array(
  fc.record({
    do: fc.constantFrom(
      'capture',
      'capture',
      'enrich',
      'fail',
      'company',
      'text',
      'profile',
      'attach',
      'delete',
      'forget',
      'work',
      'work',
      'drain',
    ),
    a: small,
    b: small,
    c: small,
  }),
  { minLength: 3, maxLength: 30 },
)
type Action = { readonly do: string; readonly a: number; readonly b: number; readonly c: number }

const act = (name: string, a = 0, b = 0, c = 0): Action => ({ do: name, a, b, c })
/** Histories that are always tried, for example people of a source the agent reads later, and deleted people. */
const requiredHistories: [Action[]][] = [
  [[act('capture', 2, 1, 1), act('enrich', 0, 1, 1), act('drain'), act('attach'), act('drain')]],
  [[act('capture', 0, 1, 1), act('capture', 1, 0, 2), act('enrich', 0, 1, 1), act('drain'), act('delete', 0, 0, 1)]],
  [[act('capture', 0, 1, 1), act('enrich', 0, 1, 1), act('drain'), act('text', 1, 1), act('company', 1), act('drain')]],
  // One post of an author is about one topic, the headline of the other names another.
  [[act('capture', 0, 1, 1), act('capture', 1, 3, 1), act('enrich', 0, 1, 1), act('text', 5, 1), act('drain')]],
  // The post that gave an author a topic is deleted.
  [
    [
      ...[
        act('capture', 0, 1, 1),
        act('capture', 0, 3, 2),
        act('enrich', 0, 1, 1),
        act('enrich', 0, 1, 2),
        act('drain'),
      ],
      ...[act('forget', 0, 3), act('drain')],
    ],
  ],
]

/** The service's writes, in their own unit of work or in a given one. */
const writers: Record<string, (tx: Tx, of: Set, action: Action) => Promise<unknown>> = {
  capture: async (tx, { teamId, sources, other }, { a, b, c }) => {
    const owner = [...sources, other][a % 3]!
    const post = `urn:${b % 6}`
    const key = `${b % 2 ? 'comment' : 'reaction'}:${post}:P${c % 7}:${a % 2}`
    if ((await listKnownEngagements(tx.db, { teamId, ownerId: owner, keys: [key] })).size > 0) return
    await insertLeads(
      tx,
      {
        teamId,
        ownerId: owner,
        sourceId: owner,
        sourceKind: 'profile',
        syncId: null,
        enrichment: c % 5 === 0 ? 'raw' : 'pending',
        webhookStatus: 'no_webhook',
      },
      [
        {
          post: { urn: post, url: 'https://x', postedAt: null },
          engagements: [
            {
              key,
              person: {
                urn: `P${c % 7}`,
                name: 'Ann',
                handle: null,
                headline: null,
                linkedinUrl: 'https://x',
                avatarUrl: null,
              },
              type: b % 2 ? 'Comment' : 'Like',
              reaction: b % 2 || c % 3 ? null : 'Praise',
              isReply: b % 2 === 1 && c % 2 === 1,
              commentText: b % 2 ? 'Well said' : null,
              commentPostedAt: null,
            },
          ],
        },
      ],
    )
    if (b % 6 === 5)
      await sql`update lead set post_urn = null where team_id = ${teamId} and engagement_key = ${key}`.execute(tx.db)
  },
  enrich: async (tx, { teamId }, { a, b, c }) => {
    const { rows } = await sql<{ id: string }>`select id from lead
      where team_id = ${teamId} and person_urn = ${`P${c % 7}`} and enrichment <> 'raw'`.execute(tx.db)
    await fillLeads(tx, {
      teamId,
      leadIds: rows.map((row) => row.id),
      facts: {
        ...{ name: null, handle: null, headline: null, linkedinUrl: 'https://x', avatarUrl: null, countryCode: null },
        ...{ companyName: null, companyDomain: null, companyIndustry: null, companyEnrichedAt: null },
        jobTitle: titles[a % 4]!,
        country: b % 2 ? 'Germany' : null,
        companyUrn: c % 3 ? `company-${teamId}` : null,
      },
    })
  },
  fail: (tx, { teamId }, { c }) => failLeads(tx, teamId, `P${c % 7}`),
  company: async (tx, { teamId }, { a }) => {
    const urn = `company-${teamId}`
    const unknown = { slug: null, name: null, linkedinUrl: null, website: null, industry: null, employeeCount: null }
    await saveCompanies(tx, [{ ...unknown, urn, staffRange: a % 2 ? '51-200' : '1-10', specialties: [] } as never])
    await noteCompanies(tx, [urn])
  },
  text: async (tx, { teamId }, { a, b }) => {
    const urn = `urn:${b % 5}`
    const post = (await listPosts(tx.db, teamId, [urn])).get(urn)
    if (post) await rememberPosts(tx, teamId, [{ ...post, text: texts[a % texts.length]! }])
  },
}
const write =
  (name: keyof typeof writers) =>
  (of: Set, action: Action, tx?: Tx): Promise<unknown> => {
    // Some share an instant.
    if (name === 'capture') stage.advance((action.c % 3) * 1_000)
    return tx ? writers[name]!(tx, of, action) : stage.unitOfWork((own) => writers[name]!(own, of, action))
  }
const steps: Record<string, (of: Set, action: Action, tx?: Tx) => Promise<unknown>> = {
  ...Object.fromEntries(Object.keys(writers).map((name) => [name, write(name)])),
  profile: ({ teamId, agentId }, { a }) =>
    stage.unitOfWork(async (tx) => {
      await sql`update agent set profile = ${JSON.stringify(profiles[a % 3])}::jsonb
        where team_id = ${teamId} and id = ${agentId}`.execute(tx.db)
      // Sometimes no reranking is requested: the stored result must not be shown anyway.
      if (a % 4 !== 0) await askRanking(tx, { teamId, agentId })
    }),
  attach: async (of) => {
    await attach(of, of.other)
    await stage.unitOfWork((tx) => askRanking(tx, of))
  },
  delete: (of, { c }) => forgetLeads(of, sql`person_urn = ${`P${c % 7}`}`),
  // Deletes a post without leads, and with it what an agent stored about it.
  forget: async (of, { b }) => {
    await forgetLeads(of, sql`post_urn = ${`urn:${b % 5}`}`)
    await stage.unitOfWork((tx) => deletePosts(tx, of.teamId, [`urn:${b % 5}`]))
  },
  work: (_of, { a }) => rankingStep(deps(1 + (a % 4)))(),
  drain: (of) => drain(of),
}
/** Deletes leads and notes their people for reranking. */
const forgetLeads = ({ teamId }: Set, which: RawBuilder<unknown>) =>
  stage.unitOfWork(async (tx) => {
    const { rows } = await sql<{ sourceId: string; personUrn: string }>`
      delete from lead where team_id = ${teamId} and ${which} and enrichment <> 'raw'
      returning owner_id as "sourceId", person_urn as "personUrn"`.execute(tx.db)
    await sql`delete from lead where team_id = ${teamId} and ${which}`.execute(tx.db)
    await notePeople(tx, teamId, rows)
  })
/** Works until nothing is left; marks the team itself, as the service's search for unmarked work does half a minute later. */
async function drain({ teamId }: Set): Promise<void> {
  await stage.unitOfWork(async (tx) => tx.mark('ranking', teamId))
  for (let units = 0; (await rankingStep(deps())()) === 'worked'; units++)
    if (units > 500) throw new Error('no end in sight')
  const { rows } = await sql`select urn from agent_ranking_due where team_id = ${teamId}`.execute(stage.db)
  expect(rows).toEqual([])
}

const list = async (of: Set, asked: ListAsked, db = stage.db) => {
  const view = await findAgentView(db, of)
  return view && { view, ...(await pageOfAgent(db, { agent: of, view, asked })) }
}
const undone = new Error('only to see')
/** Leaves out the background progress, which is not compared. */
const withoutProgress = <T extends object>(page: T | undefined) => page && { ...page, rescoring: undefined }
/** Leaves out facts of rows, which are read live. */
const judgements = (page: Awaited<ReturnType<typeof list>>) =>
  page && { ...page, people: page.people.map(({ facts: _, ...judged }) => judged) }
async function computed(of: Set, asked: ListAsked): Promise<unknown> {
  let answer: unknown
  await stage.db
    .transaction()
    .execute(async (tx) => {
      await sql`delete from agent_post where team_id = ${of.teamId}`.execute(tx)
      await sql`update agent_ranking set judged_by = null where team_id = ${of.teamId}`.execute(tx)
      answer = withoutProgress(await list(of, asked, tx as never))
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return answer
}

const all: ListAsked = { filters: [], limit: 200, offset: 0 }
const asks: readonly ListAsked[] = [
  all,
  { filters: [], limit: 2, offset: 1 },
  { filters: [{ column: 'signal', operator: 'in', value: ['medium', 'strong'] } as never], limit: 3, offset: 0 },
  { filters: [{ column: 'jobTitle', operator: 'contains', value: 'cmo' } as never], limit: 200, offset: 0 },
  ...(
    [
      ['icp', 'at_least', 40],
      ['icp', 'is_empty'],
      ['signal', 'not_equals', 'EXTRA_strong'],
      ['engagementCount', 'in', [2, 3]],
      ['topic', 'contains', 'PUMP'],
      ['topic', 'not_equals', 'drills'],
      ['sourceKind', 'equals', 'profile'],
      ['sourceKind', 'not_in', ['profile']],
      ['jobTitle', 'is_empty'],
      ['jobTitle', 'not_contains', 'clerk'],
      ['name', 'contains', 'nn'],
      ['country', 'equals', 'de'],
      ['country', 'not_equals', 'Deutschland'],
      ['company', 'is_empty'],
      ['companyStaffRange', 'equals', '51-200'],
      ['companyStaffRange', 'not_equals', '51-200'],
      ['companyEmployeeCount', 'at_most', 100],
      ['engagementType', 'equals', 'like'],
      ['engagementType', 'in', ['Reply', 'Praise']],
      ['commentText', 'contains', 'well'],
      ['commentText', 'not_contains', 'WELL'],
    ] as const
  ).map(([column, operator, value]) => ({
    filters: [
      { column, operator, ...(value === undefined ? {} : { value }) } as never,
      { column: 'engagementCount', operator: 'at_least', value: 1 } as never,
    ],
    limit: 3,
    offset: 0,
  })),
]

describe('the list of an agent', () => {
  it(
    'is the one that reading and judging everything anew gives, whatever has happened and however far the ' +
      'background has come [AGT-56, AGT-63, AGT-71]',
    async () => {
      await fc.assert(
        fc.asyncProperty(actions, async (history) => {
          const of = await set()
          for (const action of history) {
            await steps[action.do]!(of, action)
            expect(withoutProgress(await list(of, all)), JSON.stringify(action)).toEqual(await computed(of, all))
          }
          await drain(of)
          for (const asked of asks)
            expect(withoutProgress(await list(of, asked)), JSON.stringify(asked)).toEqual(await computed(of, asked))
        }),
        { numRuns: amount(7, 61), endOnFailure: true, examples: requiredHistories },
      )
    },
  )

  it.each([1, 2])(
    'says of an author what they stand for by the topics of now; posts judged by those before do not count (profile %i) [AGT-71]',
    async (profile) => {
      const of = await set()
      const posters = async () =>
        (await list(of, all))!.people.map(({ engagements }) => engagements.map((one) => one.posterTopic))
      await steps.capture!(of, act('capture', 0, 1, 1))
      await steps.capture!(of, act('capture', 0, 3, 2))
      for (const c of [1, 2]) await steps.enrich!(of, act('enrich', 0, 1, c))
      await drain(of)
      expect(await posters()).toEqual([['pumps'], ['pumps']])
      // No lead has the post by which the author got the topic, so it is not judged again.
      await steps.delete!(of, act('delete', 0, 0, 2))
      await steps.profile!(of, act('profile', profile))
      await drain(of)
      expect(await posters()).toEqual([[null]])
    },
  )

  it('keeps everybody who engaged with a post that was edited, however many they are [AGT-63, AGT-71]', async () => {
    const of = await set()
    await steps.capture!(of, act('capture', 0, 0, 1))
    await drain(of)
    // More than an agent reads at once (specification «Limits»), inserted as already judged.
    const many = 5_003
    await stage.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key,
          engagement_type, is_reply, post_urn, linkedin_url, enrichment, webhook_status, created_at)
        select l.team_id, gen_random_uuid(), owner_id, source_id, source_kind, 'Q' || n, 'reaction:urn:0:Q' || n,
          engagement_type, is_reply, post_urn, linkedin_url, enrichment, webhook_status, created_at
        from lead l cross join generate_series(2, ${many}::integer) n where team_id = ${of.teamId}`.execute(tx)
    })
    await sql`insert into agent_person (team_id, agent_id, person_urn, lead_id, detected_at, ended, waiting, listed, signal,
        engagements, source, judged, round)
      select team_id, agent_id, 'Q' || n, lead_id, detected_at, ended, waiting, listed, signal, engagements, source,
        judged, round
      from agent_person p cross join generate_series(2, ${many}::integer) n where team_id = ${of.teamId}`.execute(
      stage.db,
    )
    await steps.text!(of, act('text', 5, 0))
    await stage.unitOfWork(async (tx) => tx.mark('ranking', of.teamId))
    const about = async () => {
      const { rows } = await sql`select (select count(*)::integer from agent_person p
          where p.team_id = r.team_id) as people, (select count(*)::integer from agent_person p
          where p.team_id = r.team_id and p.topic = 'drills') as judged, (select count(*)::integer
          from agent_ranking_due d where d.team_id = r.team_id) as noted
        from agent_ranking r where team_id = ${of.teamId}`.execute(stage.db)
      return rows[0]
    }
    await rankingStep(deps(3))()
    expect(await about()).toEqual({ people: many, judged: 3, noted: many - 3 })
    await rankingStep(deps(4))()
    expect(await about()).toEqual({ people: many, judged: 7, noted: many - 7 })
    await sql`delete from agent_ranking_due where team_id = ${of.teamId}`.execute(stage.db)
  })

  it.each(['captured', 'enriched'] as const)(
    'knows of a lead that was being %s as the agent took its source [AGT-63]',
    async (how) => {
      const of = await set()
      const lead = act('capture', 2, 1, 1)
      if (how === 'enriched') await steps.capture!(of, lead)
      await drain(of)
      const written = Promise.withResolvers<void>()
      const committing = Promise.withResolvers<void>()
      const unit = stage.unitOfWork(async (tx) => {
        await lockSource(tx, of.teamId, { id: of.other })
        await steps[how === 'captured' ? 'capture' : 'enrich']!(of, lead, tx)
        written.resolve()
        await committing.promise
      })
      await written.promise
      const agent = { teamId: of.teamId, id: of.agentId }
      let isTaken = false
      const taken = stage
        .unitOfWork((tx) => saveAgentSource(tx, agent, { id: of.other, made: false, topic: null, launch: 0 }))
        .finally(() => (isTaken = true))
      const waits = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(stage.db)
        return rows.length > 0
      }
      await expect.poll(async () => isTaken || (await waits()), { interval: 10 }).toBe(true)
      // If saving the source did not wait for the open unit, everybody would be judged by this point.
      await drain(of)
      committing.resolve()
      await Promise.all([unit, taken])
      await drain(of)
      const page = withoutProgress(await list(of, all))
      expect(page).toMatchObject({ checked: 1, enriching: how === 'captured' ? 1 : 0 })
      expect(page).toEqual(await computed(of, all))
    },
  )

  it('is read from what is kept once the background is done, and nothing waits then [AGT-50]', async () => {
    const of = await set()
    for (let n = 0; n < 12; n++) await steps.capture!(of, { do: 'capture', a: n, b: n, c: n * 3 + 1 })
    for (let n = 0; n < 7; n++) await steps.enrich!(of, { do: 'enrich', a: 0, b: 1, c: n })
    await drain(of)
    const before = await list(of, all)
    expect(before!.people.length).toBeGreaterThan(2)
    // The page comes from stored results only: nothing noted that the facts changed.
    await sql`update lead set job_title = 'Clerk' where team_id = ${of.teamId}`.execute(stage.db)
    expect(judgements(await list(of, all))).toEqual(judgements(before))
    const at = { now: new Date('2100-01-01T00:00:00.000Z'), nowMs: Number.MAX_SAFE_INTEGER, most: 1 }
    expect(await readWaiting(stage.db, rankingWork.rows, at)).toEqual([])
  })
})
