/** Rows that are worked on: what the engine knows about a table of them, and the conditions that follow from it. */
import { sql, type RawBuilder } from 'kysely'
import { currentShard, isInThisShard, onlyShard } from '../db/shards.ts'
import type { JobKind } from '../../job-catalog.ts'
import type { TaskName } from '../task-context.ts'
import type { Reader } from '../db/tx.ts'
import { sampleTeamId } from '../sample-team.ts'

/**
 * Rows of one table that are worked on, as data. Every table has `team_id` and `due_at` (service time); those that are leased have
 * `lease_owner`, `lease_until_ms` (system time), `fence` and `unexpected_failures` as well. SQL here names a row `w`.
 */
export type WorkRows = {
  readonly kind: JobKind
  /** What a claimed row is called in the log, in `kept_answer`, and where its unexpected failures are recorded (task-context.ts). */
  readonly taskName: TaskName | 'delivery'
  readonly table: string
  /** The column that names a row within its team. */
  readonly key: string
  readonly keyType: 'uuid' | 'text'
  /** A row that is not over and belongs to this kind. */
  readonly open: RawBuilder<boolean>
  /** When a row is due, where that is not its column; null: not yet. Such rows are few in a team, for they are sorted. */
  readonly dueAt?: RawBuilder<Date | null>
  /** Of rows that wait while their team is not served: true of one that goes on all the same, if only to be ended, since work on it began. */
  readonly begun?: RawBuilder<boolean>
  /** What else has to hold for a team `t` before its rows are worked on. */
  readonly teams?: RawBuilder<boolean>
  /** All its rows go on whether their team is served or not: they cost nothing, or finish what was paid for. */
  readonly always?: boolean
  /** How the fence of a leased row moves: `unique` where a row comes and goes, so that no fence is used twice. */
  readonly fence: 'counted' | 'unique' | 'unleased'
  /**
   * A row that is due and free may still have to wait for others of its team that are under way: an endpoint takes few attempts at once.
   * Such a team is put to rest although something is due, and looked at again when a lease ends or may have run out.
   */
  readonly limited?: boolean
}

/** Declares rows that are worked on. */
export const defineRows = <const R extends WorkRows>(rows: R): R => rows

/** Who leases, and until when, in system time. */
export type Lease = { readonly processId: string; readonly nowMs: number; readonly untilMs: number }

/** How long a lease lasts, in system time; what is asked of others outside ends well before. */
export const leaseMs = 60_000

/** A lease that begins now. */
export const leaseOf = (processId: string, nowMs: number): Lease => ({ processId, nowMs, untilMs: nowMs + leaseMs })

/** What ends a lease, for statements of a module that end it with what they write. */
export const noLease = { lease_owner: null, lease_until_ms: null } as const

/** SQL: when row `w` is due. */
export const dueAtOf = (rows: WorkRows): RawBuilder<Date | null> => rows.dueAt ?? sql`w.due_at`

/** SQL: row `w` is in nobody's hands. */
export const isFree = (rows: WorkRows, nowMs: number): RawBuilder<boolean> =>
  rows.fence === 'unleased'
    ? sql<boolean>`true`
    : sql<boolean>`(w.lease_until_ms is null or w.lease_until_ms <= ${nowMs})`

/** SQL: row `w` of team `t` may be worked on. */
export const isAllowed = (rows: WorkRows, now: Date): RawBuilder<boolean> => {
  if (rows.always) return openTeam
  const served = rows.teams ? sql<boolean>`${rows.teams} and ${servedTeam(now)}` : servedTeam(now)
  return rows.begun ? sql<boolean>`(${openTeam} and (${rows.begun} or ${served}))` : sql<boolean>`(${served})`
}

/** SQL: row `w` of team `t` can be claimed. */
export const isClaimable = (rows: WorkRows, now: Date, nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`${rows.open} and ${dueAtOf(rows)} <= ${now} and ${isFree(rows, nowMs)} and ${isAllowed(rows, now)}`

/** SQL: true of `team t` that is not closed: nothing at all is worked on for one that is, and all of it goes on when it is restored. */
export const openTeam: RawBuilder<boolean> = sql<boolean>`t.closed_at is null`

export async function listClosedTeams(db: Reader): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.id from team t where not ${openTeam}`.execute(db)
  return rows.map(({ id }) => id)
}

/** SQL: true of an open `team t` with an active subscription or an unexpired trial at `now`; never of the sample team. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})
      and ${openTeam} and t.id <> ${sampleTeamId}::uuid)`

/** SQL: the team `t` of a row of work `w`, for `servedTeam`; where there are several shards, only of a team that is in this one. */
export const joinTeam = (): RawBuilder<unknown> =>
  sql`join team t on t.id = w.team_id ${currentShard() === onlyShard ? sql`` : sql`and ${isInThisShard()}`}`

/** SQL: the teams that may have work, in the order of their ids, behind `after`; at most `most`. */
export const teamsBehind = (after: string | null, most: number): RawBuilder<unknown> => sql`
  select t.* from team t where t.id <> ${sampleTeamId}::uuid and ${isInThisShard()}
  and ${after === null ? sql`true` : sql`t.id > ${after}::uuid`} order by t.id limit ${most}`
