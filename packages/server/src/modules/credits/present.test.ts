import { expect, it } from 'vitest'
import { presentUsage } from './present.ts'
import type { UsageRow } from './store.ts'

const day = (date: string, credits: number): UsageRow => ({
  date,
  category: null,
  sourceId: null,
  type: null,
  label: null,
  credits,
})
const of = (over: Partial<UsageRow>): UsageRow => ({
  date: null,
  category: 'source',
  sourceId: null,
  type: null,
  label: null,
  credits: 1,
  ...over,
})
const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-31T00:00:00Z') }

it('usage adds the days up, lists them in order, and sources by what they cost, those that are no source by what it was for [G15]', () => {
  const rows = [
    of({ sourceId: 'b', type: 'person', label: 'ben', credits: 2 }),
    day('2026-01-02', 4),
    of({ category: 'posts_read', credits: 2 }),
    of({ sourceId: 'a', type: 'keyword', label: 'pumps', credits: 2 }),
    day('2026-01-01', 5),
    of({ category: 'discover', credits: 3 }),
  ]
  expect(presentUsage(period, rows)).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-31T00:00:00.000Z',
    total: 9,
    byDate: [
      { date: '2026-01-01', credits: 5 },
      { date: '2026-01-02', credits: 4 },
    ],
    bySource: [
      { sourceId: null, type: 'discover', label: null, credits: 3 },
      { sourceId: 'a', type: 'keyword', label: 'pumps', credits: 2 },
      { sourceId: 'b', type: 'person', label: 'ben', credits: 2 },
      { sourceId: null, type: 'posts_read', label: null, credits: 2 },
    ],
  })
})

it('usage of nothing is nothing', () => {
  expect(presentUsage(period, [])).toMatchObject({ total: 0, byDate: [], bySource: [] })
})
