/** SQL of jobs: the `job` table is written here and nowhere else. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { takeInHand, type Recorded, type Work } from '../../platform/work-in-hand.ts'

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
  readonly type: JobType
  readonly payload: Readonly<Record<string, unknown>>
  readonly attempts: number
  readonly fence: number
}

/** Names a job. */
export type JobName = Pick<ClaimedJob, 'teamId' | 'id'>

/** How long a job's lease lasts, in system time. */
export const jobLeaseMs = 60_000

/** Makes a job that waits to be picked; `id` so that a refusal can name it. */
export async function insertJob(
  tx: Tx,
  job: { teamId: string; type: LaterJobType; payload: Record<string, unknown> },
): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('job')
    .values({
      team_id: job.teamId,
      id,
      type: job.type,
      status: 'pending',
      payload: JSON.stringify(job.payload),
      due_at: tx.now,
      created_at: tx.now,
      finished_at: null,
    })
    .execute()
  tx.enqueue(workOf(job.type))
  return id
}

/** Makes a job that has already failed (C1). */
export async function insertFailedJob(
  tx: Tx,
  job: { teamId: string; type: JobType; payload: Record<string, unknown>; error: JobError },
): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('job')
    .values({
      team_id: job.teamId,
      id,
      type: job.type,
      status: 'failed',
      payload: JSON.stringify(job.payload),
      error: JSON.stringify(job.error),
      due_at: tx.now,
      created_at: tx.now,
      finished_at: tx.now,
    })
    .execute()
  return id
}

/** Makes a job that is over when it is made (JOB-08): done inside its request, well or badly. */
export async function insertFinalJob(
  tx: Tx,
  job: {
    teamId: string
    type: AtOnceJobType
    payload: Record<string, unknown>
    outcome: { readonly result: Record<string, unknown> } | { readonly error: JobError }
  },
): Promise<string> {
  const id = tx.newId()
  const ended =
    'result' in job.outcome
      ? { status: 'completed' as const, result: JSON.stringify(job.outcome.result) }
      : { status: 'failed' as const, error: JSON.stringify(job.outcome.error) }
  await tx.db
    .insertInto('job')
    .values({
      team_id: job.teamId,
      id,
      type: job.type,
      payload: JSON.stringify(job.payload),
      ...ended,
      due_at: tx.now,
      created_at: tx.now,
      finished_at: tx.now,
    })
    .execute()
  return id
}

/** Takes the lease of the waiting job of a kind of work whose team was served longest ago; jobs of teams that are not served wait (G129). */
export async function claimJob(
  tx: Tx,
  work: JobWork,
  lease: { owner: string; systemNowMs: number },
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob & { previous: string | null; failures: number }>`
    with picked as (
      select j.team_id, j.id, j.lease_owner from job j
      join team t on t.id = j.team_id and (t.status = 'active' or (t.status = 'trial' and t.trial_ends_at > ${tx.now}))
      left join work_turn w on w.team_id = j.team_id and w.kind = ${work}
      where j.finished_at is null and j.type = any(${[...jobTypes[work]]}) and j.due_at <= ${tx.now} and (j.lease_until_ms is null or j.lease_until_ms < ${lease.systemNowMs})
      order by coalesce(w.served, 0), j.created_at, j.id limit 1 for update of j skip locked
    ), turned as (
      insert into work_turn (team_id, kind, served) select team_id, ${work}, nextval('work_turn_number') from picked
      on conflict (team_id, kind) do update set served = excluded.served
    )
    update job set status = 'running', lease_owner = ${lease.owner}, lease_until_ms = ${lease.systemNowMs + jobLeaseMs}, fence = fence + 1
    from picked where job.team_id = picked.team_id and job.id = picked.id
    returning job.team_id as "teamId", job.id, job.type, job.payload, job.attempts, job.unexpected_failures as failures, job.fence, picked.lease_owner as previous`.execute(
    tx.db,
  )
  if (!rows[0]) return undefined
  const { previous, failures, ...job } = rows[0]
  addLogContext({ teamId: job.teamId, jobId: job.id })
  takeInHand(tx, { sort: 'job', teamId: job.teamId, id: job.id, fence: job.fence, failures }, job.fence - 1)
  if (previous !== null) tx.count('leases_taken_over', work)
  return job
}

