import { initialSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { presentStatus } from './present.ts'
import { endlessSchedule } from './rules/schedule.ts'
import type { Run } from './runs/run.ts'
import type { Source } from './source.ts'

const source = {
  id: 's1',
  type: 'person',
  username: 'ben',
  status: 'active',
  settings: initialSettings,
  nextSyncAt: null,
  counts: { rows: 7, pending: 0, completed: 4, failed: 2, skipped: 1 },
  createdAt: new Date(0),
  schedule: endlessSchedule,
} as Source
const run = { id: 'r1', state: 'captured', stoppedBy: 'credits', errorCode: null, errorText: null } as Run

describe('the status of a source', () => {
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
