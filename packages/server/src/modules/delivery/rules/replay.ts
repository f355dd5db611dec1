/** What a person may have sent again: only deliveries that have ended. */

/** A delivery as the judgement sees it. */
export type EndedDelivery = {
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  readonly awaitsEnrichment: boolean
  /** Its bytes are kept no longer. */
  readonly emptied: boolean
}

/** The states that a replay takes up. */
export const replayableStates = ['sent', 'failed', 'held'] as const

/** Deliveries that one replay takes up at most. */
export const maxReplayed = 10_000

/**
 * True for a delivery that a replay takes up; one under way goes anyway, one given up stays so, one that waits for an
 * enrichment has no bytes yet, and an old one none any more.
 */
export const isReplayable = ({ state, awaitsEnrichment, emptied }: EndedDelivery): boolean =>
  (replayableStates as readonly string[]).includes(state) && !awaitsEnrichment && !emptied
