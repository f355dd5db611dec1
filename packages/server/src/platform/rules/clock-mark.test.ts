import { describe, expect, it } from 'vitest'
import { judgeClock, type ClockMark } from './clock-mark.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 22, 9)
const at = (ms: number) => new Date(start + ms)
const look = (last: ClockMark | null, ms: number) => judgeClock(last, at(ms), start + ms)
/** The mark after looks at these times, none of which was back. */
const after = (...times: readonly number[]) =>
  times.reduce<ClockMark | null>((last, ms) => {
    const { mark, back } = look(last, ms)
    expect(back).toBeNull()
    return mark
  }, null)

describe('the mark of the clock', () => {
  it('is moved by each look, and a clock that is corrected by seconds is none that was set back', () => {
    expect(after(0, minute, 2 * minute)).toEqual({ seen: at(2 * minute), seenMs: start + 2 * minute, leaptTo: null })
    expect(after(0, minute, 0)).toMatchObject({ seen: at(minute) })
  })
  it('tells what was put by the wrong clock from what was put before', () => {
    const wrong = after(0, 3 * hour, 3 * hour + minute)
    expect(wrong?.leaptTo).toEqual(at(3 * hour))
    expect(look(wrong, 2 * minute)).toEqual({
      mark: { seen: at(2 * minute), seenMs: start + 2 * minute, leaptTo: null },
      back: { from: at(3 * hour), byMs: 3 * hour - minute },
    })
  })
  it('begins with the first of several leaps, and forgets one after a week', () => {
    expect(after(0, hour, 50 * hour)?.leaptTo).toEqual(at(hour))
    expect(look(after(0, hour, 50 * hour), minute).back?.from).toEqual(at(hour))
    expect(after(0, hour, 10 * 24 * hour)?.leaptTo).toEqual(at(10 * 24 * hour))
  })
  it('doubts everything that is ahead when it never saw the leap, or has come back beyond it', () => {
    expect(look(after(0, minute, 4 * minute), -hour).back).toEqual({ from: at(-hour), byMs: hour + 4 * minute })
    expect(look(after(0, 3 * hour), -hour).back?.from).toEqual(at(3 * hour))
  })
  it('looks at either clock: service time may be one that somebody moves', () => {
    const { back } = judgeClock({ seen: at(0), seenMs: start, leaptTo: null }, at(minute), start - hour)
    expect(back).toEqual({ from: at(minute), byMs: hour })
  })
  it('allows two minutes back, five minutes forward, and forgets a leap after seven days, each to the bound', () => {
    const seen = after(0, minute)
    expect(look(seen, -minute).back).toBeNull()
    expect(look(seen, -minute - 1).back).toEqual({ from: at(-minute - 1), byMs: 2 * minute + 1 })
    expect(look(seen, 6 * minute).mark.leaptTo).toBeNull()
    expect(look(seen, 6 * minute + 1).mark.leaptTo).toEqual(at(6 * minute + 1))
    const leapt = { seen: at(7 * 24 * hour), seenMs: start + 7 * 24 * hour, leaptTo: at(0) }
    expect(look(leapt, 7 * 24 * hour - 1).mark.leaptTo).toEqual(at(0))
    expect(look(leapt, 7 * 24 * hour).mark.leaptTo).toBeNull()
  })
  it('keeps the later of each clock', () => {
    const { mark } = judgeClock({ seen: at(minute), seenMs: start, leaptTo: null }, at(0), start + minute)
    expect(mark).toEqual({ seen: at(minute), seenMs: start + minute, leaptTo: null })
    expect(look(mark, 2 * minute).mark).toEqual({ seen: at(2 * minute), seenMs: start + 2 * minute, leaptTo: null })
    expect(look(mark, 0).mark).toEqual({ seen: at(minute), seenMs: start + minute, leaptTo: null })
  })
  it('was ahead from where it leapt to only while that is still to come', () => {
    const leapt: ClockMark = { seen: at(3 * hour), seenMs: start + 3 * hour, leaptTo: at(2 * hour) }
    expect(look(leapt, 2 * hour).back).toEqual({ from: at(2 * hour), byMs: hour })
    expect(look(leapt, 2 * hour - 1).back).toEqual({ from: at(2 * hour), byMs: hour + 1 })
    expect(look(leapt, 2 * hour + 1).back).toEqual({ from: at(2 * hour + 1), byMs: hour - 1 })
  })
})
