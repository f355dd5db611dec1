/** A run as the job that callers poll: its id is a job id (G32). */
import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'

/** A run as a job; final once its capture has ended. */
export type RunAsJob = {
  readonly id: string
  readonly type: 'sync'
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly result: Record<string, unknown> | null
  readonly error: { readonly status: number; readonly error: string; readonly code?: string } | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** Finds a run of a team by its id. */
export async function findRunAsJob(db: Reader, teamId: string, id: string): Promise<RunAsJob | undefined> {
  const { rows } = await sql<RunAsJob>`
    select id, 'sync' as type,
      case state when 'queued' then 'pending' when 'capturing' then 'running' when 'captured' then 'completed'
      else 'failed' end as status,
      case when state = 'captured' then jsonb_build_object('syncId', id, 'sourceId', source_id, 'stoppedBy', stopped_by,
          'creditsSpent', credits_spent, 'leadRowsCaptured', lead_rows) end as result,
      case state
        when 'failed' then jsonb_strip_nulls(jsonb_build_object('status',
              case error_code when 'subscription_inactive' then 403 when 'internal_error' then 500 else 502 end,
              'error', coalesce(error_text, 'The sync failed'), 'code', error_code))
        when 'untracked' then jsonb_build_object('status', 409, 'error', 'The source was untracked while the sync ran',
            'code', 'untracked') end as error,
      created_at as "createdAt", finished_at as "finishedAt"
    from sync where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0]
}
