/** Old rows are removed in batches: what a batch is asked, and what it came to. What is kept how long is no matter of this folder. */
import type { Tx } from './db/tx.ts'

const dayMs = 86_400_000

/** The instant before which a rule keeps nothing. */
export const keptSince = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/** What a batch of a rule is asked: at most `limit` rows of a team from before `before`; `place`: where the batch before it stopped. */
export type PurgeAsked = {
  readonly teamId: string
  readonly before: Date
  readonly limit: number
  readonly place: string | null
}

/** What a batch came to. `more`: there may be others; `place`: where they begin, for a rule that walks a table. */
export type Purged = { readonly removed: number; readonly more: boolean; readonly place?: string }

/** Removes one batch of one team in a unit of work; a batch that is undone is asked for again. */
export type PurgeTeam = (tx: Tx, asked: PurgeAsked) => Promise<Purged>

/** A batch of a statement that takes the oldest rows first. */
export const batchOf = (removed: number, limit: number): Purged => ({ removed, more: removed >= limit })
