import { sql, type Kysely } from 'kysely'
import { queryAll, queryOne } from '../db/query.ts'
import type { Database } from '../db/schema.ts'

type Handle = Kysely<Database>

export type OpenMove = {
  readonly teamId: string
  readonly from: string
  readonly to: string
  readonly state: 'copying' | 'switched' | 'undoing'
  readonly rowsCopied: number
  readonly begunAt: Date
  readonly counts: Readonly<Record<string, number>> | null
  readonly switchedAt: Date | null
  readonly ownerUntilMs: number | null
}

const columns = sql`team_id as "teamId", from_shard as "from", to_shard as "to", state, rows_copied as "rowsCopied", begun_at as "begunAt",
  counts, switched_at as "switchedAt", owner_until_ms as "ownerUntilMs"`

/** A refusal whose message says what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}

/** How long a process owns a move; renewed while it works. */
export const ownedMs = 60_000

/** Oldest first. */
export const listOpenMoves = (db: Handle) =>
  queryAll<OpenMove>(db)`
    select ${columns} from public.team_move where ended_at is null order by begun_at, team_id`

/** The team's move that has not ended. */
export const findOpenMove = (db: Handle, teamId: string) =>
  queryOne<OpenMove>(db)`
    select ${columns} from public.team_move where team_id = ${teamId} and ended_at is null`

/** Begins a move. */
export async function insertMove(db: Handle, teamId: string, from: string, to: string, at: Date): Promise<void> {
  await sql`
    insert into public.team_move (team_id, begun_at, from_shard, to_shard, state)
    values (${teamId}, ${at}, ${from}, ${to}, 'copying')`.execute(db)
}

/** Refuses while another process owns the move, or one that died has not lost it yet. */
export async function claimMove(db: Handle, teamId: string, processId: string, nowMs: number): Promise<void> {
  const { rows } = await sql`
    update public.team_move set owner = ${processId}, owner_until_ms = ${nowMs + ownedMs}
    where team_id = ${teamId} and ended_at is null and (owner is null or owner = ${processId} or owner_until_ms <= ${nowMs})
    returning 1`.execute(db)
  if (rows.length === 0)
    throw new MoveRefused(
      `another process is moving the team ${teamId}, or died less than a minute ago: wait for it, or try again in a minute`,
    )
}

/** Changes a move of this process; throws when it no longer owns it. */
export async function changeMove(
  db: Handle,
  teamId: string,
  processId: string,
  change: ReturnType<typeof sql>,
): Promise<void> {
  const { rows } = await sql`
    update public.team_move set ${change} where team_id = ${teamId} and ended_at is null and owner = ${processId}
    returning 1`.execute(db)
  if (rows.length === 0) throw new Error(`the move of the team ${teamId} was taken over by another process`)
}

/** Gives a move up, so that the next process need not wait. */
export async function releaseMove(db: Handle, teamId: string, processId: string): Promise<void> {
  await sql`
    update public.team_move set owner = null, owner_until_ms = null, sealed_until_ms = null
    where team_id = ${teamId} and ended_at is null and owner = ${processId}`.execute(db)
}
