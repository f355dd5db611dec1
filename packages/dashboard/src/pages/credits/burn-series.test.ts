import { describe, expect, it } from 'vitest'
import { burnSeries } from './burn-series.ts'

const source = (key: string, label: string, type = 'person') => ({ key, sourceId: null, type, label, credits: 1 })

describe('the burn as a chart', () => {
  it('has a number for every day and source, also where nothing was spent', () => {
    const { data, series } = burnSeries({
      sources: [source('a', 'Ann'), source('b', 'Bea')],
      days: [
        { date: '2026-11-01', total: 3, bySource: [{ key: 'a', credits: 3 }] },
        { date: '2026-11-02', total: 2, bySource: [{ key: 'b', credits: 2 }] },
      ],
    })
    expect(series.map(({ label }) => label)).toEqual(['Ann', 'Bea'])
    expect(data).toEqual([
      { date: '2026-11-01', s0: 3, s1: 0 },
      { date: '2026-11-02', s0: 0, s1: 2 },
    ])
  })

  it('keeps what is summed up as everything else, and tells equal names apart', () => {
    const { series } = burnSeries({
      sources: [source('a', 'Acme', 'person'), source('b', 'Acme', 'company')],
      days: [
        {
          date: '2026-11-01',
          total: 3,
          bySource: [
            { key: 'a', credits: 1 },
            { key: 'b', credits: 1 },
            { key: 'other', credits: 1 },
          ],
        },
      ],
    })
    expect(series.map(({ label }) => label)).toEqual(['Acme (Person)', 'Acme (Company page)', 'Everything else'])
  })
})
