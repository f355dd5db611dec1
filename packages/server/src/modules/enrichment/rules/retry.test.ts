import { describe, expect, it } from 'vitest'
import { retryAt } from './retry.ts'

describe('a look-up that failed', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const minutes = (attempts: number, askedMs?: number) => {
    const at = retryAt(attempts, now, askedMs)
    return at && (at.getTime() - now.getTime()) / 60_000
  }
  it('is tried again after 30 s, 2 min, 10 min, an hour and four hours, and then no more', () => {
    expect([0, 1, 2, 3, 4, 5].map((attempts) => minutes(attempts))).toEqual([0.5, 2, 10, 60, 240, null])
  })
  it("grants a vendor's longer wish, up to a day, and no shorter one", () => {
    expect([minutes(0, 120_000), minutes(0, 1_000), minutes(0, 10 * 86_400_000), minutes(4, 300 * 60_000)]).toEqual([
      2, 0.5, 1_440, 300,
    ])
    expect(minutes(5, 120_000)).toBeNull()
  })
})
