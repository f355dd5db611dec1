/**
 * Keeps an agent's people judged (docs/decisions/0011), one batch per unit of work.
 *
 *   noted: their leads, posts or companies changed --a lane judges those noted--> judged
 *   asked: profile, sources or rules changed       --a lane judges everybody in URN order, a batch per turn--> all judged
 *     `-- asked again meanwhile, or the view has changed --> starts over
 *
 * While somebody is noted, or not everybody is judged by the present view, the list is computed (`list.ts`). A batch that dies
 * rolls back whole, with its notes restored. The only writer of `agent_ranking` and `agent_person`, always under a lock on the
 * agent's `agent_ranking` row.
 */
import { sql } from 'kysely'
import { countAffected, queryColumn } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import {
  type WorkDeps,
  claimOne,
  defineRows,
  defineWork,
  noteTaskContext,
  leaseOf,
  rescheduleForEver,
} from '../../../platform/work/index.ts'
import type { OnChanged } from '../criteria.ts'
import { noteAgentPeople, takeNotes } from '../../accounts/index.ts'
import { maxEngagementsShown } from '../rules/agent-people.ts'
import { signalOrder } from '../rules/signal.ts'
import { rulesVersion } from '../rules/version.ts'
import { scorePeople, type AgentPerson } from './people.ts'
import { findAgentView, listPeople, viewDigest, type AgentOf, type AgentView } from './people-store.ts'
import { forgetPosts, savePosts, topicsDigest } from './posts.ts'

/** Asks to judge everybody again, because the agent's profile or sources changed. Requires the agent's row locked. */
export async function askRanking(tx: Tx, { teamId, agentId }: AgentOf): Promise<void> {
  await sql`
    insert into agent_ranking (team_id, agent_id, asked_at) values (${teamId}, ${agentId}, ${tx.now})
    on conflict (team_id, agent_id)
    do update set asked = true, asked_at = excluded.asked_at, due_at = null, unexpected_failures = 0`.execute(tx.db)
  tx.enqueue('ranking', teamId)
}

const rankingRows = defineRows({
  kind: 'ranking',
  rowKind: 'ranking',
  table: 'agent_ranking',
  key: 'agent_id',
  keyType: 'uuid',
  open: sql<boolean>`(w.asked or w.judged_by is null or w.rules is distinct from ${sql.lit(String(rulesVersion))}
    or exists (select 1 from agent_ranking_due d where d.team_id = w.team_id and d.agent_id = w.agent_id))`,
  dueAt: sql<Date>`coalesce(w.due_at, w.asked_at)`,
  always: true,
  fence: 'counted',
})

/** `judged_by`: the digest by which all people are judged, else null; then `wanted_by` has reached `cursor_urn`, in URN order. */
type Ranking = {
  readonly judged_by: string | null
  readonly wanted_by: string | null
  readonly rules: string | null
  readonly round: number
  readonly cursor_urn: string | null
  readonly judged: number
}

type Row = Ranking & { team_id: string; agent_id: string; fence: number; unexpected_failures: number }

async function saveRanking(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  { judged_by, wanted_by, rules, round, cursor_urn, judged }: Ranking,
): Promise<void> {
  await sql`
    update agent_ranking set judged_by = ${judged_by}, wanted_by = ${wanted_by}, rules = ${rules}, round = ${round},
      cursor_urn = ${cursor_urn}, judged = ${judged}, asked = false, due_at = null, unexpected_failures = 0,
      lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and agent_id = ${agentId}`.execute(tx.db)
  tx.mark('ranking', teamId)
}

type Judging = {
  readonly agent: AgentOf
  readonly view: AgentView
  readonly sourceIds: readonly string[]
  readonly ranking: Ranking
  readonly batch: number
  readonly onChanged: OnChanged | undefined
}

async function listEngagedWith(
  tx: Tx,
  { agent: { teamId }, sourceIds }: Judging,
  postUrns: readonly string[],
): Promise<string[]> {
  if (postUrns.length === 0) return []
  return queryColumn<string>(tx.db)`
    select distinct person_urn as urn from lead
    where team_id = ${teamId} and owner_id = any(${[...sourceIds]}::uuid[]) and enrichment <> 'raw'
      and post_urn = any(${[...postUrns]}::text[])`
}

