import { describe, expect, it } from 'vitest'
import { runPost } from '../../../../test/run-post.ts'
import type { RunPost } from '../../sources/index.ts'
import { pagesFree, postsAtOnce, readsAhead } from './read-ahead.ts'

const post = (position: number, declared: number, more: Partial<RunPost> = {}): RunPost =>
  runPost({ position, declared, reactionsDeclared: declared, commentsDeclared: 0, ...more })
const positions = (posts: readonly RunPost[], room: number) => postsAtOnce(posts, room).map(({ position }) => position)

describe('the posts whose pages are asked for at once', () => {
  const posts = [post(0, 50), post(1, 50, { reactionsDeclared: 20, commentsDeclared: 30 }), post(2, 50), post(3, 50)]
  it('are those whose declared engagement, and a large page more of each, fits in what may still be taken', () => {
    expect(positions(posts, 600)).toEqual([0, 1, 2, 3])
    expect(positions(posts, 599)).toEqual([0, 1, 2])
    expect(positions(posts, 300)).toEqual([0, 1])
    expect(positions(posts, 299)).toEqual([0])
  })
  it('are never none while there is one: a single post is read however little may be taken', () => {
    expect(positions(posts, 0)).toEqual([0])
    expect(positions([post(0, 50, { reactionsDeclared: null }), post(1, 50)], 10_000)).toEqual([0])
    expect(positions([], 10_000)).toEqual([])
  })
  it('end before a post of which nobody knows how much is to come, or for which nothing is asked', () => {
    const after = (more: Partial<RunPost>) =>
      positions([post(0, 50), post(1, 50), post(2, 50, more), post(3, 1)], 10_000)
    expect(after({ reactionsDeclared: null })).toEqual([0, 1])
    expect(after({ commentsDeclared: null })).toEqual([0, 1])
    expect(after({ phase: 'author' })).toEqual([0, 1])
    expect(after({ readAlone: true })).toEqual([0, 1])
    const rest = {
      engagements: [],
      after: { phase: 'done', provider: null, cursor: null, replies: [] },
      cutShort: false,
    } as const
    expect(after({ pageRest: rest })).toEqual([0, 1])
  })
})

describe('pages asked for at once by one run', () => {
  it('are eight, as long as the account takes so many calls beside those that are asked for, and never none', () => {
    expect([20, 8, 7, 3, 1, 0].map((takes) => pagesFree({ takes, asked: 0 }))).toEqual([8, 8, 7, 3, 1, 1])
    expect([0, 12, 15, 19, 20, 30].map((asked) => pagesFree({ takes: 20, asked }))).toEqual([8, 8, 5, 1, 1, 1])
  })
})

describe('a run', () => {
  const run = {
    policy: { stores: 'leads', order: 'one_by_one' },
    cursor: { phase: 'engagement' },
    attempts: 0,
    unexpectedFailures: 0,
  } as Parameters<typeof readsAhead>[0]
  it('reads posts ahead only post after post, at engagement, and while nothing fails', () => {
    expect(readsAhead(run)).toBe(true)
    expect(readsAhead({ ...run, attempts: 1 })).toBe(false)
    expect(readsAhead({ ...run, unexpectedFailures: 1 })).toBe(false)
    expect(readsAhead({ ...run, policy: { ...run.policy, order: 'in_turn' } })).toBe(false)
    expect(readsAhead({ ...run, policy: { ...run.policy, stores: 'posts' } })).toBe(false)
    expect(readsAhead({ ...run, cursor: { phase: 'posts', at: null, listed: [], pages: 0 } })).toBe(false)
  })
})
