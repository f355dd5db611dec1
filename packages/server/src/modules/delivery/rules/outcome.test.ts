import { describe, expect, it } from 'vitest'
import { isAccepted, judge } from './outcome.ts'
import { decideSettings, defaultSettings } from './settings.ts'

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

describe('a change of a webhook', () => {
  const stored = { ...defaultSettings, url: 'https://a.example.com/', icpOnly: true, syncEvents: true }
  it('that names nothing changes nothing [G46]', () => {
    expect(decideSettings(stored, {})).toEqual({ kind: 'unchanged' })
    expect(decideSettings(defaultSettings, {})).toEqual({ kind: 'unchanged' })
  })
  it.each([
    [{ icpOnly: false }, { ...stored, icpOnly: false }],
    [{ autoSend: false }, { ...stored, autoSend: false }],
    [{ syncEvents: false }, { ...stored, syncEvents: false }],
  ])('that names %j changes that alone', (change, settings) => {
    expect(decideSettings(stored, change)).toEqual({
      kind: 'changed',
      settings,
      cleared: false,
      rearmed: false,
      urlChanged: false,
      autoSendBegan: false,
    })
  })
  it('that asks for sync events needs an address, stored or named', () => {
    expect(decideSettings(defaultSettings, { syncEvents: true })).toEqual({ kind: 'needs_url' })
    expect(decideSettings(stored, { syncEvents: true, webhookUrl: null })).toEqual({ kind: 'needs_url' })
    expect(decideSettings(stored, { syncEvents: true })).toMatchObject({ kind: 'changed' })
    expect(decideSettings(defaultSettings, { syncEvents: true, webhookUrl: 'https://b.example.com/' })).toMatchObject({
      kind: 'changed',
      urlChanged: true,
      settings: { syncEvents: true },
    })
  })
  it('that clears the address ends sync events, and keeps the rest', () => {
    expect(decideSettings(stored, { webhookUrl: null })).toEqual({
      kind: 'changed',
      settings: { url: null, icpOnly: true, autoSend: true, syncEvents: false },
      cleared: true,
      rearmed: false,
      urlChanged: true,
      autoSendBegan: false,
    })
  })
})
