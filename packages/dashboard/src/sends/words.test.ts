import { describe, expect, it } from 'vitest'
import { secondsUntil, sendLine, unitsOf, type PlannedSend } from './words.ts'

const send: PlannedSend = {
  id: 'an id',
  kind: 'push',
  label: 'crm.example',
  goes: 3,
  state: 'planned',
  counts: { sent: 0, already: 0, undecided: 0, failed: 0 },
  failure: null,
  requestedBy: 'Ann',
  createdAt: '2026-01-01T00:00:00.000Z',
  startsAt: '2026-01-01T00:00:10.000Z',
  finishedAt: null,
  pushIds: [],
}

describe('a send in one line', () => {
  it('names what goes in its own unit', () => {
    expect([unitsOf('push', 1), unitsOf('campaign', 2), unitsOf('replay', 1)]).toEqual([
      '1 lead',
      '2 people',
      '1 delivery',
    ])
  })

  it('says what it is at, and what did not go', () => {
    expect(sendLine(send)).toBe('Sending 3 leads to crm.example')
    expect(sendLine({ ...send, state: 'cancelled' })).toBe('Undone: 3 leads to crm.example did not go')
    expect(sendLine({ ...send, state: 'done', counts: { sent: 1, already: 1, undecided: 0, failed: 1 } })).toBe(
      '1 lead on the way to crm.example; 1 had gone before, 1 could not go',
    )
    expect(sendLine({ ...send, kind: 'campaign', state: 'failed', failure: 'The campaign is over' })).toBe(
      '0 people of 3 sent to crm.example. The campaign is over',
    )
  })

  it('counts whole seconds down to none', () => {
    expect([secondsUntil(10_000, 0), secondsUntil(10_000, 9_001), secondsUntil(10_000, 12_000)]).toEqual([10, 1, 0])
  })
})
