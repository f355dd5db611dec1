/** What shards hold, for the operator: teams, rows and sizes, and which teams to move so that they hold alike. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { countRows } from './copy.ts'
import { MoveRefused } from './moves.ts'
import { readShardTables } from './tables.ts'

type Handle = Kysely<Database>

/** A shard as it is shown. */
export type ShardSize = {
  readonly shard: string
  readonly teams: number
  /** As the planner of the database has them. */
  readonly rows: number
  readonly bytes: number
  /** False when its tables could not be read within two seconds. */
  readonly answers: boolean
}

const askedMs = 2_000

/** True when every table of teams can be read within the time that is given to it. */
async function answersInTime(db: Handle, shard: string): Promise<boolean> {
  const tables = await readShardTables(db, shard)
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(askedMs)}, true)`.execute(tx)
      const each = tables.map(({ name }) => sql`exists (select 1 from ${sql.table(`${shard}.${name}`)})`)
      await sql`select ${sql.join(each)}`.execute(tx)
      return true
    })
  } catch {
    return false
  }
}

/** Looks at shards, all at once. */
export async function readShards(db: Handle, shards: readonly string[]): Promise<readonly ShardSize[]> {
  const { rows } = await sql<Omit<ShardSize, 'answers'>>`
    select s.shard, (select count(*)::integer from public.team t where t.shard = s.shard) as teams,
      coalesce(sum(greatest(c.reltuples, 0)) filter (where c.relkind = 'r'), 0)::float8 as rows,
      coalesce(sum(c.relpages), 0)::float8 * current_setting('block_size')::float8 as bytes
    from unnest(${[...shards]}::text[]) with ordinality s (shard, place)
    left join pg_class c on c.relnamespace = to_regnamespace(s.shard) and c.relkind in ('r', 'i')
    group by s.shard, s.place order by s.place`.execute(db)
  return Promise.all(rows.map(async (row) => ({ ...row, answers: await answersInTime(db, row.shard) })))
}

/** Rows that are compared in a second under a seal, on a machine with two slow processors; for estimates. */
const comparedASecond = 100_000

/** What a move would take along: rows by table, and for how long the team would be sealed at most, in seconds. */
export async function foresee(db: Handle, teamId: string, shard: string) {
  const counts = await countRows(db, { teamId, schema: shard }, await readShardTables(db, shard))
  const rows = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return { counts, rows, sealedSeconds: 0.2 + rows / comparedASecond }
}

/** A move that is proposed. */
export type Proposed = { readonly teamId: string; readonly from: string; readonly to: string; readonly weight: number }

/** A team of a shard; `movable`: it is not closed, and no move of it is under way. */
type Weighed = { readonly teamId: string; readonly weight: number; readonly movable: boolean }

/** What a team weighs: rows of the tables that are most of it. */
async function weigh(db: Handle, shard: string, by: 'teams' | 'rows'): Promise<readonly Weighed[]> {
  const tables = ['lead', 'credit_entry', 'delivery', 'person']
  const counts = tables.map(
    (name) => sql`coalesce((select count(*) from ${sql.table(`${shard}.${name}`)} r where r.team_id = t.id), 0)`,
  )
  const weight = by === 'teams' ? sql`1` : sql`1 + ${sql.join(counts, sql` + `)}`
  const { rows } = await sql<Weighed>`
    select t.id as "teamId", (${weight})::float8 as weight, t.ends_at is null
      and not exists (select 1 from public.team_move m where m.team_id = t.id and m.ended_at is null) as movable
    from public.team t where t.shard = ${shard}
    order by 2, 1`.execute(db)
  return rows
}

/**
 * Which teams to move so that shards hold about the same: from the heaviest to the lightest, each time the team that brings them closest,
 * until no move does.
 */
export async function proposeMoves(
  db: Handle,
  shards: readonly string[],
  by: 'teams' | 'rows',
): Promise<readonly Proposed[]> {
  if (shards.length < 2) throw new MoveRefused('there is one shard: nothing can be spread')
  const held = new Map<string, Weighed[]>()
  for (const shard of shards) held.set(shard, [...(await weigh(db, shard, by))])
  const weightOf = (shard: string): number => held.get(shard)!.reduce((sum, { weight }) => sum + weight, 0)
  const proposed: Proposed[] = []
  for (;;) {
    const sorted = shards.toSorted((a, b) => weightOf(a) - weightOf(b))
    const [to, from] = [sorted[0]!, sorted.at(-1)!]
    const gap = weightOf(from) - weightOf(to)
    // A move narrows the gap as long as the team weighs less than it; most when it weighs half of it.
    const [best] = held
      .get(from)!
      .filter(({ weight, movable }) => movable && weight < gap)
      .toSorted((a, b) => Math.abs(gap / 2 - a.weight) - Math.abs(gap / 2 - b.weight))
    if (best === undefined || proposed.some(({ teamId }) => teamId === best.teamId)) return proposed
    held.set(
      from,
      held.get(from)!.filter((team) => team !== best),
    )
    held.get(to)!.push(best)
    proposed.push({ teamId: best.teamId, from, to, weight: best.weight })
  }
}
