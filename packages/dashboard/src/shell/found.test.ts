import { describe, expect, it } from 'vitest'
import { companiesIn, named } from './found.ts'

describe('what is called like a text', () => {
  it('holds every word, in any case, and is at most five', () => {
    const rows = ['Outbound in Europe', 'europe', 'Sales', ...Array.from({ length: 9 }, (_, at) => `Europe ${at}`)]
    expect(named(rows, 'EUROPE out', (row) => row)).toEqual(['Outbound in Europe'])
    expect(named(rows, 'europe', (row) => row)).toHaveLength(5)
    expect(named(rows, 'nothing', (row) => row)).toEqual([])
  })

  it('names a company once', () => {
    expect(companiesIn([{ companyName: 'Zeta' }, { companyName: null }, { companyName: 'Zeta' }])).toEqual(['Zeta'])
  })
})
