/** The tables that the module `jobs` writes, as types. */
import type { ColumnType, Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../platform/db/columns.ts'

/** Row of `job`. */
export type JobTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<
    | 'enrich_profile'
    | 'enrich_company'
    | 'profile_posts'
    | 'company_posts'
    | 'post_reactions'
    | 'post_comments'
    | 'post_company_comments'
  >
  status: 'pending' | 'running' | 'completed' | 'failed'
  payload: Json<Record<string, unknown>>
  result: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  error: ColumnType<{ status: number; error: string; code?: string } | null, string | null | undefined, string | null>
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
