import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { verdictOn } from './endpoint.ts'
import { retryAfterMs } from './outcome.ts'
import { attemptDelaysMs, delayBeforeNext, longestRetryAfterMs } from './schedule.ts'

const now = new Date('2026-11-02T08:00:00Z')

describe('the schedule', () => {
  it('spreads by a fifth either way and never comes earlier than planned or later than a day asked for', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.option(fc.nat(10 * longestRetryAfterMs)),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (made, asked, random) => {
          const plan = attemptDelaysMs[made]!
          const delay = delayBeforeNext(made, asked, random)!
          const planned = delayBeforeNext(made, null, random)!
          return (
            planned >= plan * 0.8 - 1 &&
            planned <= plan * 1.2 + 1 &&
            delay >= planned &&
            delay <= Math.max(planned, longestRetryAfterMs) &&
            (asked === null || asked > longestRetryAfterMs || delay >= asked)
          )
        },
      ),
    )
  })
})

describe('an outcome', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Mon, 02 Nov 2026 08:01:00 GMT', 60_000],
    ['Mon, 02 Nov 2026 07:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['on Mon, 02 Nov 2026 08:01:00 GMT', null],
    ['Mon, 99 Nov 2026 08:01:00 GMT', null],
    ['2026-11-02T09:00:00Z', null],
    ['', null],
  ])('reads Retry-After %j as %j ms', (text, expected) => {
    expect(retryAfterMs({ 'retry-after': text }, now)).toBe(expected)
  })
  it("measures a date against the receiver's own clock when it shows one", () => {
    expect(
      retryAfterMs({ 'retry-after': 'Sat, 01 Mar 2025 00:10:00 GMT', date: 'Sat, 01 Mar 2025 00:00:00 GMT' }, now),
    ).toBe(600_000)
    expect(retryAfterMs({}, now)).toBeNull()
  })
})

describe('an endpoint', () => {
  it('gets nothing once cleared, while untracked, without a URL, called off, excluded or disabled, in that order', () => {
    const open = {
      cleared: false,
      url: 'https://a.example.com/',
      disabledAt: null,
      ownerActive: true,
      autoSendOff: false,
      excluded: false,
    }
    expect(verdictOn(open)).toBe('send')
    expect(verdictOn({ ...open, disabledAt: now, excluded: true })).toBe('excluded')
    expect(verdictOn({ ...open, disabledAt: now, autoSendOff: true, excluded: true })).toBe('auto_send_off')
    expect(verdictOn({ ...open, disabledAt: now })).toBe('disabled')
    expect(verdictOn({ ...open, disabledAt: now, url: null })).toBe('cleared')
    const all = { url: null, disabledAt: now, ownerActive: false, autoSendOff: true, excluded: true }
    expect(verdictOn({ ...all, cleared: false })).toBe('untracked')
    expect(verdictOn({ ...all, cleared: true })).toBe('cleared')
    expect(verdictOn({ ...open, tellsErased: true, cleared: true })).toBe('cleared')
  })
})
