import { describe, expect, test } from 'vitest'
import { Pace, youngMs } from './pace.ts'

const endpoint = { teamId: 'team', ownerId: 'owner' }
const quick = { elapsedMs: 1 }

/** Makes so many attempts that are answered at once, and records them. */
function make(pace: Pace, count: number, answered: { elapsedMs: number | null } = quick): void {
  for (let made = 0; made < count; made++) {
    if (!pace.take(endpoint, 5) || pace.room(0) <= 0) throw new Error('no room')
    pace.end(pace.begin(0), endpoint, answered)
    pace.recorded(1)
  }
}

describe('what a death may have to send again [WHK-16, WHK-17]', () => {
  test('is 24 attempts at first, and counts until they are recorded', () => {
    const pace = new Pace()
    const begun = Array.from({ length: 24 }, () => pace.begin(0))
    expect(pace.room(0)).toBe(0)
    for (const attempt of begun) pace.end(attempt, endpoint, quick)
    expect(pace.room(0)).toBe(0)
    pace.recorded(10)
    expect(pace.room(0)).toBe(10)
  })

  test('leaves out what a receiver takes its time over, until it answers', () => {
    const pace = new Pace()
    const slow = pace.begin(0)
    expect(pace.room(youngMs - 1)).toBe(23)
    expect(pace.room(youngMs)).toBe(24)
    pace.end(slow, endpoint, { elapsedMs: 300 })
    expect(pace.room(youngMs)).toBe(23)
    pace.recorded(1)
    expect(pace.room(youngMs)).toBe(24)
  })

  test('grows to one in a thousand of what was sent, and to 96 at most', () => {
    const pace = new Pace()
    make(pace, 24_000)
    expect(pace.room(1_000)).toBe(24)
    make(pace, 26_000)
    expect(pace.room(1_000)).toBe(50)
    make(pace, 60_000)
    expect(pace.room(1_000)).toBe(96)
  })
})

describe('an endpoint', () => {
  test('has so many attempts at once, and room again when one ends', () => {
    const pace = new Pace()
    expect([1, 2, 3, 4, 5, 6].map(() => pace.take(endpoint, 5))).toEqual([true, true, true, true, true, false])
    expect(pace.take({ ...endpoint, ownerId: 'other' }, 1)).toBe(true)
    let heard = 0
    pace.listen(() => (heard += 1))
    pace.end(pace.begin(0), endpoint, quick)
    expect([heard, pace.take(endpoint, 5), pace.take(endpoint, 5)]).toEqual([1, true, false])
  })

  test.each([
    [1, 150],
    [10, 55],
    [25, 25],
    [100, 10],
    [600, null],
  ])('that answers within %i ms has %s leased for it', (elapsedMs, depth) => {
    const pace = new Pace()
    make(pace, 3, { elapsedMs })
    expect(pace.deep()).toEqual(depth === null ? [] : [{ ...endpoint, depth }])
  })

  test('that does not accept what it gets has nothing leased ahead', () => {
    const pace = new Pace()
    make(pace, 3)
    make(pace, 1, { elapsedMs: null })
    expect(pace.deep()).toEqual([])
  })
})

describe('claims of one process', () => {
  test('are one at a time, and who waits for its turn hears that it has come', () => {
    const pace = new Pace()
    let heard = 0
    pace.listen(() => (heard += 1))
    expect([pace.beginClaim(), pace.beginClaim()]).toEqual([true, false])
    pace.endClaim()
    expect([heard, pace.beginClaim()]).toEqual([1, true])
  })
})
