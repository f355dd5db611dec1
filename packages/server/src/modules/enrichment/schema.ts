/** The tables that the module `enrichment` writes, as types. */
import type { Generated } from 'kysely'
import type { Fixed, Lease } from '../../platform/db/columns.ts'

/** Row of `enrichment_task`: a person of a team whose facts are wanted. */
export type EnrichmentTaskTable = Lease & {
  team_id: Fixed<string>
  person_urn: Fixed<string>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    enrichment_task: EnrichmentTaskTable
  }
}
