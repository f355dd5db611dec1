/** SQL of jobs. The only writer of `job`. */
import { sql } from 'kysely'
import { countAffected, queryValue } from '../../platform/db/query.ts'
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
  postpone,
  reschedule,
  type Lease,
  type RescheduleHow,
} from '../../platform/work/index.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { findRunAsJob, type RunAsJob } from '../sources/index.ts'

/** Job types by the kind of work that does them; `at_once` jobs are done inside their request. */
const jobTypes = {
  enrich_job: ['enrich_profile', 'enrich_company'],
  posts_job: ['profile_posts', 'company_posts'],
  at_once: ['post_reactions', 'post_comments', 'post_company_comments'],
} as const

type JobWork = 'enrich_job' | 'posts_job'

type JobType = (typeof jobTypes)[keyof typeof jobTypes][number]

export type LaterJobType = (typeof jobTypes)[JobWork][number]

export type AtOnceJobType = (typeof jobTypes)['at_once'][number]

const workOf = (type: LaterJobType): JobWork =>
  type === 'profile_posts' || type === 'company_posts' ? 'posts_job' : 'enrich_job'

/** A job's failure as callers see it (G19). */
export type JobError = { readonly status: number; readonly error: string; readonly code?: string }

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
    rowKind: 'job',
    table: 'job',
    key: 'id',
    keyType: 'uuid',
    // The types are listed too, so that a job type from a later release waits for that release.
    open: sql<boolean>`w.finished_at is null and ${later} is ${kind === 'posts_job' ? sql`true` : sql`false`}
      and w.type in (${sql.join(jobTypes[kind].map((type) => sql.lit(type)))})`,
    fence: 'counted',
  })

/** Rows of each kind of work. Jobs of teams that are not served wait (G129). */
export const jobRows = { enrich_job: jobsOf('enrich_job'), posts_job: jobsOf('posts_job') } as const

type NewJob<Type extends JobType> = {
  readonly teamId: string
  readonly type: Type
  readonly payload: Record<string, unknown>
}

type JobState = {
  readonly status: 'pending' | 'completed' | 'failed'
  readonly result?: Record<string, unknown>
  readonly error?: JobError
}

/** SQL: the state's columns, in the order `status, result, error, finished_at`. */
const valuesOf = (
  tx: Tx,
  { status, result, error }: JobState,
) => sql`${status}, ${result ? JSON.stringify(result) : null}::jsonb,
  ${error ? JSON.stringify(error) : null}::jsonb, ${status === 'pending' ? null : tx.now}::timestamptz`

async function insertRow(tx: Tx, { teamId, type, payload }: NewJob<JobType>, state: JobState): Promise<string> {
  const id = tx.newId()
  await sql`
    insert into job (team_id, id, type, payload, due_at, created_at, status, result, error, finished_at)
    values (${teamId}, ${id}, ${type}, ${JSON.stringify(payload)}::jsonb, ${tx.now}, ${tx.now}, ${valuesOf(tx, state)})`.execute(
    tx.db,
  )
  return id
}

/** Creates a pending job; returns its id, so that a refusal can name it. */
export async function insertJob(tx: Tx, job: NewJob<LaterJobType>): Promise<string> {
  const id = await insertRow(tx, job, { status: 'pending' })
  tx.enqueue(workOf(job.type), job.teamId)
  return id
}

/** Creates a job that has already failed (C1). */
export const insertFailedJob = (tx: Tx, job: NewJob<JobType> & { readonly error: JobError }): Promise<string> =>
  insertRow(tx, job, { status: 'failed', error: job.error })

/** Creates a job already finished inside its request (JOB-08). */
export function insertFinalJob(
  tx: Tx,
  job: NewJob<AtOnceJobType> & {
    readonly outcome: { readonly result: Record<string, unknown> } | { readonly error: JobError }
  },
): Promise<string> {
  const { outcome } = job
  return insertRow(tx, job, { ...outcome, status: 'result' in outcome ? 'completed' : 'failed' })
}

type JobRow = Omit<ClaimedJob, 'teamId'> & { readonly team_id: string; readonly unexpected_failures: number }

/** Leases the longest due job of the team served longest ago. */
export async function claimJob(tx: Tx, work: JobWork, lease: Lease): Promise<ClaimedJob | undefined> {
  const row = await claimOne<JobRow>(tx, jobRows[work], lease, sql`, status = 'running'`)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, jobId: row.id })
  noteTaskContext(tx, jobRows[work], row)
  const { team_id: teamId, id, type, payload, attempts, fence } = row
  return { teamId, id, type, payload, attempts, fence }
}

/** Locks the job; false if the lease was lost. */
export const lockJob = async (tx: Tx, job: Pick<ClaimedJob, 'teamId' | 'id' | 'type' | 'fence'>): Promise<boolean> =>
  (await lockLeased(tx, jobRows[workOf(job.type)], job)) !== undefined

async function end(tx: Tx, { teamId, id }: JobName, state: JobState): Promise<void> {
  await sql`
    update job set (status, result, error, finished_at) = (${valuesOf(tx, state)}), lease_owner = null, lease_until_ms = null
    where team_id = ${teamId} and id = ${id}`.execute(tx.db)
}

/** Completes a locked job. */
export const completeJob = (tx: Tx, job: JobName, result: Record<string, unknown>): Promise<void> =>
  end(tx, job, { status: 'completed', result })

/** Fails a locked job. */
export const failJob = (tx: Tx, job: JobName, error: JobError): Promise<void> =>
  end(tx, job, { status: 'failed', error })

/** Reschedules a locked job after the vendor failed, or (uncounted) because its account is held. */
export const postponeJob = (
  tx: Tx,
  { job, dueAt, cause = 'tried' }: { job: ClaimedJob; dueAt: Date; cause?: RescheduleHow | undefined },
): Promise<void> => postpone(tx, jobRows[workOf(job.type)], job, dueAt, cause)

/** Records an unexpected failure under the fence: reschedules to `dueAt`, or fails the job with 500 if `dueAt` is null. */
export async function recordUnexpectedOfJob(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const type = await queryValue<LaterJobType>(tx.db)`
    select type from job where team_id = ${work.teamId} and id = ${work.id}`
  if (type === undefined) return 'lost'
  const rows = jobRows[workOf(type)]
  if ((await lockLeased(tx, rows, work)) === undefined) return 'lost'
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

const tries = 3
const retryMs = 20_000
/** The longest wait honoured when a vendor asks for one, since a caller is polling. */
const longestRetryMs = 60 * 60_000

/** Fails the job with 404 and `notFound`, or 502 after the last try; else reschedules it, uncounted if the account is held. */
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

type PolledJob = Omit<RunAsJob, 'type'> & { readonly type: JobType | RunAsJob['type'] }

/** A job by id; a sync counts as a job too (G32). */
export async function findJob(db: Reader, teamId: string, id: string): Promise<PolledJob | undefined> {
  const { rows } = await sql<PolledJob>`
    select id, type, status, result, error, created_at as "createdAt", finished_at as "finishedAt" from job
    where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0] ?? (await findRunAsJob(db, teamId, id))
}

/** Deletes jobs that ended before `before`. Charges name jobs by ids that are never reused, so nothing is charged again. */
export const purgeJobs: PurgeTeam = async (tx, { teamId, before, limit }) => {
  return batchOf(
    await countAffected(tx.db)`
    delete from job where team_id = ${teamId} and id = any(array(
      select id from job
      where team_id = ${teamId} and id < ${uuidFrom(before.getTime(), new Uint8Array(10))} and finished_at < ${before}
      order by id limit ${limit} for update skip locked))`,
    limit,
  )
}
