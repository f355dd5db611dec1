import { describe, expect, it } from 'vitest'
import type { RunSettings } from './policy.ts'
import { policyOf } from './policy.ts'

const plain: RunSettings = {
  mode: 'engagers',
  maxPosts: 50,
  sinceDays: null,
  rowCap: 7,
  captureReplies: false,
  enrichLeads: true,
}
const keyword = {
  creditCap: 10,
  captureEngagers: true,
  capturePostAuthors: true,
  captureMode: 'breadth',
  maxEngagementsPerPost: 3,
} as const
const bounds = (settings: Partial<RunSettings>) => policyOf(settings, 'capture').bounds.map((bound) => bound.of)

describe('the policy of a run', () => {
  it('of a source: its own cap before the balance, post after post, everybody who engages [SYN-05, SYN-06, G154]', () => {
    expect(policyOf(plain, 'capture')).toMatchObject({
      stores: 'leads',
      order: 'one_by_one',
      authors: false,
      engagers: true,
      replies: false,
      bounds: [{ of: 'rows', most: 7, stop: 'credits' }, { of: 'balance' }],
      perPost: { rows: null, entries: null },
      seen: 'entries',
      endings: 'cap',
    })
    expect([bounds({ ...plain, rowCap: null }), bounds({ ...plain, mode: 'posts_only' })]).toEqual([
      ['balance'],
      ['posts', 'balance'],
    ])
  })
  it('of a search: its credits, the leads and the day of its team, then the balance [CRD-20, KRN-15]', () => {
    expect([bounds({ ...plain, keyword }), bounds({ ...plain, mode: 'posts_only', keyword })]).toEqual([
      ['credits', 'team_rows', 'team_day', 'balance'],
      ['credits', 'posts', 'team_day', 'balance'],
    ])
    expect(policyOf({ ...plain, keyword }, 'capture')).toMatchObject({
      order: 'in_turn',
      authors: true,
      perPost: { rows: 3, entries: 110 },
      seen: 'people',
      endings: 'cause',
    })
    expect(policyOf({ ...plain, keyword }, 'keyword').bounds).toEqual([
      { of: 'credits', most: 10, stop: 'credits' },
      { of: 'team_rows', stop: 'lead_cap' },
      { of: 'team_day', stop: 'team_cap' },
      { of: 'balance' },
    ])
    expect(policyOf({ ...plain, mode: 'posts_only', keyword }, 'keyword')).toMatchObject({
      stores: 'posts',
      bounds: [{ of: 'credits' }, { of: 'posts', most: 50, stop: 'post_limit' }, { of: 'team_day' }, { of: 'balance' }],
    })
    expect(policyOf({ ...plain, keyword: { ...keyword, captureMode: 'depth' } }, 'capture')).toMatchObject({
      order: 'one_by_one',
      perPost: { rows: null },
    })
  })
  it('takes over what was set, of posts, days, replies, profiles, engagers and authors', () => {
    const set = { maxPosts: 3, sinceDays: 9, captureReplies: false, enrichLeads: false }
    expect(policyOf(set, 'capture')).toMatchObject({ maxPosts: 3, sinceDays: 9, replies: false, enriches: false })
    const off = { ...keyword, captureEngagers: false, capturePostAuthors: false }
    expect(policyOf({ ...plain, keyword: off }, 'keyword')).toMatchObject({ engagers: false, authors: false })
  })
  it('of a run of which nothing is known yet is the cautious one: no posts, no credits, no authors', () => {
    const nothing = { stores: 'leads', maxPosts: 0, sinceDays: null, replies: true, enriches: true } as const
    expect(policyOf({}, 'capture')).toMatchObject({ ...nothing, engagers: true, authors: false })
    expect(policyOf({}, 'keyword')).toMatchObject({
      ...nothing,
      order: 'one_by_one',
      engagers: true,
      authors: false,
      bounds: [{ of: 'credits', most: 0 }, { of: 'team_rows' }, { of: 'team_day' }, { of: 'balance' }],
      perPost: { rows: null, entries: 100 },
    })
  })
  it('of a run that waits says how it will end [G17, G75]', () => {
    expect([policyOf({}, 'capture').endings, policyOf({}, 'keyword').endings]).toEqual(['cap', 'cause'])
  })
})
