/** Retention settings of teams, and the purges of this module. The only writer of `team_keep`. */
import { sql } from 'kysely'
import { countAffected, queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'
import type { KeepDays, TeamKeepRule } from './rules/keep-days.ts'

/** The team's own retention days. */
export async function readKeepDays(db: Reader, teamId: string): Promise<KeepDays> {
  const rows = await queryAll<{ rule: TeamKeepRule; days: number }>(db)`
    select rule, days from team_keep where team_id = ${teamId} order by rule`
  return Object.fromEntries(rows.map(({ rule, days }) => [rule, days]))
}

/** Sets retention days of a team; null restores the service's value. */
export async function saveKeepDays(
  tx: Tx,
  teamId: string,
  change: Readonly<Partial<Record<TeamKeepRule, number | null | undefined>>>,
): Promise<void> {
  const given = Object.entries(change).filter(([, days]) => days !== undefined)
  const rules = given.map(([rule]) => rule)
  const set = given.filter(([, days]) => days !== null)
  await sql`delete from team_keep where team_id = ${teamId} and rule = any(${rules}::text[])`.execute(tx.db)
  await sql`
    insert into team_keep (team_id, rule, days) select ${teamId}, rule, days
    from unnest(${set.map(([rule]) => rule)}::text[], ${set.map(([, days]) => days)}::integer[]) as given (rule, days)
    on conflict (team_id, rule) do update set days = excluded.days`.execute(tx.db)
}

/** Deletes old audit entries. */
export const purgeAudit: PurgeTeam = async (tx, { teamId, before, limit }) =>
  batchOf(
    await countAffected(tx.db)`
    delete from audit_entry where team_id = ${teamId} and id = any(array(
      select id from audit_entry where team_id = ${teamId} and at < ${before} order by at, id limit ${limit}))`,
    limit,
  )

/** Deletes expired idempotency locks of crashed processes, at most `limit`; returns how many. */
export const purgeFlights = (tx: Tx, systemNowMs: number, limit: number) =>
  countAffected(tx.db)`
    delete from idempotency_flight
    where (team_id, scope) in (select team_id, scope from idempotency_flight
      where until_ms < ${systemNowMs} limit ${limit} for update skip locked)`
