import { expect, it } from 'vitest'
import { presentUsage, type ChargeSum } from './operations.ts'

const day = (date: string, credits: number): ChargeSum => ({ date, category: null, sourceId: null, credits })
const of = (over: Partial<ChargeSum>): ChargeSum => ({
  date: null,
  category: 'source',
  sourceId: null,
  credits: 1,
  ...over,
})
const period = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-31T00:00:00Z') }

it('usage adds the days up, lists them in order, and sources by what they cost, those that are no source by what it was for [G15]', () => {
  const rows = [
    of({ sourceId: 'b', credits: 2 }),
    day('2026-01-02', 4),
    of({ category: 'posts_read', credits: 2 }),
    of({ sourceId: 'a', credits: 2 }),
    day('2026-01-01', 5),
    of({ category: 'discover', credits: 3 }),
  ]
  const described = new Map([
    ['a', { type: 'keyword', label: 'pumps' }],
    ['b', { type: 'person', label: 'ben' }],
  ])
  expect(presentUsage(period, rows, described)).toEqual({
    ...period,
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
  expect(presentUsage(period, [], new Map())).toMatchObject({ total: 0, byDate: [], bySource: [] })
})
