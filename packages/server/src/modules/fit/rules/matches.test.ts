import type { FilterRow } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { countriesOf, rowMatches } from './matches.ts'

const row = (column: string, operator: FilterRow['operator'], value?: FilterRow['value']): FilterRow<string> => ({
  column,
  operator,
  value,
})
const record = { jobTitle: 'Head of Growth', country: '', company: null, companyEmployeeCount: 120 }

describe('a row', () => {
  it.each([
    [row('jobTitle', 'contains', 'GROWTH'), true],
    [row('jobTitle', 'contains', '%'), false],
    [row('jobTitle', 'not_contains', 'sales'), true],
    [row('jobTitle', 'equals', 'head of growth'), true],
    [row('jobTitle', 'equals', 'growth'), false],
    [row('jobTitle', 'not_equals', 'head of growth'), false],
    [row('jobTitle', 'in', ['CEO', 'head OF growth']), true],
    [row('jobTitle', 'not_in', ['CEO']), true],
    [row('companyEmployeeCount', 'at_least', 120), true],
    [row('companyEmployeeCount', 'at_least', 120.5), false],
    [row('companyEmployeeCount', 'at_most', 119), false],
    [row('companyEmployeeCount', 'at_most', 120), true],
    [row('companyEmployeeCount', 'at_most', 119.5), false],
    [row('companyEmployeeCount', 'at_most', 121), true],
    [row('companyEmployeeCount', 'at_least', 119), true],
    [row('companyEmployeeCount', 'at_least', 121), false],
    [row('jobTitle', 'not_equals', 'growth'), true],
    [row('jobTitle', 'is_empty'), false],
    [row('jobTitle', 'is_not_empty'), true],
    [row('jobTitle', 'at_least', 1), false],
    [row('companyEmployeeCount', 'equals', 120), true],
    [row('companyEmployeeCount', 'in', [1, 120]), true],
    [row('companyEmployeeCount', 'not_equals', 120), false],
    [row('companyEmployeeCount', 'not_equals', 121), true],
    [row('companyEmployeeCount', 'not_in', [1, 120]), false],
    [row('companyEmployeeCount', 'not_in', [1, 2]), true],
    [row('country', 'is_empty'), true],
    [row('country', 'is_not_empty'), false],
  ] as const)('%j is %s [ICP-09]', (one, expected) => expect(rowMatches(one, record)).toBe(expected))

  it.each(['contains', 'equals', 'in', 'at_least', 'at_most', 'is_not_empty'] as const)(
    '%s fails on an unknown field [ICP-09]',
    (operator) => expect(rowMatches(row('company', operator, operator === 'in' ? ['x'] : 'x'), record)).toBe(false),
  )
  it.each(['not_contains', 'not_equals', 'not_in', 'is_empty'] as const)(
    '%s passes on an unknown field [ICP-09]',
    (operator) => expect(rowMatches(row('company', operator, operator === 'not_in' ? ['x'] : 'x'), record)).toBe(true),
  )
})

describe('a country', () => {
  const of = (operator: FilterRow['operator'], value: FilterRow['value'], country: string) =>
    rowMatches(row('country', operator, value), { country })
  it.each<[string, FilterRow['operator'], FilterRow['value'], boolean]>([
    ['United States', 'equals', 'USA', true],
    ['USA', 'equals', 'united states', true],
    ['United States', 'contains', 'usa', true],
    ['United States', 'in', ['Germany', 'us'], true],
    ['United States', 'not_equals', 'USA', false],
    ['United States', 'not_contains', 'USA', false],
    ['United States', 'not_in', ['Germany', 'US'], false],
    ['United States', 'equals', 'Germany', false],
    ['United States', 'not_equals', 'Germany', true],
    ['United States', 'not_in', ['Germany'], true],
    // A value that names no country is compared as text, on either side.
    ['United States', 'contains', 'united', true],
    ['United States', 'not_contains', 'united', false],
    ['Atlantis', 'equals', 'atlantis', true],
    ['Atlantis', 'equals', 'USA', false],
    ['Atlantis', 'not_equals', 'USA', true],
  ])('«%s» %s %j is %s [G149]', (country, operator, value, expected) =>
    expect(of(operator, value, country)).toBe(expected),
  )
  it('is one in the field of countries alone', () =>
    expect(rowMatches(row('jobTitle', 'equals', 'USA'), { jobTitle: 'United States' })).toBe(false))
  it('is named once, however often a row names it', () => {
    expect(countriesOf({ value: ['USA', 'us', 'nowhere', 'Germany'] })).toEqual(['US', 'DE'])
    expect(countriesOf({ value: 'nowhere' })).toEqual([])
  })
})

describe('texts are compared without what nobody sees or means', () => {
  it.each([
    ['Head\u200b of Sales', 'head of sales'],
    ['Head of Sa\u00adles', 'Head of Sales'],
    ['Acme\u00a0GmbH', 'acme gmbh'],
    ['\u200eAcme GmbH\u200e', 'Acme\u2003GmbH'],
    ['Acme GmbH', '\ufeffAcme\u00a0GmbH\u00a0'],
    ['Co\u2011Founder', 'co-founder'],
    ['Co\u2013Founder', 'co\u2010founder'],
    ['Women\u2019s Health', "women's health"],
    ['Women\u00b4s Health', 'women\u02bcs health'],
    ['\u{1d407}\u{1d41e}\u{1d41a}\u{1d41d} of Growth', 'head of growth'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΝΙΚΟΣ', 'Νίκος'.normalize('NFD').replace('\u0301', '')],
    ['Οδυσσεύς', 'ΟΔΥΣΣΕΎΣ'],
    ['İzmir', 'i\u0307zmir'],
    ['ﬁnance', 'FINANCE'],
    ['Zoe\u0308', 'zoë'],
    ['\u2764\ufe0f Sales', '\u2764 sales'],
  ])('%j is %j [G167, WLD-09, WLD-25, FIX-05]', (held, asked) => {
    for (const operator of ['equals', 'contains'] as const)
      expect([operator, rowMatches(row('jobTitle', operator, asked), { jobTitle: held })]).toEqual([operator, true])
    expect(rowMatches(row('jobTitle', 'in', ['x', held]), { jobTitle: asked })).toBe(true)
    expect(rowMatches(row('jobTitle', 'not_equals', asked), { jobTitle: held })).toBe(false)
  })
  it('and letters that differ to a reader stay apart [G167]', () => {
    for (const [held, asked] of [
      ['müller', 'muller'],
      ['ırmak', 'irmak'],
      ['director', ' cto'],
    ])
      expect(rowMatches(row('name', 'contains', asked), { name: held })).toBe(false)
  })
  it('a text of which nothing can be seen is empty [G167]', () => {
    expect(rowMatches(row('name', 'is_empty'), { name: '\u200b \u2060' })).toBe(true)
    expect(rowMatches(row('name', 'is_not_empty'), { name: '\u200b' })).toBe(false)
  })
})
