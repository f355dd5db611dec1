import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { endlessSchedule, type Schedule } from '../../sources/rules/schedule.ts'
import { changesBetween, flatten } from './changes.ts'
import { scanLimit, searchRunSettings } from './run-settings.ts'
import { decideSchedule } from './schedule.ts'
import { freshState, type SearchSettings, type SearchState } from './settings.ts'
import { readSubject } from './subject.ts'

const ai = { provider: 'openai', model: 'gpt', prompt: 'Buyers' } as const
const search: SearchSettings = {
  ...freshState({ terms: ['pumps', 'drills'], expression: 'pumps OR drills' }).search,
  datePosted: 'PAST_MONTH',
  contentType: 'images' as never,
  filters: { fromPerson: ['ACoAAx'] },
  ai,
  creditCap: 40,
  captureEngagers: false,
  capturePostAuthors: true,
  captureMode: 'breadth',
  maxEngagementsPerPost: 9,
  name: 'Mine',
}

describe('a run of a search is bound', () => {
  const source = { ...initialSettings, captureReplies: false, enrichLeads: false, creditCapPerSync: 5 }
  const sought = {
    terms: ['pumps', 'drills'],
    expression: 'pumps OR drills',
    datePosted: 'PAST_MONTH',
    contentType: 'images',
    filters: { fromPerson: ['ACoAAx'] },
    ai,
  }
  const keyword = {
    creditCap: 40,
    captureEngagers: false,
    capturePostAuthors: true,
    captureMode: 'breadth',
    maxEngagementsPerPost: 9,
  }

  it('by what the search is set to when it starts, over 2,000 posts [KEY-60, KRN-03]', () => {
    expect(scanLimit).toBe(2_000)
    expect(searchRunSettings(source, search)).toEqual({
      mode: 'engagers',
      maxPosts: 2_000,
      sinceDays: null,
      rowCap: null,
      captureReplies: false,
      enrichLeads: false,
      keyword,
      search: sought,
    })
  })
  it('as a watch by its posts, or without a number by its credits [KRN-15]', () => {
    const watch = { ...source, mode: 'posts_only' as const }
    expect(searchRunSettings({ ...watch, postsPerSync: 7 }, search)).toMatchObject({ mode: 'posts_only', maxPosts: 7 })
    expect(searchRunSettings({ ...watch, postsPerSync: null }, search)).toMatchObject({ maxPosts: 40 })
    expect(searchRunSettings({ ...source, postsPerSync: 7 }, search)).toMatchObject({ maxPosts: 2_000 })
  })
})

describe('settings side by side', () => {
  const state = (
    over: {
      search?: Partial<SearchSettings>
      source?: Partial<SearchState['source']>
      schedule?: Partial<Schedule>
    } = {},
  ): SearchState => ({
    search: { ...search, ...over.search },
    source: { ...initialSettings, ...over.source },
    schedule: { ...endlessSchedule, ...over.schedule },
  })

  it('show the AI filter in three parts, and its absence as null', () => {
    expect(flatten(state())).toMatchObject({ aiProvider: 'openai', aiModel: 'gpt', aiPrompt: 'Buyers' })
    expect(flatten(state({ search: { ai: null } }))).toMatchObject({ aiProvider: null, aiModel: null, aiPrompt: null })
  })
  it('show capture targets of a search that captures, and none of a watch [C21]', () => {
    expect(flatten(state())).toMatchObject({ captureEngagers: false, capturePostAuthors: true })
    expect(flatten(state({ source: { mode: 'posts_only' } }))).toMatchObject({
      captureEngagers: null,
      capturePostAuthors: null,
    })
  })
  it('show the end as an instant', () => {
    expect([flatten(state()).endAt, flatten(state({ schedule: { endAt: new Date(0) } })).endAt]).toEqual([
      null,
      '1970-01-01T00:00:00.000Z',
    ])
  })
  it('differ in every setting that differs, each alone', () => {
    const differing: [Parameters<typeof state>[0], string][] = [
      [{ search: { name: 'Other' } }, 'name'],
      [{ source: { captureReplies: false } }, 'captureReplies'],
      [{ source: { enrichLeads: false } }, 'enrichLeads'],
      [{ search: { sort: 'RELEVANCE' } }, 'sort'],
      [{ search: { datePosted: 'PAST_WEEK' } }, 'datePosted'],
      [{ search: { contentType: null } }, 'contentType'],
      [{ search: { filters: { fromPerson: ['ACoAAy'] } } }, 'fromPerson'],
      [{ search: { ai: { ...ai, prompt: 'Others' } } }, 'aiPrompt'],
      [{ search: { ai: { ...ai, model: null } } }, 'aiModel'],
      [{ search: { creditCap: 41 } }, 'creditCap'],
      [{ source: { postsPerSync: 3 } }, 'postsPerSync'],
      [{ search: { captureEngagers: true } }, 'captureEngagers'],
      [{ search: { capturePostAuthors: false } }, 'capturePostAuthors'],
      [{ search: { captureMode: 'depth' } }, 'captureMode'],
      [{ search: { maxEngagementsPerPost: null } }, 'maxEngagementsPerPost'],
      [{ schedule: { runOnce: true } }, 'runOnce'],
      [{ schedule: { endAt: new Date(0) } }, 'endAt'],
      [{ schedule: { maxRuns: 4 } }, 'maxRuns'],
    ]
    for (const [over, field] of differing)
      expect(changesBetween(state(), state(over)).map((change) => change.field)).toEqual([field])
  })
})

