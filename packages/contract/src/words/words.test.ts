import { describe, expect, it } from 'vitest'
import { registry } from '../registry.ts'
import { counted, deliveryStates, runState, share, stopWord } from './index.ts'

describe('words', () => {
  it('a share has one way to be rounded, and none of nothing', () => {
    expect([share(1, 8), share(129, 1_000), share(2, 2), share(0, 3), share(1, 0)]).toEqual([
      '12.5%',
      '12.9%',
      '100%',
      '0%',
      '–',
    ])
  })
  it('a number goes with its noun', () => {
    expect([counted(1, 'lead'), counted(1_200, 'lead'), counted(2, 'person', 'people')]).toEqual([
      '1 lead',
      '1,200 leads',
      '2 people',
    ])
  })
  it('what has no word is shown as it is', () => {
    expect([runState('new_state').text, stopWord('new_reason'), stopWord(null)]).toEqual([
      'new_state',
      'new_reason',
      null,
    ])
  })
  it('every state that the interface tells of a run has a word of its own', () => {
    const status = registry.find(({ id }) => id === 'getSourceSync')!
    const { state } = (status.success as unknown as { shape: { state: { options: readonly string[] } } }).shape
    expect(state.options.length).toBeGreaterThan(3)
    for (const each of state.options) expect(runState(each).text).not.toBe(each)
    expect(Object.keys(deliveryStates)).toEqual([
      'pending',
      'sending',
      'sent',
      'failed',
      'held',
      'cancelled',
      'excluded',
    ])
  })
})
