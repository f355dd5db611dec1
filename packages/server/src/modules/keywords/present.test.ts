import { describe, expect, it } from 'vitest'
import type { Source } from '../sources/index.ts'
import { presentFoundPost, presentRow } from './present.ts'
import { freshState } from './rules/settings.ts'
import type { KeywordSearch } from './store.ts'

const { search, source: settings, schedule } = freshState({ terms: ['ai'], expression: null })
const at = (text: string) => new Date(text)
const source = { settings, schedule, nextSyncAt: null } as Source
const rowOf = (change: Partial<KeywordSearch>, of: Partial<Source> = {}) =>
  presentRow({ ...source, ...of }, { ...search, teamId: 't', sourceId: 's', ...change } as KeywordSearch)

describe('a search in a list', () => {
  it('shows its words as they are held, its cap and its schedule [KEY-28]', () => {
    const held = ['ai', 'agents']
    const shown = rowOf(
      { terms: held, expression: 'ai AND agents', creditCap: 40 },
      {
        nextSyncAt: at('2026-11-03T08:00:00Z'),
        schedule: {
          ...schedule,
          runsCompleted: 2,
          maxRuns: 5,
          runOnce: false,
          endAt: at('2026-12-01T00:00:00Z'),
          stoppedAt: at('2026-11-02T08:00:00Z'),
          stoppedReason: 'max_runs',
        } as Source['schedule'],
      },
    )
    expect(shown).toMatchObject({
      keywords: ['ai', 'agents'],
      expression: 'ai AND agents',
      creditCap: 40,
      config: { creditCap: 40 },
      schedule: {
        runsCompleted: 2,
        maxRuns: 5,
        runOnce: false,
        endAt: '2026-12-01T00:00:00.000Z',
        nextRunAt: '2026-11-03T08:00:00.000Z',
        stoppedAt: '2026-11-02T08:00:00.000Z',
        stoppedReason: 'max_runs',
      },
    })
    expect(shown.keywords).not.toBe(held)
  })
  it('has instants that have not come as null, and filters only when one is set [KEY-28]', () => {
    const shown = rowOf({ terms: ['ai'] })
    expect(shown.schedule).toMatchObject({ endAt: null, nextRunAt: null, stoppedAt: null })
    expect(shown).not.toHaveProperty('filters')
    expect(
      rowOf({ terms: ['ai'], filters: { authorKeywords: ['ceo', 'cto'] } as KeywordSearch['filters'] }),
    ).toHaveProperty('filters', { authorKeywords: ['ceo', 'cto'] })
  })
})

it('a post that a search has judged shows the post, the judgement and when it was made', () => {
  const facts = {
    post_urn: 'urn:li:activity:1',
    url: 'https://p',
    text: 'Hi',
    author_name: 'Ann',
    author_url: null,
    author_headline: null,
    comments_count: 1,
    total_reaction_count: 2,
    content_type: 'text',
    posted_at: at('2026-11-01T00:00:00Z'),
  }
  expect(
    presentFoundPost({
      ...facts,
      outcome: 'discarded',
      reason: 'expression',
      decided_at: at('2026-11-02T00:00:00Z'),
    } as never),
  ).toEqual({
    postUrn: 'urn:li:activity:1',
    url: 'https://p',
    text: 'Hi',
    author: { name: 'Ann', url: null, headline: null },
    commentsCount: 1,
    totalReactionCount: 2,
    contentType: 'text',
    postedAt: '2026-11-01T00:00:00.000Z',
    outcome: 'discarded',
    reason: 'expression',
    decidedAt: '2026-11-02T00:00:00.000Z',
  })
})
