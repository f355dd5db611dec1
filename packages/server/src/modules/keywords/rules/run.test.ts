import { initialSettings } from '@les/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageAt } from '../../../providers/ports.ts'
import {
  afterPage,
  aiDueAt,
  firstCursor,
  isUnread,
  nextFind,
  scanLimit,
  searchRunSettings,
  type Finding,
} from './run.ts'
import { freshState } from './settings.ts'

describe('a run of a search is bound', () => {
  const search = { ...freshState({ terms: ['pumps'], expression: null }).search, creditCap: 40 }
  const source = initialSettings
  it('as a watch by its posts, or without a number by its credits [KRN-15]', () => {
    const watch = { ...source, mode: 'posts_only' as const }
    expect(searchRunSettings({ ...watch, postsPerSync: 7 }, search)).toMatchObject({ mode: 'posts_only', maxPosts: 7 })
    expect(searchRunSettings({ ...watch, postsPerSync: null }, search)).toMatchObject({ maxPosts: 40 })
    expect(searchRunSettings({ ...source, postsPerSync: 7 }, search)).toMatchObject({ maxPosts: 2_000 })
  })
})

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
  it('gives each term one page in turn, and passes by those that have no more [KRN-03]', () => {
    let cursor = firstCursor(3)
    const asked: number[] = []
    const ends = [1, 3, 2]
    for (;;) {
      const step = nextFind(finding({ cursor }))
      if (step.kind !== 'page') break
      asked.push(step.term)
      const pages = cursor.terms[step.term]!.pages + 1
      expect(step.at).toEqual(pages === 1 ? null : at(pages))
      cursor = afterPage(cursor, step.term, read(pages < ends[step.term]! ? pages + 1 : null))
    }
    expect(asked).toEqual([0, 1, 2, 1, 2, 1])
    expect(nextFind(finding({ cursor }))).toEqual({ kind: 'over', stop: null })
  })

  it('asks the AI as soon as ten posts wait, and about fewer only when nothing is left to be found [AIF-09]', () => {
    expect(nextFind(finding({ waiting: 9 })).kind).toBe('page')
    expect(nextFind(finding({ waiting: 10 })).kind).toBe('judge')
    expect(nextFind(finding({ waiting: 1, postsScanned: scanLimit })).kind).toBe('judge')
  })

  it('is over at 2,000 posts, with posts left to be found only while a term has more [KRN-13, KRN-12]', () => {
    expect(nextFind(finding({ postsScanned: scanLimit }))).toEqual({ kind: 'over', stop: 'post_limit' })
    const all = firstCursor(1)
    expect(nextFind(finding({ cursor: afterPage(all, 0, read(null)), postsScanned: scanLimit }))).toEqual({
      kind: 'over',
      stop: null,
    })
    expect(
      nextFind(finding({ cursor: afterPage(all, 0, { next: null, fresh: 30, cut: true }), postsScanned: scanLimit })),
    ).toEqual({ kind: 'over', stop: 'post_limit' })
  })

  it('of a posts-only run is over when enough is stored, and says what it was that was enough [KRN-15, KRN-11]', () => {
    const over = (posts: number, credits: number, waiting = 0) =>
      nextFind(finding({ wanted: { posts, credits }, waiting }))
    expect([over(0, 5), over(3, 0), over(0, 0), over(0, 5, 12)]).toEqual(
      ['post_limit', 'credits', 'credits', 'post_limit'].map((stop) => ({ kind: 'over', stop })),
    )
    const done = afterPage(firstCursor(1), 0, read(null))
    expect(nextFind(finding({ cursor: done, wanted: { posts: 0, credits: 4 } }))).toEqual({ kind: 'over', stop: null })
    expect(over(1, 1).kind).toBe('page')
  })

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
  it('that is away until six hours after its start, when it tries once more, and then no longer [G171, FIX-08]', () => {
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
