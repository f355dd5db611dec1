import type { Tx } from './db/tx.ts'

const dayMs = 86_400_000

/** The instant before which rows are removed. */
export const keptSince = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/** At most `limit` rows of a team older than `before`; `place` is where the last batch stopped. */
export type PurgeAsked = {
  readonly teamId: string
  readonly before: Date
  readonly limit: number
  readonly place: string | null
}

/** `more`: there may be further rows, for rules that walk a table from `place` on. */
export type Purged = { readonly removed: number; readonly more: boolean; readonly place?: string }

/** Removes one batch in a unit of work; after a rollback it is asked for again. */
export type PurgeTeam = (tx: Tx, asked: PurgeAsked) => Promise<Purged>

/** The result of a statement that takes the oldest rows first. */
export const batchOf = (removed: number, limit: number): Purged => ({ removed, more: removed >= limit })
