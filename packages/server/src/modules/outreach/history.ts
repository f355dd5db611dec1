/**
 * Pushes the history of a source with many leads (OUT-20). The request answers first; the clock queues people, batch by batch,
 * oldest lead first. A person is queued at their newest lead. Leads captured after the request are not part of it.
 *
 *   requested --few leads---> queued when the request is answered
 *       `------many leads---> queueing when the request is answered --the clock, a batch per unit of work--> queued
 *             |-- the rule is removed ----------------------> over, and what it queued is dropped
 *             |-- the rule is saved with pushHistoric ------> starts again
 *             |-- the rule is saved without it -------------> continues under the rule as it is then
 *             `-- the rule gets another campaign -----------> over: those people were not meant for it
 */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { queueHistoric, type Historic } from './queue-store.ts'
import { shareRule } from './rule-store.ts'

/** The most leads of a source whose history a request queues itself. */
export const smallHistory = 5_000

/** What a push of history has found so far; `queueing` while it runs. */
export type History = Historic & { readonly queueing?: { readonly looked: number; readonly considered: number } }

type HistoryRow = {
  team_id: string
  owner_id: string
  asked_at: string
  considered: number
  looked: number
  matched: number
  queued: number
  cursor_at: string | null
  cursor_id: string | null
  queueing: boolean
}

/** Starts a push of history for a locked rule, replacing one that may be running. */
export async function openHistory(
  tx: Tx,
  { teamId, ownerId, considered }: { teamId: string; ownerId: string; considered: number },
): Promise<History> {
  await sql`
    insert into outreach_history (team_id, owner_id, asked_at, considered) values (${teamId}, ${ownerId}, ${tx.now}, ${considered})
    on conflict (team_id, owner_id) do update set asked_at = excluded.asked_at, considered = excluded.considered, looked = 0,
      matched = 0, queued = 0, cursor_at = null, cursor_id = null, queueing = true`.execute(tx.db)
  return { matched: 0, queued: 0, queueing: { looked: 0, considered } }
}

/** Ends running pushes of history for locked rules. */
export async function endHistories(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_history
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[])`.execute(tx.db)
}

/** The result of the last background push of history; undefined when there is none. */
export async function findHistory(db: Reader, teamId: string, ownerId: string): Promise<History | undefined> {
  const { rows } = await sql<HistoryRow>`
    select * from outreach_history where team_id = ${teamId} and owner_id = ${ownerId}`.execute(db)
  if (!rows[0]) return undefined
  const { matched, queued, looked, considered, queueing } = rows[0]
  return { matched, queued, ...(queueing ? { queueing: { looked, considered } } : {}) }
}

/** SQL: some push of history is running. */
export const historiesDue = (): Condition =>
  sql<boolean>`exists (select 1 from outreach_history where queueing and team_id <> ${sampleTeamId}::uuid)`

const ownersAsked = 100

type NextPeople = {
  readonly looked: number
  readonly at: string | null
  readonly id: string | null
  readonly urns: string[]
}

/** The next leads, and the people whose newest lead is among them. */
async function nextPeople(
  db: Reader,
  { team_id: teamId, owner_id: ownerId, asked_at, cursor_at, cursor_id }: HistoryRow,
  limit: number,
): Promise<NextPeople> {
  const behind =
    cursor_at === null ? sql`true` : sql`(l.created_at, l.id) > (${cursor_at}::timestamptz, ${cursor_id}::uuid)`
  return (await queryOne<NextPeople>(db)`
    with next as materialized (
      select l.id, l.created_at, l.person_urn from lead l
      where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw'
        and l.created_at <= ${asked_at}::timestamptz and ${behind}
      order by l.created_at, l.id limit ${limit}),
    last as (select created_at, id from next order by created_at desc, id desc limit 1)
    select (select count(*) from next)::integer as looked, (select created_at::text from last) as at, (select id from last) as id,
      coalesce((select array_agg(n.person_urn) from next n where not exists (
        select 1 from lead m where m.team_id = ${teamId} and m.owner_id = ${ownerId} and m.person_urn = n.person_urn
          and m.enrichment <> 'raw' and m.created_at <= ${asked_at}::timestamptz
          and (m.created_at, m.id) > (n.created_at, n.id))), '{}') as urns`)!
}

async function queueNext(
  tx: Tx,
  { teamId, ownerId }: { teamId: string; ownerId: string },
  limit: number,
): Promise<boolean> {
  const rule = await shareRule(tx, teamId, ownerId)
  if (!rule) return false
  const { rows } = await sql<HistoryRow>`
    select team_id, owner_id, asked_at::text, considered, looked, matched, queued, cursor_at::text, cursor_id, queueing
    from outreach_history where team_id = ${teamId} and owner_id = ${ownerId} and queueing for update`.execute(tx.db)
  const history = rows[0]
  if (!history) return false
  const { looked, at, id, urns } = await nextPeople(tx.db, history, limit)
  const among = { people: urns, until: history.asked_at }
  const found = urns.length === 0 ? { matched: 0, queued: 0 } : await queueHistoric(tx, { teamId, rule, among })
  const isOver = looked < limit
  await sql`
    update outreach_history set looked = looked + ${looked}::integer, matched = matched + ${found.matched}::integer,
      queued = queued + ${found.queued}::integer, cursor_at = coalesce(${at}::timestamptz, cursor_at),
      cursor_id = coalesce(${id}::uuid, cursor_id), queueing = ${!isOver}
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
  if (found.queued > 0) tx.enqueue('outreach', teamId)
  return !isOver
}

const defaultBatch = 2_000
/** Units of work per push and round, so that other clock tasks get their turn. */
const batchesARound = 10

type HistoryDeps = RoundDeps & { readonly faultPoint: FaultPointHook; readonly batch?: number }

/** Queues a few batches of every running push of history; returns the units of work used. */
export const queueHistories = (deps: HistoryDeps): Promise<number> =>
  eachTeam(deps, {
    task: 'queue past leads for outreach',
    onceEach: true,
    find: (_now, without) =>
      queryAll<{ teamId: string; ownerId: string }>(deps.db)`
        select team_id as "teamId", owner_id as "ownerId" from outreach_history
        where queueing and team_id <> all(${[...without]}::uuid[]) order by team_id, owner_id limit ${ownersAsked}`,
    forTeam: async (teamId, its) => {
      let units = 0
      for (const { ownerId } of its)
        for (let more = true, batches = 0; more && batches < batchesARound; batches++, units++)
          more = await deps.unitOfWork(async (tx) => {
            const goesOn = await queueNext(tx, { teamId, ownerId }, deps.batch ?? defaultBatch)
            await deps.faultPoint('outreach.history-queued')
            return goesOn
          })
      return units
    },
  })
