import { describe, expect, it } from 'vitest'
import { conflictsOf, filtersIn, leadInput, rawInput } from './filters.ts'
import { search } from './search.ts'

describe('the filters of leads', () => {
  it('says in words which combinations the service refuses, and which filter to drop', () => {
    expect(conflictsOf({ profileId: 'a', username: 'b' }).map(({ drop }) => drop)).toEqual([['username']])
    expect(conflictsOf({ username: 'b', sourceKind: 'post' }).map(({ at }) => at)).toEqual(['sourceKind'])
    expect(
      conflictsOf({ since: '2026-11-02T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' }).map(({ at }) => at),
    ).toEqual(['until'])
    expect(
      conflictsOf({ profileId: 'a', since: '2026-11-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' }),
    ).toEqual([])
  })

  it('shows leads of sources that are syncing unless told otherwise, and never asks for that of one source', () => {
    expect(leadInput({})).toEqual({ includeSyncing: true })
    expect(leadInput({ includeSyncing: false, name: 'ann' })).toEqual({ includeSyncing: false, name: 'ann' })
    expect(leadInput({ profileId: 'a' })).toEqual({ profileId: 'a' })
  })

  it('asks raw leads only by what they have', () => {
    expect(rawInput({ engagementType: 'Like', isIcp: true, name: 'ann' })).toEqual({ action: 'Like' })
  })
})

describe('the address of the page', () => {
  it('keeps every filter, and leaves out what it does not know', () => {
    expect(
      search({
        tab: 'engagers',
        isIcp: true,
        webhookStatus: 'sent',
        name: 42,
        since: '2026-11-01T00:00:00.000Z',
        lead: 'not an id',
        sourceKind: 'all',
        colour: 'red',
      }),
    ).toEqual({ tab: 'engagers', isIcp: true, webhookStatus: 'sent', name: '42', since: '2026-11-01T00:00:00.000Z' })
  })

  it('drops an instant that is none, and text longer than the service takes', () => {
    expect(search({ since: 'yesterday', name: 'x'.repeat(300) })).toEqual({ name: 'x'.repeat(200) })
  })

  it('gives back the filters alone', () => {
    expect(filtersIn({ ...search({ tab: 'raw', isIcp: false }) })).toEqual({ isIcp: false })
  })
})
