import { describe, expect, it } from 'vitest'
import { isAccepted, judge } from './outcome.ts'

const now = new Date('2026-11-02T08:00:00Z')
const answered = (status: number, headers: Record<string, string> = {}) =>
  ({ kind: 'answered', status, headers }) as const

describe('the end of an attempt', () => {
  it.each([
    [199, 'failed', 'bad_status'],
    [200, 'delivered', 'delivered'],
    [299, 'delivered', 'delivered'],
    [300, 'failed', 'redirect'],
    [399, 'failed', 'redirect'],
    [400, 'failed', 'bad_status'],
    [409, 'failed', 'bad_status'],
    [410, 'gone', 'gone'],
    [411, 'failed', 'bad_status'],
    [500, 'failed', 'bad_status'],
  ] as const)('%i is %s, told as %s', (status, result, label) => {
    expect(judge(answered(status), now)).toEqual({ result, label, status, askedMs: null })
    expect(isAccepted(answered(status))).toBe(result === 'delivered')
  })
  it('is no acceptance without an answer', () => {
    expect(isAccepted({ kind: 'unanswered', why: 'timeout' })).toBe(false)
    expect(judge({ kind: 'unanswered', why: 'refused_address' }, now)).toEqual({
      result: 'failed',
      label: 'refused_address',
      status: null,
      askedMs: null,
    })
  })
  it('carries the wish of a receiver that failed, and of no other', () => {
    expect([
      judge(answered(503, { 'retry-after': '9' }), now).askedMs,
      judge(answered(200, { 'retry-after': '9' }), now).askedMs,
      judge(answered(410, { 'retry-after': '9' }), now).askedMs,
    ]).toEqual([9_000, null, null])
  })
})