async function listNextPeople(tx: Tx, { agent: { teamId }, sourceIds, ranking, batch }: Judging): Promise<string[]> {
  if (sourceIds.length === 0) return []
  return queryColumn<string>(tx.db)`
    select distinct person_urn as urn from lead
    where team_id = ${teamId} and enrichment <> 'raw' and owner_id = any(${[...sourceIds]}::uuid[])
      and person_urn > ${ranking.cursor_urn ?? ''}
    order by person_urn limit ${batch}`
}

/** Locks people's companies `for share`: a refresh of a company waits for this unit, then notes the people judged in it. */
async function shareCompaniesOf(tx: Tx, teamId: string, personUrns: readonly string[]): Promise<void> {
  await sql`
    select 1 from company where urn in (
      select company_urn from lead
      where team_id = ${teamId} and person_urn = any(${[...personUrns]}::text[]) and company_urn is not null)
    order by urn for share`.execute(tx.db)
}

/** Saves judged people, and deletes those of `asked` who are left with no lead in the agent's sources. */
async function savePeople(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  { asked, people, round }: { asked: readonly string[]; people: readonly AgentPerson[]; round: number },
): Promise<void> {
  const rows = people.map(({ fit, signal, signalReasons, engagements, leadIds: _leadIds, ...person }) => ({
    ...person,
    listed: fit.listed,
    icp: fit.percent,
    signal: signalOrder.indexOf(signal),
    engagements: engagements.length,
    topic: engagements[0]!.topic,
    source: engagements[0]!.source,
    judged: { fit, signalReasons, engagements: engagements.slice(0, maxEngagementsShown) },
  }))
  const held = new Set(people.map((person) => person.urn))
  const gone = asked.filter((urn) => !held.has(urn))
  if (gone.length > 0)
    await sql`delete from agent_person
      where team_id = ${teamId} and agent_id = ${agentId} and person_urn = any(${gone}::text[])`.execute(tx.db)
  if (rows.length === 0) return
  await sql`
    insert into agent_person (team_id, agent_id, person_urn, lead_id, fact_id, company_urn, detected_at, ended, waiting,
        listed, icp, signal, engagements, topic, source, judged, round)
    select ${teamId}, ${agentId}, r.urn, r.id, r."factId", r."companyUrn", r."detectedAt", r.ended, r.waiting, r.listed,
      r.icp, r.signal, r.engagements, r.topic, r.source, r.judged, ${round}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, id uuid, "factId" uuid, "companyUrn" text,
        "detectedAt" timestamptz, ended boolean, waiting boolean, listed boolean,
      icp smallint, signal smallint, engagements integer, topic text, source integer, judged jsonb)
    on conflict (team_id, agent_id, person_urn)
    do update set lead_id = excluded.lead_id, fact_id = excluded.fact_id, company_urn = excluded.company_urn,
      detected_at = excluded.detected_at,
      ended = excluded.ended, waiting = excluded.waiting, listed = excluded.listed, icp = excluded.icp,
      signal = excluded.signal, engagements = excluded.engagements, topic = excluded.topic,
      source = excluded.source, judged = excluded.judged, round = excluded.round`.execute(tx.db)
}

/** Deletes at most `max` people whom a finished round did not meet; answers how many. */
const forgetUnmet = (tx: Tx, { teamId, agentId }: AgentOf, { round, max }: { round: number; max: number }) =>
  countAffected(tx.db)`
    delete from agent_person where team_id = ${teamId} and agent_id = ${agentId} and person_urn = any(array(
      select person_urn from agent_person
      where team_id = ${teamId} and agent_id = ${agentId} and round <> ${round} limit ${max}))`

/** Notes, to be judged again, the people of companies whose facts this unit of work has written. */
export async function noteCompanies(tx: Tx, urns: readonly string[]): Promise<void> {
  if (urns.length === 0) return
  const { rows } = await sql<{ teamId: string; agentId: string; urn: string }>`
    select team_id as "teamId", agent_id as "agentId", person_urn as urn from agent_person
    where company_urn = any(${[...urns]}::text[])`.execute(tx.db)
  await noteAgentPeople(tx, rows)
}

/** Tests override `batch`, the people per unit of work. */
type RankingDeps = Pick<WorkDeps, 'unitOfWork' | 'system' | 'processId'> & {
  readonly batch?: number
  readonly onChanged?: OnChanged
}

const defaultBatch = 500