/** True, with the row locked, while the claim is still ours. */
export async function lockJob(tx: Tx, job: JobName & { readonly fence: number }): Promise<boolean> {
  const { rows } =
    await sql`select 1 from job where team_id = ${job.teamId} and id = ${job.id} and fence = ${job.fence} and finished_at is null for update`.execute(
      tx.db,
    )
  if (rows.length === 0) tx.count('leases_lost', 'job')
  return rows.length > 0
}

/** Ends a locked job well. */
export async function completeJob(tx: Tx, job: ClaimedJob, result: Record<string, unknown>): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({
      status: 'completed',
      result: JSON.stringify(result),
      finished_at: tx.now,
      lease_owner: null,
      lease_until_ms: null,
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
      lease_owner: null,
      lease_until_ms: null,
    })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.id)
    .execute()
}

/** Puts a locked job off. */
export async function postponeJob(tx: Tx, job: ClaimedJob, dueAt: Date): Promise<void> {
  await tx.db
    .updateTable('job')
    .set({ attempts: job.attempts + 1, due_at: dueAt, lease_owner: null, lease_until_ms: null })
    .where('team_id', '=', job.teamId)
    .where('id', '=', job.id)
    .execute()
}

/** Records an unexpected failure under the fence: the job is put off until `dueAt`, or it has failed with 500. */
export async function recordUnexpectedOfJob(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  if (!(await lockJob(tx, work))) return 'lost'
  if (dueAt === null) {
    await failJob(tx, work, {
      status: 500,
      code: 'internal_error',
      error: 'The service failed to do this, five times over; ask for it again, and tell us when that fails too',
    })
    return 'ended'
  }
  await tx.db
    .updateTable('job')
    .set({ unexpected_failures: work.failures + 1, due_at: dueAt, lease_owner: null, lease_until_ms: null })
    .where('team_id', '=', work.teamId)
    .where('id', '=', work.id)
    .execute()
  return 'put_off'
}

/** True when a job of a kind of work waits to be picked. */
export const jobsDue = (work: JobWork, now: Date, systemNowMs: number): Condition => sql<boolean>`
  exists (select 1 from job j join team t on t.id = j.team_id and (t.status = 'active' or (t.status = 'trial' and t.trial_ends_at > ${now}))
    where j.finished_at is null and j.type = any(${[...jobTypes[work]]}::text[]) and j.due_at <= ${now} and (j.lease_until_ms is null or j.lease_until_ms < ${systemNowMs}))`

/** Frees every lease: an embedded service that boots is alone. */
export async function releaseJobLeases(tx: Tx): Promise<void> {
  await sql`update job set lease_owner = null, lease_until_ms = null where finished_at is null and lease_until_ms is not null`.execute(
    tx.db,
  )
}

/** A job, or a sync seen as one, as polled. */
export type PolledJob = {
  id: string
  type: JobType | 'sync'
  status: 'pending' | 'running' | 'completed' | 'failed'
  result: Record<string, unknown> | null
  error: JobError | null
  createdAt: Date
  finishedAt: Date | null
}

/** Finds a job by id; a sync is a job too, final once its capture has ended (G32). */
export async function findJob(db: Reader, teamId: string, id: string): Promise<PolledJob | undefined> {
  const { rows } = await sql<PolledJob>`
    select id, type, status, result, error, created_at as "createdAt", finished_at as "finishedAt" from job where team_id = ${teamId} and id = ${id}
    union all
    select id, 'sync',
      case state when 'queued' then 'pending' when 'capturing' then 'running' when 'captured' then 'completed' else 'failed' end,
      case when state = 'captured' then jsonb_build_object('syncId', id, 'sourceId', source_id, 'stoppedBy', stopped_by, 'creditsSpent', credits_spent, 'leadRowsCaptured', lead_rows) end,
      case state
        when 'failed' then jsonb_strip_nulls(jsonb_build_object('status', case error_code when 'subscription_inactive' then 403 when 'internal_error' then 500 else 502 end, 'error', coalesce(error_text, 'The sync failed'), 'code', error_code))
        when 'untracked' then jsonb_build_object('status', 409, 'error', 'The source was untracked while the sync ran', 'code', 'untracked') end,
      created_at, finished_at from sync where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0]
}
