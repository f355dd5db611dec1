/** A delivery as `isReplayable` judges it. */
export type EndedDelivery = {
  readonly state: 'pending' | 'sending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  readonly awaitsEnrichment: boolean
  /** Its body was purged. */
  readonly emptied: boolean
}

export const replayableStates = ['sent', 'failed', 'held'] as const

export const maxReplayed = 10_000

/** True when a replay may take it: not under way, not cancelled, and with a body. */
export const isReplayable = ({ state, awaitsEnrichment, emptied }: EndedDelivery): boolean =>
  (replayableStates as readonly string[]).includes(state) && !awaitsEnrichment && !emptied
