/** What was ignored is named with what was probably meant; nothing a caller sends can break a header. */
import { operationsById } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { ignoredParameters, nearestName } from './ignored.ts'

const { listLeads, enrichProfile, listAgentLeads, trackKeyword, getCredits } = operationsById
const query = (...names: string[]) => ({ params: {}, query: names.map((name) => [name, '1'] as const), body: {} })
const body = (fields: Record<string, unknown>) => ({ params: {}, query: [], body: fields })

describe('the nearest name', () => {
  it.each([
    ['limt', 'limit'],
    ['Limit', 'limit'],
    ['lmiit', 'limit'],
    ['is_icp', 'isIcp'],
    ['off', undefined],
    ['utm_source', undefined],
    ['', undefined],
    ['x'.repeat(5_000), undefined],
  ])('of %s is %s', (asked, nearest) => expect(nearestName(asked, ['limit', 'offset', 'isIcp'])).toBe(nearest))
})

describe('X-Ignored-Parameters', () => {
  it('names every query parameter that the operation does not know', () => {
    expect(ignoredParameters(listLeads, query('limt', 'limit', 'utm_source'))).toBe(
      'limt;did-you-mean=limit, utm_source',
    )
    expect(ignoredParameters(getCredits, query('a'))).toBe('a')
  })
  it('names body fields only where they nearly are one that is known', () => {
    expect(ignoredParameters(enrichProfile, body({ username: 'a', saveTrackedprofile: true, companyNote: 'x' }))).toBe(
      'saveTrackedprofile;did-you-mean=saveTrackedProfile',
    )
    expect(ignoredParameters(trackKeyword, body({ keywrods: ['a'], credit_cap: 3 }))).toBe(
      'keywrods;did-you-mean=keywords, credit_cap;did-you-mean=creditCap',
    )
  })
  it('is not there when everything was read', () => {
    expect(ignoredParameters(listLeads, query('limit', 'offset'))).toBeNull()
    expect(ignoredParameters(listAgentLeads, query('agentId'))).toBeNull()
    expect(ignoredParameters(enrichProfile, body({ username: 'a', saveTrackedProfile: true }))).toBeNull()
  })
  it('holds only plain names, and ten of them at most', () => {
    expect(ignoredParameters(listLeads, query('a\r\nx: y', 'b;c', 'ü', 'x'.repeat(61)))).toBeNull()
    const many = ignoredParameters(listLeads, query(...Array.from({ length: 40 }, (_, at) => `name${at}`)))!
    expect(many.split(', ')).toHaveLength(10)
  })
})
