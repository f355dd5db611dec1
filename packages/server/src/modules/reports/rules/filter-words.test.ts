import { leadFilterColumns, type FilterRow } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { rowInWords } from './filter-words.ts'

describe('a row of a filter', () => {
  it.each<[FilterRow<string>, string]>([
    [{ column: 'jobTitle', operator: 'contains', value: 'sales' }, 'Job title contains “sales”'],
    [
      { column: 'country', operator: 'in', value: ['Germany', 'Austria', 'Poland'] },
      'Country is “Germany”, “Austria” or “Poland”',
    ],
    [{ column: 'country', operator: 'not_in', value: ['Germany'] }, 'Country is not “Germany”'],
    [{ column: 'companyEmployeeCount', operator: 'at_least', value: 50 }, 'Number of employees is at least 50'],
    [{ column: 'companyIndustry', operator: 'is_empty' }, 'Industry is unknown'],
  ])('%j reads %s', (row, words) => expect(rowInWords(row)).toBe(words))
  it('names every column of a lead in words', () => {
    for (const column of Object.keys(leadFilterColumns))
      expect(rowInWords({ column, operator: 'is_not_empty' })).toMatch(/^[A-Z][a-z ]+ is known$/)
  })
})
