/** The queue of people to be enriched. The only writer of `enrichment_task`. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import {
  claimSome,
  defineRows,
  endLeases,
  noteTaskContext,
  leaseMs,
  lockAllLeased,
  postpone,
  reschedule,
  renewLeases,
  type Lease,
  type RescheduleHow,
} from '../../platform/work/index.ts'

export type ClaimedTask = {
  readonly teamId: string
  readonly personUrn: string
  readonly attempts: number
  readonly failures: number
  readonly fence: number
}

export type TaskKey = Pick<ClaimedTask, 'teamId' | 'personUrn'>

/**
 * The queue's rows; those of teams that are not served wait (G129). A person's row is deleted and recreated, so a fence is never
 * reused: a stalled worker must not take the new row for its own.
 */
export const taskRows = defineRows({
  kind: 'enrichment',
  rowKind: 'person',
  table: 'enrichment_task',
  key: 'person_urn',
  keyType: 'text',
  open: sql<boolean>`true`,
  fence: 'unique',
})

/**
 * Requests enrichment of people. A row that is being worked on is updated, not skipped: its worker then waits for this unit
 * before it reads which leads to fill, so no lead is missed.
 */
export async function requestEnrichment(tx: Tx, teamId: string, personUrns: readonly string[]): Promise<void> {
  if (personUrns.length === 0) return
  await sql`
    insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${teamId}, urn, ${tx.now}, ${tx.now} from unnest(${[...new Set(personUrns)].sort()}::text[]) as urn
    on conflict (team_id, person_urn)
      do update set due_at = least(enrichment_task.due_at, excluded.due_at)`.execute(tx.db)
  tx.enqueue('enrichment', teamId)
}

type TaskRow = Omit<ClaimedTask, 'teamId' | 'personUrn' | 'failures'> & {
  readonly team_id: string
  readonly person_urn: string
  readonly unexpected_failures: number
}

/** Leases the longest due people, at most `limit`, of the team served longest ago. */
export async function claimTasks(tx: Tx, lease: Lease, limit: number): Promise<ClaimedTask[]> {
  const rows = await claimSome<TaskRow>(tx, taskRows, lease, limit)
  if (!rows[0]) return []
  addLogContext({ teamId: rows[0].team_id })
  // If this unit rolls back, the failure is recorded on one of the rows, so that others get their turn.
  noteTaskContext(tx, taskRows, rows[0])
  return rows.map(({ team_id: teamId, person_urn: personUrn, unexpected_failures: failures, attempts, fence }) => {
    return { teamId, personUrn, attempts, failures, fence }
  })
}

type Fenced = TaskKey & { readonly fence: number }

const rowOf = ({ teamId, personUrn }: TaskKey) => ({ teamId, id: personUrn })
const leasedRowOf = (task: Fenced) => ({ ...rowOf(task), fence: task.fence })

/** Locks tasks of one team; returns the people whose lease is still ours. */
export async function lockTasks(tx: Tx, tasks: readonly Fenced[]): Promise<Set<string>> {
  const rows = await lockAllLeased<TaskRow>(tx, taskRows, tasks.map(leasedRowOf))
  return new Set(rows.map((row) => row.person_urn))
}

/** Extends the leases of people still being looked up. */
export const renewTasks = (unitOfWork: UnitOfWork, tasks: readonly Fenced[], systemNowMs: number): Promise<void> =>
  unitOfWork((tx) => renewLeases(tx, taskRows, tasks.map(leasedRowOf), systemNowMs + leaseMs))

/** Releases tasks that were not started. */
export async function releaseTasks(unitOfWork: UnitOfWork, tasks: readonly Fenced[]): Promise<void> {
  if (tasks.length > 0) await unitOfWork((tx) => endLeases(tx, taskRows, tasks.map(leasedRowOf)))
}

/** Deletes locked tasks of a team. */
export async function deleteTasks(tx: Tx, teamId: string, tasks: readonly TaskKey[]): Promise<void> {
  if (tasks.length === 0) return
  const urns = tasks.map((task) => task.personUrn)
  await sql`delete from enrichment_task where team_id = ${teamId} and person_urn = any(${urns}::text[])`.execute(tx.db)
}

/** Reschedules a locked task after the vendor failed, or (uncounted) because its account is held. */
export const postponeTask = (
  tx: Tx,
  { task, dueAt, how = 'tried' }: { task: ClaimedTask; dueAt: Date; how?: RescheduleHow | undefined },
): Promise<void> => postpone(tx, taskRows, rowOf(task), dueAt, how)

/** Reschedules a locked task after an unexpected failure. */
export const postponeUnexpected = (tx: Tx, task: TaskKey, dueAt: Date): Promise<void> =>
  reschedule(tx, taskRows, rowOf(task), dueAt)

/** Releases locked tasks of one team until `untilMs` (system time) without counting an attempt. */
export async function releaseTasksUntil(tx: Tx, tasks: readonly TaskKey[], untilMs: number): Promise<void> {
  const teamId = tasks[0]?.teamId
  if (teamId === undefined) return
  await sql`update enrichment_task set lease_owner = null, lease_until_ms = ${untilMs}
    where team_id = ${teamId} and person_urn = any(${tasks.map(({ personUrn }) => personUrn)}::text[])`.execute(tx.db)
  tx.mark('enrichment', teamId)
}
