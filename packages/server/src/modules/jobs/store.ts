/** SQL of jobs: the `job` table is written here and nowhere else. */
import { sql, type ColumnType, type Generated, type Insertable, type Selectable } from 'kysely'
import type { Fixed, Json, Lease as LeaseColumns } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../platform/log-context.ts'
import { uuidFrom } from '../../platform/random.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'
import { askedWait } from '../../platform/rules/asked-wait.ts'
import {
  claimOne,
  defineRows,
  noteTaskContext,
  lockLeased,
  noLease,
  postpone,
  reschedule,
  type Lease,
  type RescheduleHow,
} from '../../platform/work/index.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { findRunAsJob, type RunAsJob } from '../sources/index.ts'

/** The jobs that callers can ask for, by the kind of work that does them; `at_once` ones are done inside their request. */
const jobTypes = {
  enrich_job: ['enrich_profile', 'enrich_company'],
  posts_job: ['profile_posts', 'company_posts'],
  at_once: ['post_reactions', 'post_comments', 'post_company_comments'],
} as const

/** A kind of work that does jobs later. */
type JobWork = 'enrich_job' | 'posts_job'

/** Kinds of job that callers can ask for. */
type JobType = (typeof jobTypes)[keyof typeof jobTypes][number]

/** A job that a worker does later. */
export type LaterJobType = (typeof jobTypes)[JobWork][number]

/** A job that is done inside its request. */
export type AtOnceJobType = (typeof jobTypes)['at_once'][number]

const workOf = (type: LaterJobType): JobWork =>
  type === 'profile_posts' || type === 'company_posts' ? 'posts_job' : 'enrich_job'

/** How a job fails, as callers see it (G19). */
export type JobError = { readonly status: number; readonly error: string; readonly code?: string }

/** Row of `job`. */
type JobTable = LeaseColumns & {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<JobType>
  status: 'pending' | 'running' | 'completed' | 'failed'
  payload: Json<Record<string, unknown>>
  result: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  error: ColumnType<JobError | null, string | null | undefined, string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  finished_at: Date | null
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    job: JobTable
  }
}

export type ClaimedJob = {
  readonly teamId: string
  readonly id: string
  readonly type: LaterJobType
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempts: number
  readonly fence: number
}

type JobName = Pick<ClaimedJob, 'teamId' | 'id'>

const later = sql<boolean>`(w.type in ('profile_posts', 'company_posts'))`

const jobsOf = <Kind extends JobWork>(kind: Kind) =>
  defineRows({
    kind,
    taskName: 'job',
    table: 'job',
    key: 'id',
    keyType: 'uuid',
    // By name as well: a job of a kind that only a later release knows waits for that one.
    open: sql<boolean>`w.finished_at is null and ${later} is ${kind === 'posts_job' ? sql`true` : sql`false`}
      and w.type in (${sql.join(jobTypes[kind].map((type) => sql.lit(type)))})`,
    fence: 'counted',
  })

/** What is worked on of jobs, by the kind of work that does them. Jobs of teams that are not served wait (G129). */
export const jobRows = { enrich_job: jobsOf('enrich_job'), posts_job: jobsOf('posts_job') } as const

type NewJob<Type extends JobType> = {
  readonly teamId: string
  readonly type: Type
  readonly payload: Record<string, unknown>
}

type Ending = Pick<Insertable<JobTable>, 'status' | 'result' | 'error' | 'finished_at'>

const completedWith = (tx: Tx, result: Record<string, unknown>): Ending => ({
  status: 'completed',
  result: JSON.stringify(result),
  finished_at: tx.now,
})

const failedWith = (tx: Tx, error: JobError): Ending => ({
  status: 'failed',
  error: JSON.stringify(error),
  finished_at: tx.now,
})

async function insertRow(tx: Tx, { teamId, type, payload }: NewJob<JobType>, state: Ending): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('job')
    .values({
      team_id: teamId,
      id,
      type,
      payload: JSON.stringify(payload),
      due_at: tx.now,
      created_at: tx.now,
      ...state,
    })
    .execute()
  return id
}

/** Makes a job that waits to be picked; answers its id, so that a refusal can name it. */
export async function insertJob(tx: Tx, job: NewJob<LaterJobType>): Promise<string> {
  const id = await insertRow(tx, job, { status: 'pending', finished_at: null })
  tx.enqueue(workOf(job.type), job.teamId)
  return id
}

/** Makes a job that has already failed (C1). */
export const insertFailedJob = (tx: Tx, job: NewJob<JobType> & { readonly error: JobError }): Promise<string> =>
  insertRow(tx, job, failedWith(tx, job.error))

/** Makes a job that is over when it is made (JOB-08): done inside its request, well or badly. */
export function insertFinalJob(
  tx: Tx,
  job: NewJob<AtOnceJobType> & {
    readonly outcome: { readonly result: Record<string, unknown> } | { readonly error: JobError }
  },
): Promise<string> {
  const { outcome } = job
  return insertRow(tx, job, 'result' in outcome ? completedWith(tx, outcome.result) : failedWith(tx, outcome.error))
}

