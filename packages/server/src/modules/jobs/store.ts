/** SQL of jobs: the `job` table is written here and nowhere else. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import {
  claimOne,
  defineRows,
  holdInHand,
  lockLeased,
  noLease,
  postpone,
  putOff,
  type Lease,
  type PutOffHow,
} from '../../platform/work/index.ts'
import type { Recorded, Work } from '../../platform/work-in-hand.ts'

/** The jobs that callers can ask for, by the kind of work that does them; `at_once` ones are done inside their request. */
export const jobTypes = {
  enrich_job: ['enrich_profile', 'enrich_company'],
  posts_job: ['profile_posts', 'company_posts'],
  at_once: ['post_reactions', 'post_comments', 'post_company_comments'],
} as const

/** A kind of work that does jobs later. */
export type JobWork = 'enrich_job' | 'posts_job'

/** Kinds of job that callers can ask for. */
export type JobType = (typeof jobTypes)[keyof typeof jobTypes][number]

/** A job that a worker does later. */
export type LaterJobType = (typeof jobTypes)[JobWork][number]

/** A job that is done inside its request. */
export type AtOnceJobType = (typeof jobTypes)['at_once'][number]

const workOf = (type: LaterJobType): JobWork =>
  type === 'profile_posts' || type === 'company_posts' ? 'posts_job' : 'enrich_job'

/** How a job fails, as callers see it (G19). */
export type JobError = { readonly status: number; readonly error: string; readonly code?: string }

/** A claimed job. */
export type ClaimedJob = {
  readonly teamId: string
  readonly id: string
  readonly type: LaterJobType
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempts: number
  readonly fence: number
}

/** Names a job. */
export type JobName = Pick<ClaimedJob, 'teamId' | 'id'>

const later = sql<boolean>`(w.type in ('profile_posts', 'company_posts'))`

const jobsOf = <Kind extends JobWork>(kind: Kind) =>
  defineRows({
    kind,
    sort: 'job',
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

/** How a new job stands: it waits, or it was over when it was made. */
type Standing =
  | { readonly status: 'pending'; readonly finished_at: null }
  | { readonly status: 'completed'; readonly result: string; readonly finished_at: Date }
  | { readonly status: 'failed'; readonly error: string; readonly finished_at: Date }

async function insertRow(tx: Tx, { teamId, type, payload }: NewJob<JobType>, standing: Standing): Promise<string> {
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
      ...standing,
    })
    .execute()
  return id
}

const failedWith = (tx: Tx, error: JobError): Standing => ({
  status: 'failed',
  error: JSON.stringify(error),
  finished_at: tx.now,
})

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
  return insertRow(
    tx,
    job,
    'result' in outcome
      ? { status: 'completed', result: JSON.stringify(outcome.result), finished_at: tx.now }
      : failedWith(tx, outcome.error),
  )
}

type JobRow = {
  team_id: string
  id: string
  type: LaterJobType
  payload: ClaimedJob['payload']
  attempts: number
  unexpected_failures: number
  fence: number
}

/** Takes the lease of the waiting job of a kind of work that is due longest, of the team served longest ago. */
export async function claimJob(tx: Tx, work: JobWork, lease: Lease): Promise<ClaimedJob | undefined> {
  const row = await claimOne<JobRow>(tx, jobRows[work], lease, sql`, status = 'running'`)
  if (!row) return undefined
  addLogContext({ teamId: row.team_id, jobId: row.id })
  holdInHand(tx, jobRows[work], row)
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

/** Ends a locked job well. */
export async function completeJob(tx: Tx, job: ClaimedJob, result: Record<string, unknown>): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({
      status: 'completed',
      result: JSON.stringify(result),
      finished_at: tx.now,
      ...noLease,
    })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.id)
    .execute()
}

/** Ends a locked job badly. */
export async function failJob(tx: Tx, job: JobName, error: JobError): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({
      status: 'failed',
      error: JSON.stringify(error),
      finished_at: tx.now,
      ...noLease,
    })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.id)
    .execute()
}

/** Puts a locked job off: the vendor was tried and failed, or its account is held, which does not count. */
export const postponeJob = (
  tx: Tx,
  {
    job,
    dueAt,
    cause = 'tried',
  }: { readonly job: ClaimedJob; readonly dueAt: Date; readonly cause?: PutOffHow | undefined },
): Promise<void> => postpone(tx, jobRows[workOf(job.type)], job, dueAt, cause)

/** Records an unexpected failure under the fence: the job is put off until `dueAt`, or it has failed with 500. */
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
  await putOff(tx, rows, work, dueAt)
  return 'put_off'
}

async function rowsOf(tx: Tx, job: JobName): Promise<(typeof jobRows)[JobWork] | undefined> {
  const { rows } = await sql<{
    type: LaterJobType
  }>`select type from job where team_id = ${job.teamId} and id = ${job.id}`.execute(tx.db)
  return rows[0] && jobRows[workOf(rows[0].type)]
}
