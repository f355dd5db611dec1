import { describe, expect, it } from 'vitest'
import { aiDueAt } from './ai-waits.ts'
import { firstCursor } from './next-find.ts'

const began = new Date('2026-11-20T09:00:00Z')
const after = (hours: number) => new Date(began.getTime() + hours * 3_600_000)
const run = (more: object = {}) => ({ attempts: 0, startedAt: began, cursor: firstCursor(1), ...more })
const failed = (kind: 'key' | 'model' | 'rate_limited' | 'unavailable' | 'unreadable', held: object | null = null) =>
  ({ kind, retryAfterMs: undefined, held }) as Parameters<typeof aiDueAt>[1]
const held = (hours: number, reason = 'away') => ({ reason, until: after(hours) })

describe('a run waits for the AI', () => {
  it('that is away until six hours after its start, when it looks once more, and then no longer [G171, FIX-08]', () => {
    expect(aiDueAt(run(), failed('unavailable', held(1)), began)).toEqual(after(1))
    expect(aiDueAt(run(), failed('rate_limited', held(7)), after(5.9))).toEqual(after(6))
    expect(aiDueAt(run(), failed('unavailable', held(7)), after(6))).toBeNull()
    expect(aiDueAt(run(), failed('unavailable'), began)).toEqual(new Date(began.getTime() + 15_000))
    expect(aiDueAt(run({ attempts: 4 }), failed('unavailable'), began)).toBeNull()
  })
  it('that has cost what it may a day for a day at most', () => {
    expect(aiDueAt(run(), failed('unavailable', held(15, 'cap')), after(7))).toEqual(after(15))
    expect(aiDueAt(run(), failed('unavailable', held(39, 'cap')), after(24))).toBeNull()
  })
  it('that cannot be read twice in a run, whatever it has answered between, and never for a refused key or model [G166]', () => {
    const cursor = { ...firstCursor(1), unreadable: 1 }
    expect(aiDueAt(run({ cursor }), failed('unreadable'), began)).toEqual(new Date(began.getTime() + 60_000))
    expect(aiDueAt(run({ cursor: { ...cursor, unreadable: 2 } }), failed('unreadable'), began)).toBeNull()
    for (const kind of ['key', 'model'] as const) expect(aiDueAt(run(), failed(kind), began)).toBeNull()
  })
})
