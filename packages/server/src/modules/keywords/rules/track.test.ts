import { describe, expect, it } from 'vitest'
import { endlessSchedule, type Schedule } from '../../sources/rules/schedule.ts'
import { changesBetween, flatten, rewritesAmong } from './changes.ts'
import { decideContract, deprecationsOf, missingScope } from './contract-version.ts'
import { searchDailyMax } from './figures.ts'
import { decideSchedule, revivedSchedule } from './schedule.ts'
import { freshState, mergeSettings, type RequestedSearch, type SearchState } from './settings.ts'
import { readSubject } from './subject.ts'
import { decideEdit, decideTrack, type TrackRequest } from './track.ts'

const now = new Date('2026-11-21T09:00:00Z')
const cutover = new Date('2026-11-01T00:00:00Z')
const subject = { terms: ['a', 'b'], expression: null }
const fresh = freshState(subject)
const merged = (state: SearchState, named: RequestedSearch): SearchState => {
  const result = mergeSettings(state, named, now)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.state
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
  it('counts a scope field that is named, whatever its value, and tells what to add in its order [KEY-46, G70]', () => {
    expect(missingScope({ creditCap: 100, captureMode: 'depth', datePosted: 'PAST_WEEK' })).toEqual([])
    expect(missingScope({ captureMode: 'depth' })).toEqual(['creditCap', 'datePosted'])
    expect(deprecationsOf({}, undefined).map(({ field }) => field)).toEqual([
      'creditCap',
      'captureMode',
      'datePosted',
      'confirmSpend',
    ])
    expect(deprecationsOf({ creditCap: 1, captureMode: 'depth', datePosted: 'PAST_WEEK' }, true)).toEqual([])
    expect(
      deprecationsOf({ creditCap: 1, captureMode: 'depth', datePosted: 'PAST_WEEK' }, false).map(({ field }) => field),
    ).toEqual(['confirmSpend'])
  })
})

describe('what is searched for', () => {
  it('is the cleaned terms in their order, or the terms an expression compiles to under its canonical text [G60, G61]', () => {
    expect(readSubject({ keywords: [' Sales   Ops ', '“Head of Growth”'] })).toMatchObject({
      ok: true,
      subject: {
        terms: ['Sales Ops', '"Head of Growth"'],
        expression: null,
        username: 'Sales Ops OR "Head of Growth"',
      },
    })
    expect(readSubject({ expression: 'a AND b OR NOT c AND d' })).toMatchObject({
      ok: true,
      subject: { terms: ['a', 'b', 'd'] },
    })
    expect(readSubject({ keyword: 'x' })).toMatchObject({ ok: true, subject: { terms: ['x'], username: 'x' } })
  })
  it('of a plain OR and of the list of its terms is the same, of another order not [G60]', () => {
    const identity = (sent: Parameters<typeof readSubject>[0]) => {
      const read = readSubject(sent)
      return read.ok ? read.subject.identity : read.message
    }
    expect(identity({ expression: 'A b' })).toBe(identity({ keywords: ['a', 'B'] }))
    expect(identity({ keywords: ['b', 'a'] })).not.toBe(identity({ keywords: ['a', 'b'] }))
  })
  it('names the term or token that is wrong [KEY-10, KEY-11, EXP-10]', () => {
    const messages = [
      { keywords: ['a', 'A'] },
      { keywords: ['a', 'b (c)'] },
      { keyword: '"x' },
      { expression: 'a AND OR b' },
    ]
      .map((sent) => readSubject(sent))
      .map((read) => (read.ok ? '' : read.message))
    expect(messages).toEqual([
      expect.stringContaining('`keywords[1]`'),
      expect.stringContaining('"b (c)"'),
      expect.stringContaining('`keyword`'),
      expect.stringMatching(/`expression`.*OR/),
    ])
  })
})