describe('a stop', () => {
  const now = new Date('2026-11-21T09:00:00Z')
  const stopped: Schedule = {
    ...endlessSchedule,
    runsCompleted: 3,
    maxRuns: 3,
    stoppedAt: new Date('2026-11-20T09:00:00Z'),
    stoppedReason: 'max_runs',
  }
  const ended: Schedule = { ...endlessSchedule, endAt: now, stoppedAt: now, stoppedReason: 'end_at' }

  it('keeps instant and reason while the reason holds [KRN-21]', () => {
    expect(decideSchedule(stopped, { endAt: new Date(now.getTime() - 1) }, now)).toMatchObject({
      stoppedAt: stopped.stoppedAt,
      stoppedReason: 'max_runs',
    })
    expect(decideSchedule(ended, { maxRuns: 0 as never }, now)).toMatchObject({
      stoppedAt: now,
      stoppedReason: 'end_at',
    })
  })
  it('takes another reason, and keeps its instant, when the old one is gone and another holds', () => {
    expect(decideSchedule(ended, { endAt: new Date(now.getTime() + 1), runOnce: true }, now)).toMatchObject({
      stoppedAt: null,
    })
    expect(
      decideSchedule({ ...ended, runsCompleted: 1 }, { endAt: new Date(now.getTime() + 1), runOnce: true }, now),
    ).toMatchObject({ stoppedAt: now, stoppedReason: 'run_once' })
    expect(decideSchedule({ ...ended, runsCompleted: 1 }, { endAt: null, runOnce: true }, now)).toMatchObject({
      stoppedReason: 'run_once',
    })
    expect(decideSchedule(stopped, { maxRuns: null, endAt: now }, now)).toMatchObject({
      stoppedAt: stopped.stoppedAt,
      stoppedReason: 'end_at',
    })
  })
  it('is lifted when nothing holds any more, an end that is not there yet included', () => {
    expect(decideSchedule(ended, { endAt: new Date(now.getTime() + 1) }, now)).toMatchObject({
      stoppedAt: null,
      stoppedReason: null,
    })
    expect(decideSchedule(stopped, { maxRuns: 4 }, now)).toMatchObject({ stoppedAt: null, stoppedReason: null })
    expect(decideSchedule(stopped, { maxRuns: 3 }, now)).toMatchObject({ stoppedReason: 'max_runs' })
  })
})

describe('what is wrong with a term', () => {
  it('is told with at most 80 characters of it', () => {
    const told = (term: string) => {
      const read = readSubject({ keyword: term })
      return read.ok ? '' : read.message
    }
    expect(told(`(${'x'.repeat(100)}`)).toContain(`"(${'x'.repeat(79)}…"`)
    expect(told(`(${'x'.repeat(79)}`)).toContain(`"(${'x'.repeat(79)}"`)
  })
})
