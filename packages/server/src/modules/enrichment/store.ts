/** SQL of enrichment: `enrichment_task` and `company_lookup` are written here and nowhere else. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import {
  claimSome,
  defineRows,
  giveBackAll,
  holdInHand,
  leaseMs,
  lockAllLeased,
  postpone,
  putOff,
  renewLeases,
  type Lease,
  type PutOffHow,
} from '../../platform/work/index.ts'

/** A person of a team whose facts are wanted, under our lease. */
export type ClaimedTask = {
  readonly teamId: string
  readonly personUrn: string
  readonly attempts: number
  readonly failures: number
  readonly fence: number
}

/** Names a task. */
export type TaskName = Pick<ClaimedTask, 'teamId' | 'personUrn'>

/**
 * People whose facts are wanted, as they are worked on. Those of teams that are not served wait (G129). The row of a person comes and
 * goes, so its fence is never used twice: who was asleep while it was deleted and made anew must not take it for their own.
 */
export const taskRows = defineRows({
  kind: 'enrichment',
  sort: 'person',
  table: 'enrichment_task',
  key: 'person_urn',
  keyType: 'text',
  open: sql<boolean>`true`,
  fence: 'sequence',
})

/**
 * Asks for facts about people. The row of a person that is being worked on is touched, not skipped: its worker then waits for this
 * unit before it reads which leads to fill, so no lead is missed.
 */
export async function requestEnrichment(tx: Tx, teamId: string, personUrns: readonly string[]): Promise<void> {
  if (personUrns.length === 0) return
  await sql`
    insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${teamId}, urn, ${tx.now}, ${tx.now} from unnest(${[...new Set(personUrns)].sort()}::text[]) as urn
    on conflict (team_id, person_urn) do update set due_at = least(enrichment_task.due_at, excluded.due_at)`.execute(
    tx.db,
  )
  tx.enqueue('enrichment', teamId)
}

type TaskRow = {
  team_id: string
  person_urn: string
  attempts: number
  unexpected_failures: number
  fence: number
}

/** Takes the leases of the people due longest, at most `most`, of the team served longest ago. */
export async function claimTasks(tx: Tx, lease: Lease, most: number): Promise<ClaimedTask[]> {
  const rows = await claimSome<TaskRow>(tx, taskRows, lease, most)
  if (!rows[0]) return []
  addLogContext({ teamId: rows[0].team_id })
  // Should this unit of work be undone, that is recorded on one of them, so that others have their turn.
  holdInHand(tx, taskRows, rows[0])
  return rows.map((row) => ({
    teamId: row.team_id,
    personUrn: row.person_urn,
    attempts: row.attempts,
    failures: row.unexpected_failures,
    fence: row.fence,
  }))
}

type Fenced = TaskName & { readonly fence: number }

const rowOf = ({ teamId, personUrn }: TaskName) => ({ teamId, id: personUrn })
const leasedRowOf = (task: Fenced) => ({ ...rowOf(task), fence: task.fence })

/** Locks tasks of one team; answers the people whose claim is still ours. */
export async function lockTasks(tx: Tx, tasks: readonly Fenced[]): Promise<Set<string>> {
  const rows = await lockAllLeased<TaskRow>(tx, taskRows, tasks.map(leasedRowOf))
  return new Set(rows.map((row) => row.person_urn))
}

/** Lengthens the leases of people that are still being looked up. */
export const renewTasks = (unitOfWork: UnitOfWork, tasks: readonly Fenced[], systemNowMs: number): Promise<void> =>
  unitOfWork((tx) => renewLeases(tx, taskRows, tasks.map(leasedRowOf), systemNowMs + leaseMs))

/** Gives tasks back that were not begun. */
export async function giveBackTasks(unitOfWork: UnitOfWork, tasks: readonly Fenced[]): Promise<void> {
  if (tasks.length > 0) await unitOfWork((tx) => giveBackAll(tx, taskRows, tasks.map(leasedRowOf)))
}

/** Ends locked tasks of a team. */
export async function deleteTasks(tx: Tx, teamId: string, tasks: readonly TaskName[]): Promise<void> {
  if (tasks.length === 0) return
  const urns = tasks.map((task) => task.personUrn)
  await sql`delete from enrichment_task where team_id = ${teamId} and person_urn = any(${urns}::text[])`.execute(tx.db)
}

/** Puts a locked task off: the vendor was tried and failed, or its account is held, which does not count. */
export const postponeTask = (
  tx: Tx,
  {
    task,
    dueAt,
    how = 'tried',
  }: { readonly task: ClaimedTask; readonly dueAt: Date; readonly how?: PutOffHow | undefined },
): Promise<void> => postpone(tx, taskRows, rowOf(task), dueAt, how)

/** Puts a locked task off after an unexpected failure. */
export const postponeUnexpected = (tx: Tx, task: TaskName, dueAt: Date): Promise<void> =>
  putOff(tx, taskRows, rowOf(task), dueAt)

