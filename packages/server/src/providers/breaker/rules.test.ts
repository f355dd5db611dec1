import { describe, expect, it } from 'vitest'
import {
  afterCall,
  afterProbe,
  closed,
  heldUntil,
  mayProbe,
  troubleOf,
  type BreakerState,
  type Trouble,
} from './rules.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21, 9) + seconds * 1000)
const away = troubleOf({ kind: 'unavailable' })
const slow = troubleOf({ kind: 'rate_limited', retryAfterMs: 600_000 })
const run = (troubles: readonly Trouble[], from: BreakerState = closed): BreakerState =>
  troubles.reduce<BreakerState>((state, trouble, index) => afterCall(state, trouble, at(index)), from)
const times = (count: number, trouble: Trouble): Trouble[] => Array.from({ length: count }, () => trouble)

describe('an account', () => {
  it.each([
    ['refuses its key', troubleOf({ kind: 'account', why: 'key' }), 2, 'key'],
    ['is out of money', troubleOf({ kind: 'account', why: 'money' }), 2, 'money'],
    ['is refused without a reason', troubleOf({ kind: 'account' }), 2, 'key'],
    ['does not answer', away, 3, 'away'],
    ['answers what nobody can read', troubleOf({ kind: 'malformed' }), 5, 'away'],
    ['takes no more calls', troubleOf({ kind: 'rate_limited' }), 5, 'rate'],
  ] as const)('that %s is held after so many in a row, not before', (_what, trouble, after, reason) => {
    expect(run(times(after - 1, trouble))).toEqual({ failures: after - 1, open: null })
    expect(run(times(after, trouble)).open).toEqual({ reason, since: at(after - 1), probeAt: at(after - 1 + 60) })
  })
  it('is well again with any answer, also that there is no such thing', () => {
    expect(troubleOf({ kind: 'not_found' })).toBeNull()
    expect(run([away, away, null])).toEqual(closed)
    expect(run([away, away, null, away, away]).open).toBeNull()
  })
  it('is opened by what its last failure says, whatever the others were', () => {
    expect(run([away, troubleOf({ kind: 'account', why: 'money' })]).open?.reason).toBe('money')
  })
  it('that is open stays so whatever late calls come to', () => {
    const open = run(times(3, away))
    expect(afterCall(open, null, at(30))).toBe(open)
    expect(afterCall(open, slow, at(30))).toBe(open)
  })
})

describe('a probe', () => {
  const open = run(times(3, away))
  it('may be made a minute after the account was opened, and a minute after the last one', () => {
    expect(mayProbe(open, at(61))).toBe(false)
    expect(mayProbe(open, at(62))).toBe(true)
    const still = afterProbe(open, troubleOf({ kind: 'account', why: 'money' }), at(62))
    expect(still.open).toEqual({ reason: 'money', since: at(2), probeAt: at(122) })
    expect(mayProbe(still, at(121))).toBe(false)
    expect(mayProbe(closed, at(121))).toBe(false)
  })
  it('that is answered closes it, and the next run of failures begins at one', () => {
    expect(afterProbe(open, null, at(62))).toEqual(closed)
    expect(afterCall(afterProbe(open, null, at(62)), away, at(63))).toEqual({ failures: 1, open: null })
  })
  it('waits as long as the vendor asked, up to an hour', () => {
    expect(run(times(5, slow)).open?.probeAt).toEqual(at(4 + 600))
    const never = troubleOf({ kind: 'rate_limited', retryAfterMs: 9e9 })
    expect(run(times(5, never)).open?.probeAt).toEqual(at(4 + 3_600))
  })
  it('is made although the clock was set back by hours', () => {
    expect(mayProbe(open, at(-7_200))).toBe(true)
  })
  it('comes before the work that waits for it', () => {
    expect(heldUntil(open.open!, at(10))).toEqual(at(67))
    expect(heldUntil(open.open!, at(100))).toEqual(at(105))
  })
})
