import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterSettleMs, nextCheckAfter, oncePerPerson, pauseAfter, settleMs, type PersonKeys } from './sending.ts'

describe('recipients', () => {
  it('name each person once, by member id or by handle, and lose nobody [OUT-13]', () => {
    const keys = fc
      .record({
        personUrn: fc.option(fc.constantFrom('A', 'B', 'C')),
        handle: fc.option(fc.constantFrom('a', 'b', 'c')),
      })
      .filter((one) => one.personUrn !== null || one.handle !== null)
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 12 }), (rows: PersonKeys[]) => {
        const { once, again } = oncePerPerson(rows)
        const urns = once.flatMap((one) => one.personUrn ?? [])
        const handles = once.flatMap((one) => one.handle ?? [])
        return (
          once.length + again.length === rows.length &&
          new Set(urns).size === urns.length &&
          new Set(handles).size === handles.length &&
          rows.every((row) => once.includes(row) || again.includes(row))
        )
      }),
    )
  })
})

describe('waiting', () => {
  it('grows with failures to six hours, longer when asked for, up to a day', () => {
    expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, undefined) / 60_000)).toEqual([1, 2, 4, 360])
    expect(pauseAfter(1, 600_000)).toBe(600_000)
    expect(pauseAfter(20, 600_000) / 60_000).toBe(360)
    expect(pauseAfter(1, 9_999_999_000) / 60_000).toBe(1_440)
  })
})

describe('a lost answer', () => {
  it('is looked up after ten minutes, then later still each time, and its people wait until after that', () => {
    expect([settleMs / 60_000, afterSettleMs / 60_000]).toEqual([10, 15])
    expect([1, 2, 3, 4, 9, 10].map((checks) => nextCheckAfter(checks)).map((ms) => ms && ms / 60_000)).toEqual([
      10,
      20,
      40,
      80,
      360,
      null,
    ])
  })
})
