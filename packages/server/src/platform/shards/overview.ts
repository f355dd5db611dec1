import { sql, type Kysely } from 'kysely'
import { queryAll } from '../db/query.ts'
import type { Database } from '../db/schema.ts'
import { countRows } from './copy.ts'
import { MoveRefused } from './moves.ts'
import { readShardTables } from './tables.ts'

type Handle = Kysely<Database>

/** The size of a shard; `rows` is the planner's estimate. */
type ShardSize = {
  readonly shard: string
  readonly teams: number
  readonly rows: number
  readonly bytes: number
  /** False when its tables could not be read within two seconds. */
  readonly answers: boolean
}

const askedMs = 2_000

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

/** Sizes of shards, and whether they answer. */
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

/** Rows compared per second under a seal on two slow processors; for estimates. */
const comparedASecond = 100_000

/** What a move would copy, by table, and an upper estimate of the seal in seconds. */
export async function estimateMove(db: Handle, teamId: string, shard: string) {
  const counts = await countRows(db, teamId, shard, await readShardTables(db, shard))
  const rows = Object.values(counts).reduce((sum, each) => sum + each, 0)
  return { counts, rows, sealedSeconds: 0.2 + rows / comparedASecond }
}

type Proposed = { readonly teamId: string; readonly from: string; readonly to: string; readonly weight: number }

/** `movable`: not closed, and not being moved. */
type Weighed = { readonly teamId: string; readonly weight: number; readonly movable: boolean }

/** By rows it weighs the tables that are most of a team. */
async function weigh(db: Handle, shard: string, by: 'teams' | 'rows'): Promise<readonly Weighed[]> {
  const tables = ['lead', 'credit_entry', 'delivery', 'person']
  const counts = tables.map(
    (name) => sql`coalesce((select count(*) from ${sql.table(`${shard}.${name}`)} r where r.team_id = t.id), 0)`,
  )
  const weight = by === 'teams' ? sql`1` : sql`1 + ${sql.join(counts, sql` + `)}`
  return queryAll<Weighed>(db)`
    select t.id as "teamId", (${weight})::float8 as weight, t.ends_at is null
      and not exists (select 1 from public.team_move m where m.team_id = t.id and m.ended_at is null) as movable
    from public.team t where t.shard = ${shard}
    order by 2, 1`
}

/** Proposes moves that even out shards: each time, from the heaviest to the lightest, the team that narrows the gap most. */
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
    // A team lighter than the gap narrows it, most at half of it.
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
