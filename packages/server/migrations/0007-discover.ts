/** Discover runs: their searches, the people weighed, the people found. */
import { sql, type Kysely } from 'kysely'

/** Applies it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = []
