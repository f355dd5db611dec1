import { describe, expect, it } from 'vitest'
import { grown } from '../../../../scripts/soak/memory.ts'

const readings = (...megabytes: number[]) => megabytes.map((each, at) => ({ atMs: at * 60_000, megabytes: each }))

describe('the memory of a soak run', () => {
  it('grows when the last third stands higher than the one before it by more than comes and goes', () => {
    expect(grown(readings(100, 200, 300, 300, 310, 305, 380, 390, 395))).toBe(true)
    expect(grown(readings(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_160, 1_170, 1_180))).toBe(true)
  })
  it('does not while it warms up, while a heap is collected late, and with too few readings', () => {
    expect(grown(readings(100, 200, 300, 400, 400, 400, 405, 410, 400))).toBe(false)
    expect(grown(readings(300, 300, 300, 300, 340, 300, 300, 430, 330))).toBe(false)
    expect(grown(readings(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_100, 1_120, 1_140))).toBe(false)
    expect(grown(readings(100, 900))).toBe(false)
  })
})
