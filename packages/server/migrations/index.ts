/**
 * The migrations, in order. Rules for the next one:
 *
 * - A file `NNNN-what-is-now-true.ts` with `shared` and `teams`, registered here. One that has landed is never edited. What is in `teams`
 *   names no schema: it runs in each shard.
 * - It runs in one transaction of its own at the start of the first process, while processes of the release before still work. So it
 *   adds: a column with a constant default or none, a table, an index of a small table. The release before ignores what it does not know.
 * - What is renamed or narrowed takes two releases: add the new, write both and read the new; drop the old in the next one.
 * - CHECK and FOREIGN KEY come as `add constraint … not valid`, then `validate constraint` in a statement of its own.
 * - Each text is one statement, since a Citus takes no two at once (`test/shards/citus.test.ts` shows what it takes).
 * - A table's key leads with `team_id`, one module writes it (`test/architecture/tables.ts`), and it says how long rows are kept
 *   (`worker/retention/tables.ts`). No default reads a clock or makes an id.
 * - An index of a table that may hold millions of rows is made by hand with `create index concurrently if not exists` before the release
 *   (the release notes give the statement); the migration says `if not exists`.
 */
import * as baseline from './0001-baseline.ts'

/** Statements that run whole or not at all: of what all teams share, and of the tables of teams, which each shard has. */
export type Migration = { readonly shared: readonly string[]; readonly teams: readonly string[] }

/** Every migration by its name. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
}
