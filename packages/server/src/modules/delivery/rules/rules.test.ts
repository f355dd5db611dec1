import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failingLimitMs, healthAfterFailure, verdictOn } from './endpoint.ts'
import { isSentAutomatically } from './offer.ts'
import { retryAfterMs } from './outcome.ts'
import { attemptDelaysMs, delayBeforeNext, longestRetryAfterMs, maxAttempts } from './schedule.ts'
import { decideSettings, defaultSettings, type SettingsChange, type WebhookSettings } from './settings.ts'

const now = new Date('2026-11-02T08:00:00Z')

describe('the schedule', () => {
  it('is ten attempts: at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h [WHK-27]', () => {
    expect(attemptDelaysMs.map((ms) => ms / 1_000)).toEqual([
      0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
    expect(Math.round(attemptDelaysMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000)).toBe(76)
    expect(maxAttempts).toBe(10)
    expect(delayBeforeNext(10, null, 0.5)).toBeNull()
    expect(delayBeforeNext(10, 1_000, 0.5)).toBeNull()
  })
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
  it('is disabled by 410 and by five days of nothing but failures', () => {
    expect(healthAfterFailure(null, 'failed', now)).toEqual({ failingSince: now, disable: null })
    expect(healthAfterFailure(null, 'gone', now).disable).toBe('gone')
    const since = (ms: number) => new Date(now.getTime() - ms)
    expect(healthAfterFailure(since(failingLimitMs - 1), 'failed', now).disable).toBeNull()
    expect(healthAfterFailure(since(failingLimitMs), 'failed', now)).toEqual({
      failingSince: since(failingLimitMs),
      disable: 'failing',
    })
  })
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

describe('settings', () => {
  const settings = fc
    .record({
      url: fc.option(fc.constantFrom('https://a.example.com/', 'https://b.example.com/')),
      icpOnly: fc.boolean(),
      autoSend: fc.boolean(),
      syncEvents: fc.boolean(),
    })
    .map((one): WebhookSettings => ({ ...one, syncEvents: one.syncEvents && one.url !== null }))
  const change: fc.Arbitrary<SettingsChange> = fc.record(
    {
      webhookUrl: fc.constantFrom('', null, 'https://b.example.com/', 'https://c.example.com/'),
      icpOnly: fc.boolean(),
      autoSend: fc.boolean(),
      syncEvents: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  it('never have sync events without a URL, and keep what is not named [CON-04, WHK-06]', () => {
    fc.assert(
      fc.property(settings, change, (stored, wanted) => {
        const decision = decideSettings(stored, wanted)
        if (decision.kind === 'needs_url') return wanted.syncEvents === true
        if (decision.kind === 'unchanged') return Object.keys(wanted).length === 0
        const result = decision.settings
        return (
          !(result.syncEvents && result.url === null) &&
          result.icpOnly === (wanted.icpOnly ?? stored.icpOnly) &&
          result.autoSend === (wanted.autoSend ?? stored.autoSend) &&
          ('webhookUrl' in wanted || result.url === stored.url) &&
          (result.url === null || result.syncEvents === (wanted.syncEvents ?? stored.syncEvents))
        )
      }),
    )
  })
  it('say whether the URL was named', () => {
    const url = 'https://a.example.com/'
    expect(decideSettings({ ...defaultSettings, url }, { webhookUrl: '' })).toMatchObject({ namesUrl: false })
    expect(decideSettings({ ...defaultSettings, url }, { webhookUrl: url })).toMatchObject({ namesUrl: true })
    expect(decideSettings(defaultSettings, { autoSend: true })).toMatchObject({ namesUrl: false })
  })
})

describe('a lead goes out', () => {
  const hook = { ...defaultSettings, url: 'https://a.example.com/', autoSendSince: null, generation: 2 }
  it.each([
    ['a URL and autoSend', hook, { isIcp: null, createdAt: now }, true],
    ['no URL', { ...hook, url: null }, { isIcp: null, createdAt: now }, false],
    ['autoSend off', { ...hook, autoSend: false }, { isIcp: true, createdAt: now }, false],
    ['icpOnly and a match', { ...hook, icpOnly: true }, { isIcp: true, createdAt: now }, true],
    ['icpOnly and no match', { ...hook, icpOnly: true }, { isIcp: false, createdAt: now }, false],
    ['icpOnly and no criteria', { ...hook, icpOnly: true }, { isIcp: null, createdAt: now }, true],
    [
      'autoSend switched on later',
      { ...hook, autoSendSince: new Date(now.getTime() + 1) },
      { isIcp: null, createdAt: now },
      false,
    ],
    ['autoSend switched on before', { ...hook, autoSendSince: now }, { isIcp: null, createdAt: now }, true],
    ['the generation it was captured in', hook, { isIcp: null, createdAt: now, webhookGeneration: 2 }, true],
    ['an earlier generation', hook, { isIcp: null, createdAt: now, webhookGeneration: 1 }, false],
    ['no generation that was noted', hook, { isIcp: null, createdAt: now, webhookGeneration: null }, true],
  ])('%s [WHK-08, WHK-09, WHK-28, G158]', (_name, webhook, lead, expected) => {
    expect(isSentAutomatically(webhook, { webhookGeneration: 2, ...lead })).toBe(expected)
  })
})
