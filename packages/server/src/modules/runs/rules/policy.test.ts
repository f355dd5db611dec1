import { describe, expect, it } from 'vitest'
import type { RunSettings } from '../settings.ts'
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
  it('of a source: its own cap before the balance, post after post, everybody who engages [SYN-05, SYN-06]', () => {
    expect(policyOf(plain, 'capture')).toMatchObject({
      stores: 'leads',
      order: 'one_by_one',
      authors: false,
      engagers: true,
      replies: false,
      bounds: [{ of: 'rows', most: 7, stop: 'credits' }, { of: 'balance' }],
      perPost: { rows: null, entries: null },
      endings: 'cap',
    })
    expect([bounds({ ...plain, rowCap: null }), bounds({ ...plain, mode: 'posts_only' })]).toEqual([
      ['balance'],
      ['balance'],
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
    expect(policyOf({ ...plain, keyword: { ...keyword, captureMode: 'depth' } }, 'capture')).toMatchObject({
      order: 'one_by_one',
      perPost: { rows: null },
    })
  })
  it('of a run that waits says how it will end [G17, G75]', () => {
    expect([policyOf({}, 'capture').endings, policyOf({}, 'keyword').endings]).toEqual(['cap', 'cause'])
  })
})
