/** SQL that keeps what sources yield: `source_yield` is written here, `source_yield_due` by triggers, and emptied here. */
import { sql, type RawBuilder } from 'kysely'
import type { Condition } from '../../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../../platform/sample-team.ts'
import { yieldStages, yieldsOf } from './sums.ts'

const summed = [...yieldStages, 'credits']
const columns = sql.join(summed.map((name) => sql.ref(name)))

/** True when some team has sources whose sums are to be made anew. */
export const yieldsDue = (): Condition =>
  sql<boolean>`exists (select 1 from source_yield_due where team_id <> ${sampleTeamId}::uuid)`

/** Teams with sources whose sums are to be made anew, without these. */
export async function listTeamsToSum(db: Reader, without: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ teamId: string }>`
    select distinct team_id as "teamId" from source_yield_due
    where team_id <> all(${[...without]}::uuid[]) limit ${limit}`.execute(db)
  return rows.map(({ teamId }) => teamId)
}

/** Owners of leads of a team whose sums no longer say what their leads, charges and sends do. */
export async function listOwnersToSum(db: Reader, teamId: string, limit: number | null = null): Promise<string[]> {
  const { rows } = await sql<{ ownerId: string }>`
    select distinct owner_id as "ownerId" from source_yield_due
    where team_id = ${teamId} ${limit === null ? sql`` : sql`order by 1 limit ${limit}`}`.execute(db)
  return rows.map(({ ownerId }) => ownerId)
}

/**
 * Makes the sums of owners anew, as of the first instant of a UTC day. One statement counts, writes, and takes away the
 * notes it has seen: what commits meanwhile keeps a note of its own. Only one unit does so for a team at a time, so that
 * none writes what it counted before another did.
 */
export async function sumUp(
  tx: Tx,
  { teamId, ownerIds, since }: { readonly teamId: string; readonly ownerIds: readonly string[]; readonly since: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`source yields|${teamId}`}, 0))`.execute(tx.db)
  const changed = sql.join(summed.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))
  await sql`
    with fresh as materialized (${yieldsOf(teamId, ownerIds, since)}),
    noted as (
      delete from source_yield_due where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[])
    ), gone as (
      delete from source_yield y where y.team_id = ${teamId} and y.owner_id = any(${[...ownerIds]}::uuid[])
      and not exists (select 1 from fresh f where f.owner_id = y.owner_id and f.day = y.day)
    )
    insert into source_yield (team_id, owner_id, day, ${columns})
    select ${teamId}, owner_id, day, ${columns} from fresh
    on conflict (team_id, owner_id, day) do update set ${changed}`.execute(tx.db)
}

/**
 * SQL: `owner_id`, the people charged since the first instant of a UTC day by how far they have come, and `credits`, of
 * all owners of leads of a team: from the sums, and counted where those are not of now.
 */
export function yieldsSince(teamId: string, since: Date, counted: readonly string[]): RawBuilder<unknown> {
  const sums = sql.join(yieldStages.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  return sql`
    select owner_id, ${sums}, sum(credits) as credits from (
      select owner_id, ${columns} from source_yield
      where team_id = ${teamId} and day >= (${since}::timestamptz at time zone 'UTC')::date
        and owner_id <> all(${[...counted]}::uuid[])
      union all
      select owner_id, ${columns} from (${yieldsOf(teamId, counted, since)}) counted
    ) days group by owner_id`
}
