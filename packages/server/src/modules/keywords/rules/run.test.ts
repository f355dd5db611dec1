import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageAt } from '../../../providers/ports.ts'
import { afterPage, aiDueAt, firstCursor, isUnread, nextFind, scanLimit, type Finding } from './run.ts'

const at = (page: number): PageAt => ({ from: 'linkdapi', cursor: { page } })
const finding = (over: Partial<Finding> = {}): Finding => ({
  cursor: firstCursor(3),
  postsScanned: 0,
  waiting: 0,
  wanted: null,
  ...over,
})
const read = (page: number | null, fresh = 10) => ({ next: page === null ? null : at(page), fresh, cut: false })

describe('the search of a run', () => {
  it('gives a term up whose vendor sends back to the same place, or shows nothing new for ten pages', () => {
    const second = afterPage(firstCursor(1), 0, read(2))
    expect(afterPage(second, 0, read(2)).terms[0]!.done).toBe(true)
    let cursor = firstCursor(1)
    for (let page = 2; page <= 11; page++) cursor = afterPage(cursor, 0, read(page, 0))
    expect(cursor.terms[0]).toMatchObject({ done: true, pages: 10 })
    expect([isUnread(firstCursor(2)), isUnread(cursor)]).toEqual([true, false])
  })

  it('ends whatever vendors answer, within the pages a run may read', () => {
    const page = fc.record({
      next: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
      fresh: fc.integer({ min: 0, max: 50 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.infiniteStream(page), (terms, answers) => {
        let [cursor, postsScanned, steps] = [firstCursor(terms), 0, 0]
        for (; ; steps++) {
          const step = nextFind(finding({ cursor, postsScanned }))
          if (step.kind !== 'page') break
          const { next, fresh } = answers.next().value!
          const taken = Math.min(fresh, scanLimit - postsScanned)
          cursor = afterPage(cursor, step.term, { next: next === null ? null : at(next), fresh, cut: taken < fresh })
          postsScanned += taken
        }
        expect(postsScanned).toBeLessThanOrEqual(scanLimit)
        expect(steps).toBeLessThanOrEqual(terms * 200)
      }),
    )
  })
})

const began = new Date('2026-11-20T09:00:00Z')
const after = (hours: number) => new Date(began.getTime() + hours * 3_600_000)
const run = (more: object = {}) => ({ attempts: 0, startedAt: began, cursor: firstCursor(1), ...more })
const failed = (kind: 'key' | 'model' | 'rate_limited' | 'unavailable' | 'unreadable', held: object | null = null) =>
  ({ kind, retryAfterMs: undefined, held }) as Parameters<typeof aiDueAt>[1]
const held = (hours: number, reason = 'away') => ({ reason, until: after(hours) })

describe('a run waits for the AI', () => {
  it('that has cost what it may a day for a day at most', () => {
    expect(aiDueAt(run(), failed('unavailable', held(15, 'cap')), after(7))).toEqual(after(15))
    expect(aiDueAt(run(), failed('unavailable', held(39, 'cap')), after(24))).toBeNull()
  })
})