describe('settings', () => {
  it('named go over the present ones, an empty list clears a filter, null clears what may be cleared [KEY-04, KEY-62, KEY-63]', () => {
    const one = merged(fresh, {
      name: 'n',
      authorIndustry: ['1'],
      fromPerson: ['ACx'],
      ai: { provider: 'openai', model: null, prompt: 'p' },
      contentType: 'IMAGE',
      captureMode: 'breadth',
      maxEngagementsPerPost: 3,
    })
    expect(one.search).toMatchObject({
      name: 'n',
      filters: { authorIndustry: ['1'], fromPerson: ['ACx'] },
      maxEngagementsPerPost: 3,
    })
    const two = merged(one, {
      name: null,
      authorIndustry: [],
      ai: null,
      contentType: null,
      maxEngagementsPerPost: null,
    })
    expect(two.search).toMatchObject({
      name: null,
      filters: { fromPerson: ['ACx'] },
      ai: null,
      contentType: null,
      maxEngagementsPerPost: null,
      captureMode: 'breadth',
    })
    expect(merged(one, {})).toEqual(one)
  })
  it('that do not go together are refused as they come out [KEY-71, KEY-32, KEY-36]', () => {
    const watch = merged(fresh, { mode: 'posts_only', postsPerSync: 3 })
    expect(mergeSettings(fresh, { captureEngagers: false }, now)).toEqual({ ok: false, kind: 'no_capture_target' })
    for (const [state, named] of [
      [fresh, { maxEngagementsPerPost: 1 }],
      [fresh, { mode: 'posts_only' }],
      [fresh, { postsPerSync: 3 }],
      [watch, { captureEngagers: false }],
      [watch, { capturePostAuthors: true }],
    ] as const)
      expect(mergeSettings(state, named, now)).toMatchObject({ ok: false, kind: 'invalid' })
    expect(merged(watch, { mode: 'engagers' })).toMatchObject({
      source: { postsPerSync: null },
      search: { captureEngagers: true, capturePostAuthors: false },
    })
  })
  it('differ field by field; order and repeats of filter values do not count; only some are rewrites [KEY-06, KEY-09, G78]', () => {
    const one = merged(fresh, { authorIndustry: ['1', '2'] })
    expect(changesBetween(one, merged(one, { authorIndustry: ['2', '1', '2'] }))).toEqual([])
    const changes = changesBetween(one, merged(one, { authorIndustry: ['3'], creditCap: 7, sort: 'RELEVANCE' }))
    expect(changes).toEqual([
      { field: 'sort', from: 'DATE_POSTED', to: 'RELEVANCE' },
      { field: 'authorIndustry', from: ['1', '2'], to: ['3'] },
      { field: 'creditCap', from: 100, to: 7 },
    ])
    expect(rewritesAmong(changes).map(({ field }) => field)).toEqual(['sort', 'authorIndustry'])
    expect(flatten(merged(fresh, { mode: 'posts_only', postsPerSync: 3 }))).toMatchObject({
      captureEngagers: null,
      capturePostAuthors: null,
    })
  })
  it('cost a day the cap, for posts-only the smaller of cap and posts [KEY-57]', () => {
    expect(
      [
        fresh,
        merged(fresh, { mode: 'posts_only', postsPerSync: 3 }),
        merged(fresh, { mode: 'posts_only', postsPerSync: 30, creditCap: 4 }),
      ].map(searchDailyMax),
    ).toEqual([100, 3, 4])
  })
})

describe('a schedule', () => {
  const stopped = (reason: NonNullable<Schedule['stoppedReason']>, more: Partial<Schedule>): Schedule => ({
    ...endlessSchedule,
    ...more,
    stoppedAt: cutover,
    stoppedReason: reason,
  })
  it('takes runOnce as one run and gives it up only for itself [KEY-38, G73]', () => {
    expect(decideSchedule(endlessSchedule, { runOnce: true }, now)).toMatchObject({ runOnce: true, maxRuns: 1 })
    expect(decideSchedule({ ...endlessSchedule, maxRuns: 5 }, { runOnce: false }, now)).toMatchObject({ maxRuns: 5 })
    expect(decideSchedule({ ...endlessSchedule, maxRuns: 1, runOnce: true }, { runOnce: false }, now)).toMatchObject({
      maxRuns: null,
      runOnce: false,
    })
    expect(decideSchedule({ ...endlessSchedule, maxRuns: 1, runOnce: true }, { maxRuns: 1 }, now)).toMatchObject({
      maxRuns: 1,
      runOnce: true,
    })
    expect(decideSchedule({ ...endlessSchedule, maxRuns: 1, runOnce: true }, { maxRuns: 2 }, now)).toMatchObject({
      maxRuns: 2,
      runOnce: false,
    })
  })
  it('is lifted only when nothing holds it, keeps its instant, and its reason while that holds [KRN-20, KRN-21, KRN-22]', () => {
    const twice = stopped('max_runs', { maxRuns: 2, runsCompleted: 2, endAt: cutover })
    expect(decideSchedule(twice, { maxRuns: 2 }, now)).toMatchObject({ stoppedReason: 'max_runs', stoppedAt: cutover })
    expect(decideSchedule(twice, { maxRuns: 3 }, now)).toMatchObject({ stoppedReason: 'end_at', stoppedAt: cutover })
    expect(decideSchedule(twice, { endAt: null }, now)).toMatchObject({ stoppedReason: 'max_runs', stoppedAt: cutover })
    expect(decideSchedule(twice, { maxRuns: 3, endAt: new Date('2026-12-01') }, now)).toMatchObject({
      stoppedReason: null,
      stoppedAt: null,
      runsCompleted: 2,
    })
    expect(decideSchedule({ ...endlessSchedule, runsCompleted: 4 }, { maxRuns: 4 }, now)).toMatchObject({
      stoppedReason: 'max_runs',
      stoppedAt: now,
    })
  })
  it('counts anew once the search is tracked again; its end holds', () => {
    expect(
      decideSchedule(revivedSchedule(stopped('run_once', { runOnce: true, maxRuns: 1, runsCompleted: 1 })), {}, now),
    ).toMatchObject({ runsCompleted: 0, stoppedAt: null, maxRuns: 1 })
    expect(decideSchedule(revivedSchedule(stopped('end_at', { endAt: cutover })), {}, now)).toMatchObject({
      stoppedReason: 'end_at',
    })
  })
})

