/** Types for removing old rows in batches; the rules themselves are in `worker/retention`. */
import type { Tx } from './db/tx.ts'

const dayMs = 86_400_000

/** The instant before which rows are removed. */
export const keptSince = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/** One batch: at most `limit` rows of a team older than `before`; `place`: where the previous batch stopped. */
export type PurgeAsked = {
  readonly teamId: string
  readonly before: Date
  readonly limit: number
  readonly place: string | null
}

/** The result of a batch. `more`: there may be more rows; `place`: where they begin, for rules that walk a table. */
export type Purged = { readonly removed: number; readonly more: boolean; readonly place?: string }

/** Removes one batch of one team in a unit of work; after a rollback the same batch is asked for again. */
export type PurgeTeam = (tx: Tx, asked: PurgeAsked) => Promise<Purged>

/** The result of a statement that removes the oldest rows first. */
export const batchOf = (removed: number, limit: number): Purged => ({ removed, more: removed >= limit })
