/**
 * The migrations, in order. Rules for the next one:
 *
 * - A file `NNNN-what-is-now-true.ts` with `shared` and `teams`, registered here; never edit one that has landed. `teams` runs in
 *   each shard, so it names no schema.
 * - It runs in one transaction when the first process starts, while processes of the previous release still work. So it only adds
 *   what they can ignore: a column with a constant default or none, a table, an index of a small table.
 * - Renaming or narrowing takes two releases: add the new, write both and read the new; drop the old in the next.
 * - CHECK and FOREIGN KEY: `add constraint … not valid`, then `validate constraint` as a separate statement.
 * - One statement per text, since Citus takes no two at once (`test/shards/citus.test.ts` shows what it takes).
 * - A table's key begins with `team_id`, one module writes it (`test/architecture/tables.ts`), and `worker/retention/tables.ts`
 *   says how long rows are kept. No default reads a clock or makes an id.
 * - On a table that may hold millions of rows, an index is made by hand before the release, with `create index concurrently if
 *   not exists` (the release notes give the statement), and the migration says `if not exists`.
 */
import * as baseline from './0001-baseline.ts'

/** SQL statements that run in one transaction: `shared` for what all teams share, `teams` in each shard. */
export type Migration = { readonly shared: readonly string[]; readonly teams: readonly string[] }

/** Every migration by name. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
}