describe('tracking and editing', () => {
  const request = (more: Partial<TrackRequest> = {}): TrackRequest => ({
    subject,
    named: { creditCap: 50, captureMode: 'depth', datePosted: 'PAST_WEEK' },
    contract: 'spend',
    confirmSpend: true,
    confirmChanges: undefined,
    balance: 120,
    now,
    ...more,
  })
  const held = (state: SearchState, active = true) => ({ type: 'keyword', active, state })
  const rewriting = { creditCap: 50, captureMode: 'depth', datePosted: 'PAST_MONTH' } as const

  it('are judged in order: combination, scope, holder, spend, rewrite [G3, C14]', () => {
    const person = { type: 'person', active: true, state: null }
    const kinds = (more: Partial<TrackRequest>, existing: Parameters<typeof decideTrack>[0] = null) =>
      decideTrack(existing, request(more)).kind
    expect(kinds({ named: { captureEngagers: false } }, person)).toBe('no_capture_target')
    expect(kinds({ named: { creditCap: 1 }, confirmSpend: undefined }, person)).toBe('scope_required')
    expect(kinds({ confirmSpend: undefined }, person)).toBe('in_use')
    expect(kinds({ named: rewriting, confirmSpend: undefined }, held(fresh))).toBe('spend')
    expect(kinds({ named: rewriting }, held(fresh))).toBe('conflict')
    expect(kinds({ named: rewriting, confirmChanges: true }, held(fresh))).toBe('track')
    expect(
      kinds({ named: { datePosted: 'PAST_MONTH' }, contract: 'older', confirmSpend: undefined }, held(fresh)),
    ).toBe('conflict')
    expect(kinds({ named: {}, contract: 'older', confirmSpend: undefined })).toBe('track')
  })
  it('an estimate is asked for nothing, whoever holds the terms [KEY-49]', () => {
    expect(
      decideTrack(held(fresh), request({ named: rewriting, contract: null, confirmSpend: undefined })),
    ).toMatchObject({ kind: 'track', changed: [{ field: 'datePosted' }, { field: 'creditCap' }] })
    expect(
      decideTrack({ type: 'person', active: true, state: null }, request({ contract: null, confirmSpend: undefined })),
    ).toMatchObject({ kind: 'track', before: null })
  })
  it('the spend gate quotes the result, and a rewrite with it [KEY-43, KEY-44]', () => {
    expect(decideTrack(held(fresh), request({ named: rewriting, confirmSpend: undefined }))).toEqual({
      kind: 'spend',
      figures: {
        creditCap: 50,
        captureMode: 'depth',
        datePosted: 'PAST_MONTH',
        estimatedDailyMax: 50,
        daysToExhaustAtCap: 2,
        remainingBalance: 120,
        changed: [{ field: 'datePosted', from: 'PAST_WEEK', to: 'PAST_MONTH' }],
      },
    })
  })
  it('an edit asks only for what may spend more [KEY-65..KEY-68]', () => {
    const authors = merged(fresh, { capturePostAuthors: true, captureEngagers: false })
    const raised = (state: SearchState, named: RequestedSearch) => {
      const decision = decideEdit(state, { named, confirmSpend: undefined, balance: 10, now })
      return decision.kind === 'spend' ? decision.figures.raised : decision.kind
    }
    expect([
      raised(fresh, { creditCap: 101 }),
      raised(fresh, { creditCap: 100 }),
      raised(fresh, { creditCap: 1 }),
    ]).toEqual([['creditCap'], 'edit', 'edit'])
    expect([
      raised(authors, { captureEngagers: true }),
      raised(authors, { mode: 'posts_only', postsPerSync: 1 }),
      raised(fresh, { capturePostAuthors: true }),
    ]).toEqual([['captureEngagers'], ['mode'], 'edit'])
  })
})
