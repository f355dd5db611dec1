/** Jobs as callers poll them: those of the table `job`, and runs, whose ids are job ids. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { findRunAsJob, type RunAsJob } from '../sources/index.ts'
import type { JobType } from './store.ts'

/** A job, or a sync seen as one, as polled. */
export type PolledJob = Omit<RunAsJob, 'type'> & { readonly type: JobType | RunAsJob['type'] }

/** Finds a job by id; a sync is a job too (G32). */
export async function findJob(db: Reader, teamId: string, id: string): Promise<PolledJob | undefined> {
  const { rows } = await sql<PolledJob>`
    select id, type, status, result, error, created_at as "createdAt", finished_at as "finishedAt" from job
    where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0] ?? (await findRunAsJob(db, teamId, id))
}
