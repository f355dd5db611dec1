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
const nothing = { stop: null, rows: 0 }
const page = { post, after: next, entries: 5 }

describe('a post after a page', () => {
  it('goes on to its comments when enough reactions were seen, and is done when it has none [KRN-08]', () => {
    const bound = { rows: null, entries: 15 }
    expect(boundPost(bound, page, nothing)).toEqual({
      after: { ...done, phase: 'comments' },
      seen: 15,
      reached: true,
      endless: false,
    })
    const silent = { ...page, post: { ...post, commentsDeclared: 0 } }
    expect(boundPost(bound, silent, nothing)).toEqual({ after: done, seen: 15, reached: true, endless: false })
  })
  it('still asks for the replies that the comments read so far have named [KRN-08]', () => {
    const bound = { rows: null, entries: 15 }
    const replies = [{ commentId: '7', cursor: null }] as unknown as PostPlace['replies']
    const comments = { ...page, post: { ...post, phase: 'comments' as const } }
    const named = { ...comments, after: { ...next, phase: 'comments' as const, replies } }
    expect(boundPost(bound, named, nothing).after).toMatchObject({ phase: 'replies', cursor: null, replies })
    const unnamed = { ...comments, after: { ...next, phase: 'comments' as const } }
    expect(boundPost(bound, unnamed, nothing)).toEqual({ after: done, seen: 15, reached: true, endless: false })
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
    // The caller's own bound may be lower or higher.
    expect([shown(1_030, 'reactions', 1_035), shown(1_035, 'reactions', 2_000)]).toEqual([
      ['comments', true, false],
      ['comments', true, true],
    ])
  })
  it('is not cut short by a page with which its phase has ended anyway [KRN-08]', () => {
    const after: PostPlace = { phase: 'comments', provider: null, cursor: null, replies: [] }
    expect(boundPost({ rows: null, entries: 1 }, { ...page, after }, nothing)).toEqual({
      after,
      seen: 15,
      reached: false,
      endless: false,
    })
  })
})
