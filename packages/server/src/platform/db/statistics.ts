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

/** Fewer rows than these are nothing to look again for. */
const fewestRows = 2_000

/**
 * Rows that changed since a table was looked at are counted when they are committed. Its size is no measure: it grows while a load is
 * under way, of which a look sees nothing, and would say ever after that the table is large and empty.
 */
const grown = sql`
  pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and pg_has_role(c.relowner, 'member')
    and pg_stat_get_mod_since_analyze(c.oid) > greatest(c.reltuples, ${fewestRows}::real)
    and pg_relation_size(c.oid) > ${smallestPages}::bigint * current_setting('block_size')::bigint`

/** True while more rows of a table have changed since it was last looked at than it had then. */
export const tablesHaveGrown = (): Condition => sql<boolean>`exists (select 1 from ${grown})`

/** Looks at tables that have grown; one that is being vacuumed or looked at already is passed over. Answers how many had. */
export async function analyzeGrown(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from ${grown} order by c.relname`.execute(db)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
  return rows.length
}
