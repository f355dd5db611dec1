import { describe, expect, it } from 'vitest'
import { counted, runState, share, stopWord } from './index.ts'

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
})
