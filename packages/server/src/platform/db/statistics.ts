/**
 * What the planner knows of tables that have grown. PostgreSQL looks by itself once a minute or more seldom, and until then takes a
 * table that was empty a moment ago to be tiny: statements that should find ten rows by their keys read the whole of a team, and
 * those that a connection has prepared keep that plan. So a table is looked at again each time it has doubled.
 */
import { sql, type Kysely } from 'kysely'
import type { Condition } from './conditions.ts'
import type { Database } from './schema.ts'

/** Smaller tables are read as quickly as any index: half a megabyte. */
const smallestPages = 64

const grown = sql`
  pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and pg_has_role(c.relowner, 'member')
    and pg_relation_size(c.oid) > greatest(2 * c.relpages, ${smallestPages}::int)::bigint
      * current_setting('block_size')::bigint`

/** True while a table is more than twice as large as when it was last looked at. */
export const tablesHaveGrown = (): Condition => sql<boolean>`exists (select 1 from ${grown})`

/** Looks at tables that have grown; one that is being vacuumed or looked at already is passed over. Answers how many had. */
export async function analyzeGrown(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from ${grown} order by c.relname`.execute(db)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
  return rows.length
}
