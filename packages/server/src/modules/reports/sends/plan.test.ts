import { describe, expect, it } from 'vitest'
import { addLines, countSendable, hostOf, nextTryAt } from './plan.ts'

describe('what a preview adds up to', () => {
  it('counts those who go, and lists them before the others, the most first', () => {
    const lines = addLines([
      { reason: 'no_webhook', count: 9 },
      { reason: 'now', count: 2 },
      { reason: 'delivered', count: 4 },
      { reason: 'now', count: 1 },
      { reason: 'after_enrichment', count: 5 },
      { reason: 'raw', count: 0 },
    ])
    expect(lines).toEqual([
      { reason: 'after_enrichment', count: 5 },
      { reason: 'now', count: 3 },
      { reason: 'no_webhook', count: 9 },
      { reason: 'delivered', count: 4 },
    ])
    expect(countSendable(lines)).toBe(8)
  })
})

describe('a destination', () => {
  it('is shown by its host', () => {
    expect([hostOf('https://crm.example:8443/in?token=x'), hostOf(null), hostOf('nonsense')]).toEqual([
      'crm.example:8443',
      null,
      null,
    ])
  })
  it('waits as long as the platform asked for, up to a day [FIX-08]', () => {
    const now = new Date(0)
    expect([30_000, 600_000, 9e9].map((askedMs) => nextTryAt(0, now, askedMs)?.getTime())).toEqual([
      60_000, 600_000, 86_400_000,
    ])
  })
})

describe('a platform that is away', () => {
  it('is tried four times more, later each time', () => {
    const now = new Date(0)
    expect([0, 1, 2, 3, 4].map((attempts) => nextTryAt(attempts, now)?.getTime() ?? null)).toEqual([
      60_000,
      300_000,
      900_000,
      3_600_000,
      null,
    ])
  })
})
