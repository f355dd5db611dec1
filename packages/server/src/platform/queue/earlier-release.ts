/**
 * Nudges for workers of the release before, while both run (decision 0002): they hear of work by rows of pg-boss, whose schema that
 * release made and makes again when it is missing. A release later this file goes, and a migration drops the schema.
 */
import { sql, type Kysely } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Database } from '../db/schema.ts'

/** Whether a release that speaks by pg-boss has ever run on this database. */
export async function hasEarlierQueue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pgboss.job') is not null as found`.execute(db)
  return rows[0]!.found
}

/** One waiting row a kind at most, and what was fetched is deleted: nobody else cleans up once that release is gone. */
export async function tellEarlierRelease(db: Kysely<Database>, kinds: readonly JobKind[]): Promise<void> {
  await sql`
    with fetched as (delete from pgboss.job where state = 'completed'),
    written as (
      insert into pgboss.job (name, retry_limit)
      select q.name, 0 from pgboss.queue q where q.name = any(${[...kinds]}::text[])
        and not exists (select 1 from pgboss.job j where j.name = q.name and j.state = 'created')
      returning name)
    select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), name) from written`.execute(db)
}
