import { describe, expect, it } from 'vitest'
import type { PostPlace, RunPost } from '../../sources/index.ts'
import { boundPost, maxEntries } from './next-step.ts'

const post = {
  phase: 'reactions',
  provider: 'harvestapi',
  cursor: { page: 2 },
  replies: [],
  seen: 10,
  rowsTaken: 3,
  reactionsDeclared: 20,
  commentsDeclared: 4,
} as unknown as RunPost
const next: PostPlace = { phase: 'reactions', provider: 'harvestapi', cursor: { page: 3 }, replies: [] }
const done = { phase: 'done', provider: null, cursor: null, replies: [] }
const unbound = { rows: null, entries: null }
const nothing = { stop: null, rows: 0 }
const page = { post, after: next, entries: 5 }

describe('a post after a page', () => {
  it.each([
    ['has given all the rows it may', { rows: 6, entries: null }, { stop: null, rows: 3 }],
    ['was stopped by a bound of its own', unbound, { stop: 'post', rows: 0 }],
  ])('is done when it %s [KRN-07]', (_when, perPost, taken) => {
    expect(boundPost(perPost, page, taken)).toEqual({ after: done, seen: 15, reached: false, endless: false })
  })
  it('is left when it has shown more than it can have, whatever the run may read [SYN-17]', () => {
    expect([null, 0, 20, 49_500, 10_000_000].map(maxEntries)).toEqual([50_000, 1_000, 1_040, 100_000, 100_000])
    const shown = (seen: number, phase: 'reactions' | 'comments' | 'replies', entries: number | null = null) => {
      const at = { post: { ...post, phase, seen }, after: { ...next, phase }, entries: 5 }
      const { after, reached, endless } = boundPost({ rows: null, entries }, at, nothing)
      return [after.phase, reached, endless]
    }
    expect(shown(1_034, 'reactions')).toEqual(['reactions', false, false])
    expect(shown(1_035, 'reactions')).toEqual(['comments', true, true])
    expect(shown(1_002, 'comments')).toEqual(['comments', false, false])
    expect([shown(1_003, 'comments'), shown(1_003, 'replies')]).toEqual([
      ['done', true, true],
      ['done', true, true],
    ])
    // The bound of its own is the nearer one, or the farther.
    expect([shown(1_030, 'reactions', 1_035), shown(1_035, 'reactions', 2_000)]).toEqual([
      ['comments', true, false],
      ['comments', true, true],
    ])
  })
})
