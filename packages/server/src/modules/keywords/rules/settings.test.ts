import { describe, expect, it } from 'vitest'
import { endlessSchedule, type Schedule } from '../../sources/rules/schedule.ts'
import {
  changesBetween,
  decideSchedule,
  freshState,
  mergeSettings,
  revivedSchedule,
  rewritesAmong,
  type RequestedSearch,
  type SearchState,
} from './settings.ts'

const now = new Date('2026-11-20T12:00:00Z')
const fresh = freshState({ terms: ['a'], expression: null })
const after = (state: SearchState, named: RequestedSearch): SearchState => {
  const merged = mergeSettings(state, named, now)
  if (!merged.ok) throw new Error(JSON.stringify(merged))
  return merged.state
}
const watch = after(fresh, { mode: 'posts_only', postsPerSync: 5 })
const broad = after(fresh, { captureMode: 'breadth', maxEngagementsPerPost: 5 })

describe('settings', () => {
  const nobody = 'cannot be combined with mode posts_only, which captures nobody'
  it.each<readonly [state: SearchState, named: RequestedSearch, message: string | null]>([
    [watch, { captureEngagers: true }, `\`captureEngagers\` ${nobody}`],
    [watch, { capturePostAuthors: false }, `\`capturePostAuthors\` ${nobody}`],
    [watch, { mode: 'posts_only' }, null],
    [watch, { postsPerSync: 6 }, null],
    [watch, { mode: 'engagers', captureEngagers: true }, null],
    [watch, { mode: 'engagers', postsPerSync: 5 }, '`postsPerSync` is only allowed with mode: posts_only'],
    [fresh, { postsPerSync: 5 }, '`postsPerSync` is only allowed with mode: posts_only'],
    [fresh, { mode: 'posts_only' }, '`postsPerSync` is required with mode posts_only: a whole number from 1 to 60'],
    [fresh, { maxEngagementsPerPost: 5 }, '`maxEngagementsPerPost` is only allowed with captureMode: breadth'],
    [fresh, { maxEngagementsPerPost: null }, null],
    [
      broad,
      { captureMode: 'depth', maxEngagementsPerPost: 5 },
      '`maxEngagementsPerPost` is only allowed with captureMode: breadth',
    ],
    [broad, { maxEngagementsPerPost: 6 }, null],
    [broad, { captureMode: 'depth' }, null],
    [broad, { captureMode: 'depth', maxEngagementsPerPost: null }, null],
  ])('%# are refused in words [KEY-71, KEY-32, KEY-36]', (state, named, message) => {
    const merged = mergeSettings(state, named, now)
    expect(merged.ok ? null : merged).toEqual(message === null ? null : { ok: false, kind: 'invalid', message })
  })
  it.each<readonly [state: SearchState, named: RequestedSearch, capturing: readonly [boolean, boolean]]>([
    [fresh, {}, [true, false]],
    [fresh, { capturePostAuthors: true }, [true, true]],
    [fresh, { captureEngagers: false, capturePostAuthors: true }, [false, true]],
    [watch, {}, [true, false]],
    [after(fresh, { capturePostAuthors: true }), { mode: 'posts_only', postsPerSync: 1 }, [true, false]],
  ])('%# capture engagers and authors as they are named', (state, named, capturing) => {
    const { captureEngagers, capturePostAuthors } = after(state, named).search
    expect([captureEngagers, capturePostAuthors]).toEqual(capturing)
  })
  it('without anybody to capture are refused with a code of their own', () => {
    const authors = after(fresh, { captureEngagers: false, capturePostAuthors: true })
    for (const named of [{ capturePostAuthors: false }, { captureEngagers: false, capturePostAuthors: false }])
      expect(mergeSettings(authors, named, now)).toEqual({ ok: false, kind: 'no_capture_target' })
  })
  it('named go over the present ones, an empty list clears a filter, null clears what may be cleared [KEY-04, KEY-62, KEY-63]', () => {
    const one = after(fresh, {
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
    const two = after(one, {
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
    expect(after(one, {})).toEqual(one)
  })
  it('of a watch that captures again are those of a search that captures [KEY-36]', () =>
    expect(after(watch, { mode: 'engagers' })).toMatchObject({
      source: { postsPerSync: null },
      search: { captureEngagers: true, capturePostAuthors: false },
    }))
  it('differ field by field; order and repeats of filter values do not count; only some are rewrites [KEY-06, KEY-09, G78]', () => {
    const one = after(fresh, { authorIndustry: ['1', '2'] })
    expect(changesBetween(one, after(one, { authorIndustry: ['2', '1', '2'] }))).toEqual([])
    const changes = changesBetween(one, after(one, { authorIndustry: ['3'], creditCap: 7, sort: 'RELEVANCE' }))
    expect(changes).toEqual([
      { field: 'sort', from: 'DATE_POSTED', to: 'RELEVANCE' },
      { field: 'authorIndustry', from: ['1', '2'], to: ['3'] },
      { field: 'creditCap', from: 100, to: 7 },
    ])
    expect(rewritesAmong(changes).map(({ field }) => field)).toEqual(['sort', 'authorIndustry'])
  })
  it('begin with these', () =>
    expect(fresh.search).toEqual({
      terms: ['a'],
      expression: null,
      name: null,
      sort: 'DATE_POSTED',
      datePosted: 'PAST_WEEK',
      contentType: null,
      filters: {},
      ai: null,
      creditCap: 100,
      captureEngagers: true,
      capturePostAuthors: false,
      captureMode: 'depth',
      maxEngagementsPerPost: null,
    }))
})

describe('a schedule', () => {
  const soon = new Date(now.getTime() + 1)
  const later = new Date(now.getTime() + 86_400_000)
  const stoppedAt = new Date('2026-11-01')
  const stopped = { ...endlessSchedule, stoppedAt, runsCompleted: 2 } as const
  const ended = { ...endlessSchedule, endAt: now, stoppedAt, stoppedReason: 'end_at' } as const
  const twice = { ...stopped, maxRuns: 2, endAt: now, stoppedReason: 'max_runs' } as const
  it.each<readonly [what: string, present: Schedule, named: Parameters<typeof decideSchedule>[1], result: object]>([
    ['an end at this instant has come', endlessSchedule, { endAt: now }, { stoppedAt: now, stoppedReason: 'end_at' }],
    [
      'one a moment later has not',
      endlessSchedule,
      { endAt: soon },
      { stoppedAt: null, stoppedReason: null, endAt: soon },
    ],
    [
      'an end that is not named stays',
      { ...endlessSchedule, endAt: soon },
      { maxRuns: 3 },
      { endAt: soon, maxRuns: 3 },
    ],
    ['null lifts it', { ...endlessSchedule, endAt: soon }, { endAt: null }, { endAt: null }],
    [
      'one run on purpose keeps an end',
      { ...endlessSchedule, endAt: soon },
      { runOnce: true },
      { endAt: soon, runOnce: true, maxRuns: 1 },
    ],
    ['runs without a limit', { ...endlessSchedule, maxRuns: 2 }, { maxRuns: null }, { maxRuns: null, runOnce: false }],
    ['one run is no run once unless it was', endlessSchedule, { maxRuns: 1 }, { maxRuns: 1, runOnce: false }],
    [
      'nor when it is said so',
      { ...endlessSchedule, runOnce: true, maxRuns: 1 },
      { maxRuns: 1, runOnce: false },
      { maxRuns: 1, runOnce: false },
    ],
    ['no run once lifts a limit of one', { ...endlessSchedule, maxRuns: 1 }, { runOnce: false }, { maxRuns: null }],
    [
      'nothing named changes nothing',
      { ...endlessSchedule, maxRuns: 7, runOnce: false },
      {},
      { maxRuns: 7, runOnce: false },
    ],
    [
      'the runs are one below the limit',
      { ...stopped, maxRuns: 2, stoppedReason: 'max_runs' },
      { maxRuns: 3 },
      { stoppedAt: null, stoppedReason: null },
    ],
    [
      'the end that stopped it holds beside the runs',
      { ...stopped, endAt: now, stoppedReason: 'end_at' },
      { maxRuns: 2 },
      { stoppedAt: stoppedAt, stoppedReason: 'end_at' },
    ],
    [
      'the end that stopped it is gone, the runs hold',
      { ...stopped, endAt: now, maxRuns: 2, stoppedReason: 'end_at' },
      { endAt: soon },
      { stoppedAt: stoppedAt, stoppedReason: 'max_runs' },
    ],
    [
      'an end with runs left is lifted by both',
      twice,
      { maxRuns: 3, endAt: later },
      { stoppedAt: null, runsCompleted: 2 },
    ],
    ['a limit that is as before holds [KRN-21]', twice, { maxRuns: 2 }, { stoppedAt, stoppedReason: 'max_runs' }],
    ['another reason holds [KRN-22]', twice, { maxRuns: 3 }, { stoppedAt, stoppedReason: 'end_at' }],
    ['no end, the runs hold', twice, { endAt: null }, { stoppedAt, stoppedReason: 'max_runs' }],
    [
      'as many runs as were made',
      { ...endlessSchedule, runsCompleted: 4 },
      { maxRuns: 4 },
      { stoppedAt: now, stoppedReason: 'max_runs' },
    ],
    [
      'one run on purpose, after one',
      { ...ended, runsCompleted: 1 },
      { endAt: null, runOnce: true },
      { stoppedAt, stoppedReason: 'run_once' },
    ],
    ['one run on purpose, before any', ended, { endAt: soon, runOnce: true }, { stoppedAt: null }],
    [
      'no limit, and an end that has come',
      { ...stopped, maxRuns: 2, stoppedReason: 'max_runs' },
      { maxRuns: null, endAt: now },
      { stoppedAt, stoppedReason: 'end_at' },
    ],
    [
      'one run on purpose is a limit of one [KEY-38, G73]',
      endlessSchedule,
      { runOnce: true },
      { runOnce: true, maxRuns: 1 },
    ],
    ['no run once keeps another limit', { ...endlessSchedule, maxRuns: 5 }, { runOnce: false }, { maxRuns: 5 }],
    [
      'no run once of one run on purpose',
      { ...endlessSchedule, maxRuns: 1, runOnce: true },
      { runOnce: false },
      { maxRuns: null, runOnce: false },
    ],
    [
      'one run said twice',
      { ...endlessSchedule, maxRuns: 1, runOnce: true },
      { maxRuns: 1 },
      { maxRuns: 1, runOnce: true },
    ],
    [
      'two runs of one run on purpose',
      { ...endlessSchedule, maxRuns: 1, runOnce: true },
      { maxRuns: 2 },
      { maxRuns: 2, runOnce: false },
    ],
  ])('%s [KRN-20]', (_what, present, named, result) =>
    expect(decideSchedule(present, named, now)).toMatchObject(result),
  )
  it('counts anew once the search is tracked again; its end holds', () => {
    const once = revivedSchedule({ ...stopped, runOnce: true, maxRuns: 1, stoppedReason: 'run_once' })
    expect(decideSchedule(once, {}, now)).toMatchObject({ runsCompleted: 0, stoppedAt: null, maxRuns: 1 })
    expect(decideSchedule(revivedSchedule(ended), {}, now)).toMatchObject({ stoppedReason: 'end_at' })
  })
})
