import { describe, expect, it } from 'vitest'
import { freshState, mergeSettings, type RequestedSearch, type SearchState } from './settings.ts'
import { decideContract, deprecationsOf, missingScope, raisedBetween, searchDailyMax } from './spend.ts'

const cutover = new Date('2026-11-01T00:00:00Z')
const fresh = freshState({ terms: ['a', 'b'], expression: null })
const after = (state: SearchState, named: RequestedSearch): SearchState => {
  const merged = mergeSettings(state, named, cutover)
  if (!merged.ok) throw new Error(JSON.stringify(merged))
  return merged.state
}

describe('the contract of a request', () => {
  it.each([
    [undefined, '2026-10-31T23:59:59.999Z', 'older'],
    [undefined, '2026-11-01T00:00:00.000Z', 'spend'],
    ['2026-09-09', '2026-10-31T23:59:59.999Z', 'older'],
    ['2026-09-09', '2026-11-01T00:00:00.000Z', 'pin_refused'],
    ['2026-11-01', '2026-01-01T00:00:00.000Z', 'spend'],
    ['2026-11-01', '2027-01-01T00:00:00.000Z', 'spend'],
  ] as const)('pinned %s at %s is %s [VER-03, VER-05, VER-08, C15]', (version, at, contract) => {
    expect(decideContract(version, new Date(at), cutover)).toBe(contract)
  })
  it('stays the older one while no cut-over is configured, unless pinned [G68]', () => {
    expect(
      (['2026-09-09', '2026-11-01', undefined] as const).map((version) =>
        decideContract(version, new Date('2030-01-01'), null),
      ),
    ).toEqual(['older', 'spend', 'older'])
  })
})

describe('the scope', () => {
  const words = {
    creditCap: 'Name creditCap, the credits one run may spend: the spend contract requires it.',
    captureMode: 'Name captureMode, depth or breadth: the spend contract requires it.',
    datePosted: 'Name datePosted, how old found posts may be: the spend contract requires it.',
    confirmSpend: 'Send confirmSpend: true: under the spend contract nothing is tracked without it.',
  }
  const told = (...fields: (keyof typeof words)[]) => fields.map((field) => ({ field, message: words[field] }))
  const all = { creditCap: 1, captureMode: 'depth', datePosted: 'PAST_WEEK' }
  it('that is left out is named field by field, in words, whatever the value of the others [KEY-46, G70]', () => {
    expect(deprecationsOf({}, undefined)).toEqual(told('creditCap', 'captureMode', 'datePosted', 'confirmSpend'))
    expect(deprecationsOf({ captureMode: null }, true)).toEqual(told('creditCap', 'datePosted'))
    expect(deprecationsOf(all, false)).toEqual(told('confirmSpend'))
    expect(deprecationsOf(all, true)).toEqual([])
    expect(missingScope({ creditCap: 1 })).toEqual(['captureMode', 'datePosted'])
  })
})

describe('what a search may spend', () => {
  const watch = after(fresh, { mode: 'posts_only', postsPerSync: 3 })
  const authors = after(fresh, { capturePostAuthors: true, captureEngagers: false })
  it('is a day the cap, for posts-only the smaller of cap and posts [KEY-57]', () => {
    const capped = after(fresh, { mode: 'posts_only', postsPerSync: 30, creditCap: 4 })
    expect([fresh, watch, capped].map(searchDailyMax)).toEqual([100, 3, 4])
  })
  it.each<readonly [SearchState, RequestedSearch, string[]]>([
    [fresh, { creditCap: 101 }, ['creditCap']],
    [fresh, { creditCap: 100 }, []],
    [fresh, { creditCap: 1 }, []],
    [fresh, { capturePostAuthors: true }, []],
    [watch, { postsPerSync: 4, creditCap: 101 }, ['creditCap', 'postsPerSync']],
    [authors, { captureEngagers: true }, ['captureEngagers']],
    [authors, { mode: 'posts_only', postsPerSync: 1 }, ['mode']],
    [authors, { mode: 'posts_only', postsPerSync: 1, creditCap: 101 }, ['creditCap', 'mode']],
  ])('%# is raised by these settings of an edit [KEY-65..KEY-68]', (before, named, raised) =>
    expect(raisedBetween(before, after(before, named))).toEqual(raised),
  )
})
