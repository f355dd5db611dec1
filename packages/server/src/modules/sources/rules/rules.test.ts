import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { decideTrack, notQueuedReasons, runSettings, type ExistingSource, type TrackRequest } from './settings.ts'
import { captureStoppedBy, isFinal, shownState, topStoppedBy } from './status.ts'

const request = (over: Partial<TrackRequest> = {}): TrackRequest => ({
  type: 'person',
  named: {},
  confirmSpend: false,
  balance: 100,
  captureAllowed: true,
  ...over,
})
const existing = (over: Partial<ExistingSource> = {}): ExistingSource => ({
  type: 'person',
  active: true,
  everCompleted: true,
  revived: false,
  openSyncId: null,
  settings: initialSettings,
  ...over,
})

describe('tracking', () => {
  it.each([
    ['a new identifier opens a sync', null, request(), { kind: 'open' }],
    ['a synced source opens none', existing(), request(), { kind: 'none', reason: notQueuedReasons.synced }],
    ['a source that never finished opens one', existing({ everCompleted: false }), request(), { kind: 'open' }],
    [
      'a running sync is answered instead of a second one',
      existing({ everCompleted: false, openSyncId: 'run' }),
      request(),
      { kind: 'running', id: 'run' },
    ],
    [
      'a synced source opens none while a later sync runs',
      existing({ openSyncId: 'run' }),
      request(),
      { kind: 'none', reason: notQueuedReasons.synced },
    ],
    [
      'a source revived and not synced since answers its running sync',
      existing({ revived: true, openSyncId: 'run' }),
      request(),
      { kind: 'running', id: 'run' },
    ],
    ['a source revived whose sync failed opens another', existing({ revived: true }), request(), { kind: 'open' }],
    ['a revived source opens one although it had synced', existing({ active: false }), request(), { kind: 'open' }],
    [
      'a plan without capture opens none',
      null,
      request({ captureAllowed: false }),
      { kind: 'none', reason: notQueuedReasons.notAllowed },
    ],
  ] as const)('%s', (_title, held, asked, sync) => {
    expect(decideTrack(held, asked)).toMatchObject({ kind: 'track', sync })
  })
})

describe('the bounds of a run', () => {
  it.each([
    ['first: 15 posts', {}, true, { maxPosts: 15, sinceDays: null }],
    ['first with posts', { firstSyncPosts: 30 }, true, { maxPosts: 30, sinceDays: null }],
    ['first with days: at most 50', { firstSyncDays: 60 }, true, { maxPosts: 50, sinceDays: 60 }],
    ['first with both', { firstSyncDays: 60, firstSyncPosts: 3 }, true, { maxPosts: 3, sinceDays: 60 }],
    ['later: 4 posts', { firstSyncDays: 60, firstSyncPosts: 30 }, false, { maxPosts: 4, sinceDays: null }],
  ])('%s', (_title, over, isFirst, expected) => {
    expect(runSettings({ ...initialSettings, ...over }, isFirst)).toMatchObject(expected)
  })
})

describe('the shown status', () => {
  it('is enriching while leads wait, then completed', () => {
    expect([
      shownState(null, 0),
      shownState('captured', 2),
      shownState('captured', 0),
      shownState('failed', 2),
    ]).toEqual(['idle', 'enriching', 'completed', 'failed'])
  })
  it('is final once nothing runs and no lead waits', () => {
    expect(
      (['queued', 'capturing', 'captured', 'failed', 'untracked'] as const).map((state) => isFinal(state, 0)),
    ).toEqual([false, false, true, true, true])
    expect([isFinal(null, 5), isFinal('captured', 1)]).toEqual([true, false])
  })
  it('is untracked when enrichment was cut off by untracking', () => {
    expect([shownState('captured', 0, true), shownState('failed', 0, true)]).toEqual(['untracked', 'failed'])
  })
  it('spells the cap two ways and knows untracked at the top only', () => {
    expect([captureStoppedBy('person', 'captured', 'credits'), topStoppedBy('person', 'captured', 'credits')]).toEqual([
      'credits',
      'credit_cap',
    ])
    expect([captureStoppedBy('post', 'untracked', null), topStoppedBy('post', 'untracked', null)]).toEqual([
      null,
      'untracked',
    ])
    expect([captureStoppedBy('company', 'failed', null), topStoppedBy('company', 'failed', null)]).toEqual([null, null])
  })
  it('shows the allowance of a trial as a cap, inside capture [SYN-24]', () => {
    expect(captureStoppedBy('person', 'captured', 'lead_cap')).toBe('credits')
  })
  it('shows the ending of a keyword search at the top only, also of a failure [SYN-24, G36]', () => {
    const both = (state: 'captured' | 'failed' | 'untracked', stoppedBy: string | null) => [
      captureStoppedBy('keyword', state, stoppedBy),
      topStoppedBy('keyword', state, stoppedBy),
    ]
    expect([
      both('captured', 'credits'),
      both('captured', 'team_cap'),
      both('failed', 'ai_error'),
      both('untracked', null),
    ]).toEqual([
      [null, 'credit_cap'],
      [null, 'team_cap'],
      [null, 'ai_error'],
      [null, 'untracked'],
    ])
  })
})
