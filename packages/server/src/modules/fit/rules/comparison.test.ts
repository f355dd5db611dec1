import { describe, expect, it } from 'vitest'
import { creditsPerFit, namesRows } from './comparison.ts'

const row = { column: 'jobTitle', operator: 'contains', value: 'growth' } as const

describe('a comparison of criteria', () => {
  it('names the row that somebody misses by where several must match', () => {
    expect([namesRows([row, row], 'all'), namesRows([row], 'all'), namesRows([row, row], 'any')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('says what a person who fits costs, at the share of people who do', () => {
    expect([creditsPerFit(10, 4), creditsPerFit(10, 10), creditsPerFit(10, 3), creditsPerFit(10, 0)]).toEqual([
      2.5,
      1,
      3.3,
      null,
    ])
  })
})
