/** Teams, and the SQL that reads and writes them. */
import { sql, type Generated, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import { camelKeys, type CamelKeys, type Fixed } from '../../platform/db/columns.ts'
import { plannedOnce } from '../../platform/db/prepared.ts'
import { queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { RateLimits } from './rules/rate.ts'

export type TeamTable = {
  id: Fixed<string>
  name: string
  plan: string
  status: 'active' | 'trial' | 'expired'
  trial_ends_at: Date | null
  reads_limit: number
  writes_limit: number
  untracked_posts_limit: number
  keyword_daily_ceiling: number
  /** Most lead rows; null: no limit. */
  lead_cap: number | null
  capture_allowed: boolean
  source_cap: Generated<number>
  /** Most data vendor calls per UTC day; null: by status. */
  vendor_calls_per_day: number | null
  /** `closed_at` and `ends_at` (when its rows are deleted) are null while the team is open. */
  closed_at: Generated<Date | null>
  ends_at: Generated<Date | null>
  ending: Generated<boolean>
  data_key: Buffer
  signing_secret: Buffer
  previous_signing_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Fixed<Date>
  shard: Generated<string>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    team: TeamTable
  }
}

const columns = [
  'id',
  'name',
  'plan',
  'status',
  'trial_ends_at',
  'reads_limit',
  'writes_limit',
  'untracked_posts_limit',
  'keyword_daily_ceiling',
  'lead_cap',
  'capture_allowed',
  'source_cap',
  'vendor_calls_per_day',
  'created_at',
  'closed_at',
  'ends_at',
] as const

export const teamColumns = columns.map((column) => `t.${column}`).join(', ')

export type TeamRow = Pick<Selectable<TeamTable>, (typeof columns)[number]>

type Limits = { readonly readsLimit: number; readonly writesLimit: number; readonly untrackedPostsLimit: number }

/** A team without its secrets. */
export type Team = Omit<CamelKeys<TeamRow>, keyof Limits> & {
  readonly limits: RateLimits & { readonly untrackedPosts: number }
}

/** Maps a row, which may have other columns too. */
export function teamOf(row: TeamRow): Team {
  const facts = Object.fromEntries(columns.map((column) => [column, row[column]])) as TeamRow
  const { readsLimit: reads, writesLimit: writes, untrackedPostsLimit: untrackedPosts, ...team } = camelKeys(facts)
  return { ...team, limits: { reads, writes, untrackedPosts } }
}

/** A team by id; null when there is none. */
export async function findTeam(db: Reader, id: string): Promise<Team | null> {
  const row = await db.selectFrom('team').select(columns).where('id', '=', id).executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Team names by id, for operator pages. */
export async function readTeamNames(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A team by id, locked until the unit ends; first in the lock order. Rows that refer to the team can still be inserted. */
export async function lockTeam(tx: Tx, id: string): Promise<Team | null> {
  const row = await tx.db.selectFrom('team').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Inserts a team. */
export async function insertTeam(tx: Tx, row: Insertable<TeamTable>): Promise<void> {
  await tx.db.insertInto('team').values(row).execute()
}

/** Updates columns of a team. */
export async function updateTeam(tx: Tx, id: string, change: Updateable<TeamTable>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.db.updateTable('team').set(change).where('id', '=', id).execute()
}

/** Default daily vendor calls of a team: in a free trial, and otherwise. */
export const teamCallsPerDay = { trial: 5_000, other: 100_000 }

/** SQL: rows `(team_id, most)` for those of these teams that exist, for the statement that counts calls. */
export const maxVendorCalls = (teamIds: readonly string[]): RawBuilder<{ team_id: string; most: number }> => sql<{
  team_id: string
  most: number
}>`
  select t.id as team_id, coalesce(t.vendor_calls_per_day, case t.status when 'trial' then ${teamCallsPerDay.trial}::int
      else ${teamCallsPerDay.other}::int end) as most
  from team t where t.id = any(${teamIds}::uuid[])`

/** The shards of these teams; unknown teams are left out. */
export async function findShards(db: Reader, teamIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (teamIds.length === 0) return new Map()
  const { rows } = await plannedOnce(
    sql<{ id: string; shard: string }>`select id, shard from team where id = any(${[...teamIds]}::uuid[])`,
  ).execute(db)
  return new Map(rows.map(({ id, shard }) => [id, shard]))
}

/** The shard with the fewest teams. */
export const findEmptiestShard = async (db: Reader, shards: readonly string[]): Promise<string> =>
  (await queryValue<string>(db)`
    select s.shard from unnest(${[...shards]}::text[]) as s (shard) left join team t on t.shard = s.shard
    group by s.shard order by count(t.id), s.shard limit 1`)!
