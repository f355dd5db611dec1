import { describe, expect, it } from 'vitest'
import { registry } from '../registry.ts'
import { counted, deliveryStates, runState, searchRunInWords, share, stopWord } from './index.ts'

const search = (stoppedBy: string | null, errorCode: string | null = null) =>
  searchRunInWords({ mode: 'engagers', creditCap: 250, lastRun: { stoppedBy, errorCode } })

describe('the last run of a keyword search', () => {
  it.each([
    ['credits', 'Stopped at the cap of 250 credits per run you set'],
    ['budget', 'Stopped: your credits ran out'],
    ['team_cap', 'Stopped: your keyword searches have spent what they may spend in a day'],
    ['exhausted', 'Finished: every post found was worked through'],
    ['error', 'Failed: the network did not answer; it is tried again at the next run'],
    ['ai_error', 'Failed: the AI filter could not judge the posts'],
    ['something_new', 'Finished'],
    [null, 'Finished'],
  ])('that ended %s reads «%s»', (stoppedBy, words) => {
    expect(search(stoppedBy)).toBe(words)
  })
})

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
    expect(Object.keys(deliveryStates)).toEqual(['pending', 'sending', 'sent', 'failed', 'held', 'cancelled'])
  })
})
