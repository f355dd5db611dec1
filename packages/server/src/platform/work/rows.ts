import { sql, type RawBuilder } from 'kysely'
import { currentShard, isInThisShard, onlyShard } from '../db/shards.ts'
import type { JobKind } from '../../job-catalog.ts'
import type { RowKind } from '../task-context.ts'
import { queryColumn } from '../db/query.ts'
import type { Reader } from '../db/tx.ts'
import { sampleTeamId } from '../sample-team.ts'

/**
 * A table of work as data. Its columns: `team_id`, `due_at` (service time); for leased rows also `lease_owner`, `lease_until_ms`
 * (system time), `fence` and `unexpected_failures`. SQL here calls a row `w` and its team `t`.
 */
export type WorkRows = {
  readonly kind: JobKind
  /** The row's name in logs, in `kept_answer`, and for recording failures (task-context.ts). */
  readonly rowKind: RowKind | 'delivery'
  readonly table: string
  readonly key: string
  readonly keyType: 'uuid' | 'text'
  readonly open: RawBuilder<boolean>
  /** When a row is due, where that is not its column; null: not yet. Only for few rows per team, since they are sorted. */
  readonly dueAt?: RawBuilder<Date | null>
  /** Work on the row has begun, so it continues, if only to be ended, while the team is not served. */
  readonly begun?: RawBuilder<boolean>
  readonly teams?: RawBuilder<boolean>
  /** Rows continue while their team is not served: they cost nothing, or finish what was paid for. */
  readonly always?: boolean
  /** `unique`: a row may be deleted and made again, so no fence may be used twice. */
  readonly fence: 'counted' | 'unique' | 'unleased'
  /** A due row may have to wait for leased ones, as an endpoint takes few at once: the team rests until a lease has ended. */
  readonly limited?: boolean
}

/** Declares rows of work. */
export const defineRows = <const R extends WorkRows>(rows: R): R => rows

/** `untilMs` is system time. */
export type Lease = { readonly processId: string; readonly nowMs: number; readonly untilMs: number }

/** Outside calls end well before a lease does. */
export const leaseMs = 60_000

/** A lease from now on. */
export const leaseOf = (processId: string, nowMs: number): Lease => ({ processId, nowMs, untilMs: nowMs + leaseMs })

/** Ends a lease in a module's own statements. */
export const noLease = { lease_owner: null, lease_until_ms: null } as const

/** SQL: when row `w` is due. */
export const dueAtOf = (rows: WorkRows): RawBuilder<Date | null> => rows.dueAt ?? sql`w.due_at`

/** SQL: row `w` is not leased. */
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

/** SQL: team `t` is not closed. A closed team's work stops entirely, and continues when it is restored. */
export const openTeam: RawBuilder<boolean> = sql<boolean>`t.closed_at is null`

/** The ids of closed teams. */
export const listClosedTeams = (db: Reader) => queryColumn<string>(db)`select t.id from team t where not ${openTeam}`

/** SQL: open team `t` has a subscription or an unexpired trial at `now`; never the sample team. */
export const servedTeam = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`((t.status = 'active' or t.status = 'trial' and t.trial_ends_at > ${now})
      and ${openTeam} and t.id <> ${sampleTeamId}::uuid)`

/** SQL: joins team `t` of row `w`; with several shards, only a team of this one. */
export const joinTeam = (): RawBuilder<unknown> =>
  sql`join team t on t.id = w.team_id ${currentShard() === onlyShard ? sql`` : sql`and ${isInThisShard()}`}`

/** SQL: the next teams that may have work, by id after `after`. */
export const teamsBehind = (after: string | null, most: number): RawBuilder<unknown> => sql`
  select t.* from team t where t.id <> ${sampleTeamId}::uuid and ${isInThisShard()}
  and ${after === null ? sql`true` : sql`t.id > ${after}::uuid`} order by t.id limit ${most}`
