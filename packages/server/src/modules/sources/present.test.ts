import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { presentSource, presentStatus } from './present.ts'
import { endlessSchedule } from './rules/schedule.ts'
import type { Run } from './runs/run.ts'
import type { Source } from './source.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const source = {
  teamId: 't',
  id: 's1',
  type: 'person',
  username: 'ben',
  status: 'active',
  settings: initialSettings,
  networkUrn: null,
  nextSyncAt: at(9),
  openSyncId: null,
  lastSyncId: null,
  everCompleted: true,
  revived: false,
  counts: { rows: 7, pending: 0, completed: 4, failed: 2, skipped: 1 },
  createdAt: at(1),
  postUrl: null,
  schedule: endlessSchedule,
  paysFrom: 'team',
} as Source
const run = {
  id: 'r1',
  state: 'captured',
  postsTotal: 5,
  postsProcessed: 4,
  leadRows: 6,
  creditsSpent: 3,
  declared: 20,
  heldRows: 12,
  engagersSeen: 11,
  postsFetched: 2,
  stoppedBy: 'credits',
  errorCode: null,
  errorText: null,
  startedAt: at(2),
  finishedAt: at(3),
  postsScanned: 30,
  postsKept: 10,
  discardedByExpression: 8,
  authorsCaptured: 1,
  companyAuthors: 2,
  pageLimited: true,
  unapplied: [],
} as unknown as Run

describe('the status of a source', () => {
  it('is idle with nothing told before the first run [G31]', () => {
    expect(
      presentStatus(
        { ...source, nextSyncAt: null, counts: { rows: 0, pending: 0, completed: 0, failed: 0, skipped: 0 } },
        { current: null, finished: null },
      ),
    ).toEqual({
      syncId: null,
      sourceId: 's1',
      type: 'person',
      username: 'ben',
      state: 'idle',
      isFinal: true,
      progress: { postsTotal: 0, postsProcessed: 0, leadsCaptured: 0, leadsTotal: 0, leadsEnriched: 0 },
      capture: { stoppedBy: null, creditsSpent: null, leadRowsCaptured: null, coverage: null },
      enrichment: { pending: 0, completed: 0, failed: 0, skipped: 0 },
      stoppedBy: null,
      errorCode: null,
      error: null,
      startedAt: null,
      finishedAt: null,
      nextSyncAt: null,
    })
  })
  it('tells progress of the current run and the outcome of the last finished one [G131]', () => {
    const current = {
      ...run,
      id: 'r2',
      state: 'capturing',
      postsTotal: 9,
      postsProcessed: 1,
      leadRows: 2,
      startedAt: at(7),
      finishedAt: null,
    } as Run
    expect(presentStatus(source, { current, finished: run })).toEqual({
      syncId: 'r2',
      sourceId: 's1',
      type: 'person',
      username: 'ben',
      state: 'capturing',
      isFinal: false,
      progress: { postsTotal: 9, postsProcessed: 1, leadsCaptured: 2, leadsTotal: 7, leadsEnriched: 4 },
      capture: { stoppedBy: 'credits', creditsSpent: 3, leadRowsCaptured: 6, coverage: { declared: 20, captured: 12 } },
      enrichment: { pending: 0, completed: 4, failed: 2, skipped: 1 },
      skippedReason: 'source_untracked',
      stoppedBy: 'credit_cap',
      errorCode: null,
      error: null,
      startedAt: at(7).toISOString(),
      finishedAt: at(3).toISOString(),
      nextSyncAt: at(9).toISOString(),
    })
  })
  it('is untracked only where that cut leads off', () => {
    const inactive = { ...source, status: 'inactive' } as Source
    expect(presentStatus(inactive, { current: run, finished: run }).state).toBe('untracked')
    expect(
      presentStatus({ ...inactive, counts: { ...source.counts, skipped: 0 } }, { current: run, finished: run }).state,
    ).toBe('completed')
    expect(presentStatus(source, { current: run, finished: run }).state).toBe('completed')
  })
  it('tells a failure with its code and its words', () => {
    const failed = {
      ...run,
      state: 'failed',
      stoppedBy: null,
      errorCode: 'provider_error',
      errorText: 'The network did not answer',
    } as Run
    expect(presentStatus(source, { current: failed, finished: failed })).toMatchObject({
      state: 'failed',
      stoppedBy: null,
      errorCode: 'provider_error',
      error: 'The network did not answer',
      capture: { stoppedBy: null },
    })
  })
})

describe('a source in a list', () => {
  const shown = {
    id: 's1',
    sourceId: 's1',
    type: 'person',
    username: 'ben',
    status: 'active',
    ...initialSettings,
    nextSyncAt: at(9).toISOString(),
    createdAt: at(1).toISOString(),
  }
  it('has no last run before one has finished, and an address only when it is a post', () => {
    expect(presentSource(source, undefined)).toEqual(shown)
    expect(presentSource(source, { ...run, finishedAt: null })).toEqual(shown)
    expect(presentSource({ ...source, postUrl: 'https://p' }, undefined)).toEqual({ ...shown, postUrl: 'https://p' })
  })
  it('tells how its last run ended', () => {
    expect(presentSource(source, run)).toEqual({
      ...shown,
      lastRun: { stoppedBy: 'credit_cap', errorCode: null, creditsSpent: 3, finishedAt: at(3).toISOString() },
    })
  })
  it('that is a watch tells the posts it has fetched', () => {
    expect(presentSource({ ...source, settings: { ...initialSettings, mode: 'posts_only' } }, run)).toMatchObject({
      lastRun: { postsFetched: 2 },
    })
  })
  it('that is a keyword search tells what it has looked at, and which filters nobody applied [KRN-09, C25]', () => {
    const search = { ...source, type: 'keyword' } as Source
    const told = {
      stoppedBy: 'credits',
      errorCode: null,
      creditsSpent: 3,
      finishedAt: at(3).toISOString(),
      postsScanned: 30,
      postsKept: 10,
      discardedByExpression: 8,
      postsFilteredOut: 8,
      postAuthorsCaptured: 1,
      companyAuthorsSkipped: 2,
      engagersSeen: 11,
      providerPageLimitReached: true,
    }
    expect(presentSource(search, run)).toEqual({ ...shown, type: 'keyword', lastRun: told })
    expect(presentSource(search, { ...run, unapplied: ['authorIndustry'] })).toMatchObject({
      lastRun: { ...told, unappliedFilters: ['authorIndustry'] },
    })
  })
})
