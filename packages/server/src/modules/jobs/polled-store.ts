/** SQL of jobs as callers poll them: those of the table `job`, and runs seen as jobs. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { JobError, JobType } from './store.ts'

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
