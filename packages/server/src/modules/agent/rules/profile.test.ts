import { describe, expect, it } from 'vitest'
import { emptyProfile, topicsToSearch, type Profile } from './profile.ts'

describe('the profile of an agent', () => {
  const told: Profile = {
    summary: 'Sells pumps',
    titles: ['CTO'],
    industries: ['Mining'],
    companySizes: ['11-50'],
    countries: ['Chile'],
    topics: ['Pumps', 'Mines'],
    competitors: [{ name: 'Acme', domain: 'acme.com' }],
  }
  it('searches each topic once, however it is spelled, as it was spelled last', () => {
    expect(topicsToSearch({ ...told, topics: ['Pumps', 'Straße', 'pUMPS', 'Mines'] })).toEqual([
      'pUMPS',
      'Straße',
      'Mines',
    ])
    expect(topicsToSearch(emptyProfile)).toEqual([])
  })
  it('searches a topic once whose letters are composed or not, or whose words are joined by an operator or by that word', () => {
    const composed = ['caf\u00e9', 'cafe\u0301', 'CAFE\u0301', 'pumps AND mines', 'Pumps and mines']
    expect(topicsToSearch({ ...told, topics: composed })).toEqual(['CAFE\u0301', 'Pumps and mines'])
  })
  it('two topics that are compared as one are one search [G167]', () => {
    const topics = ['Straße', 'STRASSE', 'Co\u2011Op', 'co-op', 'ΣΑΣ', 'σας']
    expect(topicsToSearch({ ...told, topics })).toEqual(['STRASSE', 'co-op', 'σας'])
  })
})
