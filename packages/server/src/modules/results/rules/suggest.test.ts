import { describe, expect, it } from 'vitest'
import { rowMatches } from '../../fit/rules/matches.ts'
import { suggest, type Contacted } from './suggest.ts'

const trying = { minimumGroup: 10, matches: rowMatches }
const unknown = { jobTitle: null, country: null, companyIndustry: null, companyStaffRange: null, engagementType: null }
/** This many people with something in common, of whom the first `replied` reply. */
const group = (about: Partial<Contacted>, people: number, replied: number): Contacted[] =>
  Array.from({ length: people }, (_, at) => ({ ...unknown, ...about, replied: at < replied }))

describe('suggestions', () => {
  it('propose what repliers share, with its figures and what it would have kept', () => {
    const people = [
      ...group({ jobTitle: 'Head of Growth' }, 20, 12),
      ...group({ jobTitle: 'Growth Manager' }, 20, 8),
      ...group({ jobTitle: 'Accountant' }, 60, 3),
      ...group({}, 20, 2),
    ]
    const [first] = suggest(people, trying)
    expect(first).toEqual({
      row: { column: 'jobTitle', operator: 'contains', value: 'growth' },
      why: 'Of people with a job title with “growth” 50 % replied (20 of 40), of the others 5 % (3 of 60).',
      people: 100,
      with: { people: 40, replied: 20, rate: 0.5 },
      without: { people: 60, replied: 3, rate: 0.05 },
      lift: 10,
      backtest: { keptReplied: 20, replied: 25, kept: 40, people: 120, keptRate: 0.5, rate: 0.2083 },
    })
  })
  it('propose to leave out what those share who do not reply; who is unknown is kept', () => {
    const people = [...group({ country: 'DE' }, 50, 20), ...group({ country: 'FR' }, 50, 0), ...group({}, 10, 1)]
    const found = suggest(people, trying)
    expect(found.map(({ row, lift, backtest }) => [row, lift, backtest.kept, backtest.keptReplied])).toEqual([
      [{ column: 'country', operator: 'equals', value: 'DE' }, null, 50, 20],
      [{ column: 'country', operator: 'not_equals', value: 'FR' }, 0, 60, 21],
    ])
  })
  it.each([
    ['chance explains', [...group({ country: 'DE' }, 50, 12), ...group({ country: 'FR' }, 50, 9)]],
    ['fewer than ten people share', [...group({ country: 'DE' }, 9, 9), ...group({ country: 'FR' }, 60, 1)]],
    ['everybody shares', group({ country: 'DE' }, 60, 30)],
    ['is known of nobody', group({}, 60, 30)],
  ])('say nothing of what %s', (_what, people) => expect(suggest(people, trying)).toEqual([]))
  it.each(['companyIndustry', 'companyStaffRange', 'engagementType'] as const)('look at %s', (column) => {
    const people = [...group({ [column]: 'a' }, 40, 30), ...group({ [column]: 'b' }, 40, 2)]
    expect(suggest(people, trying).map(({ row }) => row)).toEqual([
      { column, operator: 'equals', value: 'a' },
      { column, operator: 'not_equals', value: 'b' },
    ])
  })
})
