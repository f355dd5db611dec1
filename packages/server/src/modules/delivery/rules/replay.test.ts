import { expect, it } from 'vitest'
import { isReplayable } from './replay.ts'

it('what was sent, failed or held goes again; what is on its way, given up, waiting or no longer kept does not', () => {
  const states = ['pending', 'sending', 'sent', 'failed', 'held', 'cancelled'] as const
  expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: false, emptied: false }))).toEqual([
    'sent',
    'failed',
    'held',
  ])
  expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: true, emptied: false }))).toEqual([])
  expect(states.filter((state) => isReplayable({ state, awaitsEnrichment: false, emptied: true }))).toEqual([])
})