type JobRow = Selectable<JobTable> & { readonly type: LaterJobType }

/** Takes the lease of the waiting job of a kind of work that is due longest, of the team served longest ago. */
export async function claimJob(tx: Tx, work: JobWork, lease: Lease): Promise<ClaimedJob | undefined> {
  const row = await claimOne<JobRow>(tx, jobRows[work], lease, sql`, status = 'running'`)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, jobId: row.id })
  noteTaskContext(tx, jobRows[work], row)
  return {
    teamId: row.team_id,
    id: row.id,
    type: row.type,
    payload: row.payload,
    attempts: row.attempts,
    fence: row.fence,
  }
}

/** True, with the row locked, while the claim is still ours. */
export async function lockJob(
  tx: Tx,
  job: JobName & { readonly type: LaterJobType; readonly fence: number },
): Promise<boolean> {
  return (await lockLeased(tx, jobRows[workOf(job.type)], job)) !== undefined
}

async function end(tx: Tx, job: JobName, ending: Ending): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ ...ending, ...noLease })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.id)
    .execute()
}

/** Ends a locked job well. */
export const completeJob = (tx: Tx, job: JobName, result: Record<string, unknown>): Promise<void> =>
  end(tx, job, completedWith(tx, result))

/** Ends a locked job badly. */
export const failJob = (tx: Tx, job: JobName, error: JobError): Promise<void> => end(tx, job, failedWith(tx, error))

/** Reschedules a locked job: the vendor was tried and failed, or its account is held, which does not count. */
export const postponeJob = (
  tx: Tx,
  { job, dueAt, cause = 'tried' }: { job: ClaimedJob; dueAt: Date; cause?: RescheduleHow | undefined },
): Promise<void> => postpone(tx, jobRows[workOf(job.type)], job, dueAt, cause)

/** Records an unexpected failure under the fence: the job is rescheduled to `dueAt`, or it has failed with 500. */
export async function recordUnexpectedOfJob(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const rows = await rowsOf(tx, work)
  if (!rows || (await lockLeased(tx, rows, work)) === undefined) return 'lost'
  if (dueAt === null) {
    await failJob(tx, work, {
      status: 500,
      code: 'internal_error',
      error: 'The service failed to do this, five times over; ask for it again, and tell us when that fails too',
    })
    return 'ended'
  }
  await reschedule(tx, rows, work, dueAt)
  return 'put_off'
}

async function rowsOf(tx: Tx, job: JobName): Promise<(typeof jobRows)[JobWork] | undefined> {
  const { rows } = await sql<{
    type: LaterJobType
  }>`select type from job where team_id = ${job.teamId} and id = ${job.id}`.execute(tx.db)
  return rows[0] && jobRows[workOf(rows[0].type)]
}

const tries = 3
const retryMs = 20_000
/** A caller polls a job: the wait a vendor asks for is kept, up to an hour. */
const longestRetryMs = 60 * 60_000

/**
 * Ends the job with 404 and `notFound` or, after its last try, with 502; else reschedules it, uncounted while the vendor
 * is held. Nothing when the claim was lost. Answers what became of it.
 */
export async function failOrPostponeJob(
  tx: Tx,
  { job, failure, notFound }: { job: ClaimedJob; failure: ProviderFailure; notFound: string },
): Promise<'failed' | 'postponed' | 'lost'> {
  if (!(await lockJob(tx, job))) return 'lost'
  if (failure.kind === 'not_found') {
    await failJob(tx, job, { status: 404, error: notFound })
    return 'failed'
  }
  if (failure.held) {
    await postponeJob(tx, { job, dueAt: failure.held.until, cause: 'held' })
    return 'postponed'
  }
  if (job.attempts + 1 < tries) {
    const waitMs = askedWait(retryMs, failure.retryAfterMs, longestRetryMs)
    await postponeJob(tx, { job, dueAt: new Date(tx.now.getTime() + waitMs) })
    return 'postponed'
  }
  await failJob(tx, job, {
    status: 502,
    code: 'provider_unavailable',
    error: `${describeFailure(failure)}; nothing was changed and nothing was charged`,
  })
  return 'failed'
}

/** A job, or a sync seen as one, as polled. */
type PolledJob = Omit<RunAsJob, 'type'> & { readonly type: JobType | RunAsJob['type'] }

/** Finds a job by id; a sync is a job too (G32). */
export async function findJob(db: Reader, teamId: string, id: string): Promise<PolledJob | undefined> {
  const { rows } = await sql<PolledJob>`
    select id, type, status, result, error, created_at as "createdAt", finished_at as "finishedAt" from job
    where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0] ?? (await findRunAsJob(db, teamId, id))
}

/** Deletes jobs that ended before. A charge names its job by an id that never comes again, so nothing is charged anew. */
export const purgeJobs: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    delete from job where team_id = ${teamId} and id = any(array(
      select id from job
      where team_id = ${teamId} and id < ${uuidFrom(before.getTime(), new Uint8Array(10))} and finished_at < ${before}
      order by id limit ${limit} for update skip locked))`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
