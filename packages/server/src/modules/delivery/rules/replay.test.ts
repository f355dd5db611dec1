import { expect, it } from 'vitest'
import { isReplayable } from './replay.ts'

it(
  'what was sent, has failed or is held may be sent again; what is on its way, was given up, waits for an ' +
    'enrichment or is kept no longer may not',
  () => {
    const states = ['pending', 'sending', 'sent', 'failed', 'held', 'cancelled'] as const
    expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: false, emptied: false }))).toEqual([
      'sent',
      'failed',
      'held',
    ])
    expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: true, emptied: false }))).toEqual([])
    expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: false, emptied: true }))).toEqual([])
  },
)