async function judge(tx: Tx, judging: Judging, urns: readonly string[]): Promise<void> {
  const { agent, view, sourceIds, ranking, onChanged } = judging
  if (urns.length === 0) return
  await shareCompaniesOf(tx, agent.teamId, urns)
  const rows = await listPeople(tx.db, { teamId: agent.teamId, sourceIds, people: { urns } })
  const { people, fresh } = await scorePeople(tx.db, { agent, view, rows })
  await savePosts(tx, agent, { posts: fresh, topics: topicsDigest(view.profile.topics) })
  const changed = onChanged ? await listChanged(tx, agent, people) : []
  await savePeople(tx, agent, { asked: urns, people, round: ranking.round })
  await onChanged?.(tx, agent.teamId, changed)
}

/** The newest leads of people whose percentage differs from the stored one. */
async function listChanged(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  people: readonly AgentPerson[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ urn: string; icp: number | null }>`
    select person_urn as urn, icp from agent_person where team_id = ${teamId} and agent_id = ${agentId}
      and person_urn = any(${people.map(({ urn }) => urn)}::text[])`.execute(tx.db)
  const before = new Map(rows.map(({ urn, icp }) => [urn, icp]))
  return people.filter(({ urn, fit }) => before.get(urn) !== fit.percent).map(({ id }) => id)
}

/**
 * Judges people who were noted or engaged with noted posts, up to `batch`; those beyond it (a post can have many readers) are
 * noted again for the next units.
 */
async function judgeNoted(tx: Tx, judging: Judging): Promise<void> {
  const { agent, batch } = judging
  const { people, posts } = await takeNotes(tx, agent, batch)
  await forgetPosts(tx, agent, posts)
  const urns = [...new Set([...people, ...(await listEngagedWith(tx, judging, posts))])]
  const rest = urns.slice(batch).map((urn) => ({ ...agent, urn }))
  await noteAgentPeople(tx, rest)
  await judge(tx, judging, urns.slice(0, batch))
}

async function judgeNext(tx: Tx, judging: Judging): Promise<Ranking> {
  const { agent, ranking, batch } = judging
  const urns = await listNextPeople(tx, judging)
  await judge(tx, judging, urns)
  const next = { ...ranking, cursor_urn: urns.at(-1) ?? ranking.cursor_urn, judged: ranking.judged + urns.length }
  if (urns.length === batch || (await forgetUnmet(tx, agent, { round: ranking.round, max: batch })) === batch)
    return next
  return { ...next, judged_by: ranking.wanted_by, rules: String(rulesVersion) }
}

async function step(deps: RankingDeps, tx: Tx): Promise<'worked' | 'idle'> {
  const row = await claimOne<Row>(tx, rankingRows, leaseOf(deps.processId, deps.system.nowMs()))
  if (!row) return 'idle'
  const agent = { teamId: row.team_id, agentId: row.agent_id }
  addLogContext({ ...agent })
  noteTaskContext(tx, rankingRows, row)
  const { onChanged, batch = defaultBatch } = deps
  const view = await findAgentView(tx.db, agent)
  if (!view) throw new Error('the people of an agent that does not exist')
  const wanted = viewDigest(view)
  const judging = { agent, view, sourceIds: view.sources.map(({ id }) => id), batch, onChanged }
  if (row.judged_by === wanted) {
    await judgeNoted(tx, { ...judging, ranking: row })
    await saveRanking(tx, agent, { ...row, rules: String(rulesVersion) })
    return 'worked'
  }
  const isBegun = row.judged_by === null && row.wanted_by === wanted
  const begun = isBegun ? row : { ...row, round: row.round + 1, cursor_urn: null, judged: 0 }
  const ranking = { ...begun, judged_by: null, wanted_by: wanted }
  await saveRanking(tx, agent, await judgeNext(tx, { ...judging, ranking }))
  return 'worked'
}

/** Judges a batch of an agent's people; `idle` when nobody is to be judged. */
export const rankingStep = (deps: RankingDeps) => (): Promise<'worked' | 'idle'> =>
  deps.unitOfWork((tx) => step(deps, tx))

/** Ranking, as work. It is retried for ever: giving up would leave lists to be computed for ever. */
export const rankingWork = defineWork({
  kind: 'ranking',
  rows: [rankingRows],
  step: rankingStep,
  unexpected: { ranking: (tx, work, dueAt) => rescheduleForEver(tx, rankingRows, work, dueAt) },
})