/** Gives locked tasks of a team back for a moment, without counting an attempt. */
export async function yieldTasks(
  tx: Tx,
  {
    teamId,
    tasks,
    untilMs,
  }: { readonly teamId: string; readonly tasks: readonly TaskName[]; readonly untilMs: number },
): Promise<void> {
  if (tasks.length === 0) return
  const urns = tasks.map((task) => task.personUrn)
  await sql`update enrichment_task set lease_owner = null, lease_until_ms = ${untilMs}
    where team_id = ${teamId} and person_urn = any(${urns}::text[])`.execute(tx.db)
  tx.mark('enrichment', teamId)
}

/**
 * Forgets who looks companies up: an embedded service that boots is alone, and the companies of the dead would be busy
 * until their lease ran out.
 */
export async function releaseAllCompanyLookups(tx: Tx): Promise<void> {
  await sql`delete from company_lookup`.execute(tx.db)
}

/** Takes the right to look companies up; those that another process has are not among the answer. */
export async function claimCompanyLookups(
  tx: Tx,
  urns: readonly string[],
  lease: { owner: string; systemNowMs: number },
): Promise<ReadonlySet<string>> {
  if (urns.length === 0) return new Set()
  const { rows } = await sql<{ urn: string }>`
    insert into company_lookup (urn, owner, until_ms)
    select urn, ${lease.owner}, ${lease.systemNowMs + leaseMs}::bigint
    from unnest(${[...urns].sort()}::text[]) as wanted (urn) order by urn
    on conflict (urn) do update set owner = excluded.owner, until_ms = excluded.until_ms
    where company_lookup.until_ms < ${lease.systemNowMs} or company_lookup.until_ms > ${lease.systemNowMs + 2 * leaseMs}
      or company_lookup.owner = excluded.owner
    returning urn`.execute(tx.db)
  return new Set(rows.map((row) => row.urn))
}

/** Gives that right back, unless it ran out and another process has it. */
export async function releaseCompanyLookups(tx: Tx, urns: readonly string[], owner: string): Promise<void> {
  if (urns.length === 0) return
  await sql`
    with given as materialized (
      select urn from company_lookup where urn = any(${[...urns]}::text[]) and owner = ${owner} order by urn for update)
    delete from company_lookup using given where company_lookup.urn = given.urn`.execute(tx.db)
}

/** Deletes the rights of processes that died, at most `limit`; answers how many. */
export async function purgeCompanyLookups(tx: Tx, systemNowMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from company_lookup
      where urn in (select urn from company_lookup where until_ms < ${systemNowMs} limit ${limit}
        for update skip locked)`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}

/** True when the team has a lead of an active source, or of Discover, of that person that is not raw (G132). */
export async function hasCompatibleLead(db: Reader, teamId: string, personUrn: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.person_urn = ${personUrn} and l.enrichment <> 'raw'
      and (l.source_id is null or s.status = 'active') limit 1`.execute(db)
  return rows.length > 0
}

/** A company page as a request names it: by slug, by number (`urn`), and by the source of it, as far as they are known. */
type NamedCompany = {
  readonly slug: string
  readonly urn: string | null
  readonly sourceId: string | null
}

/** True when the team has a lead of that company page, or any lead of the tracked company source (G23). */
export async function hasCompanyLead(db: Reader, teamId: string, company: NamedCompany): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lead l left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.enrichment <> 'raw' and (l.source_id is null or s.status = 'active')
      and (c.slug = ${company.slug} or l.company_urn = ${company.urn} or s.id = ${company.sourceId}) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** A lead that a profile job could fill or refresh. */
export type MatchingLead = { readonly id: string; readonly sourceId: string | null; readonly state: string }

/** A person's leads of active sources and of Discover, raw ones left out, in id order (G132). */
export async function listMatchingLeads(db: Reader, teamId: string, personUrn: string): Promise<MatchingLead[]> {
  const { rows } = await sql<MatchingLead>`
    select l.id, l.source_id as "sourceId", l.enrichment as state from lead l
    left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.person_urn = ${personUrn} and l.enrichment <> 'raw'
      and (l.source_id is null or s.status = 'active') order by l.id`.execute(db)
  return rows
}

/** Sources that people's waiting leads belong to, in id order. */
export async function listWaitingSources(db: Reader, teamId: string, personUrns: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct source_id as id from lead
    where team_id = ${teamId} and person_urn = any(${[...personUrns]}::text[]) and source_id is not null
      and enrichment in ('pending', 'processing') order by 1`.execute(db)
  return rows.map((row) => row.id)
}

/** Sources that leads of a company belong to, in id order. */
export async function listCompanySources(db: Reader, teamId: string, companyUrn: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select distinct source_id as id from lead
    where team_id = ${teamId} and company_urn = ${companyUrn} and source_id is not null order by 1`.execute(db)
  return rows.map((row) => row.id)
}
