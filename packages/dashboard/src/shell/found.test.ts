import { describe, expect, it } from 'vitest'
import { argumentOf, companiesIn, fitOf, named } from './found.ts'

describe('what is called like a text', () => {
  it('holds every word, in any case, and is at most five', () => {
    const rows = ['Outbound in Europe', 'europe', 'Sales', ...Array.from({ length: 9 }, (_, at) => `Europe ${at}`)]
    expect(named(rows, 'EUROPE out', (row) => row)).toEqual(['Outbound in Europe'])
    expect(named(rows, 'europe', (row) => row)).toHaveLength(5)
    expect(named(rows, 'nothing', (row) => row)).toEqual([])
  })

  it('is no line that merely has its letters somewhere, and best one that begins with it', () => {
    expect(fitOf('ingrid', 'Settings', ['Settings', 'preferences'])).toBe(0)
    expect(fitOf('ingrid', 'lead 7', ['Ingrid Solberg'])).toBe(1)
    expect(fitOf('sol ingrid', 'lead 7', ['Ingrid Solberg'])).toBe(0.5)
    expect(fitOf('ingrid', 'Track “ingrid”', ['Track “ingrid”'])).toBe(0.5)
    expect(fitOf('', 'Settings', ['Settings'])).toBe(1)
  })

  it('is acted on without the verb before it', () => {
    expect(['track grace', 'Search  for it', 'tracking', ' track '].map(argumentOf)).toEqual([
      'grace',
      'for it',
      'tracking',
      'track',
    ])
  })

  it('names a company once', () => {
    expect(companiesIn([{ companyName: 'Zeta' }, { companyName: null }, { companyName: 'Zeta' }])).toEqual(['Zeta'])
  })
})
