import { describe, expect, it } from 'vitest'
import { countsAsRun, endlessSchedule, stoppedIfEnded, stopReason, type Schedule } from './schedule.ts'

const now = new Date('2026-11-21T09:00:00Z')
const schedule = (over: Partial<Schedule>): Schedule => ({ ...endlessSchedule, ...over })

describe('the schedule of a search', () => {
  it.each([
    ['exhausted', true],
    ['credits', true],
    ['post_limit', true],
    ['team_cap', true],
    ['lead_cap', true],
    ['budget', false],
    ['error', false],
    ['ai_error', false],
    [null, false],
  ] as const)('a run that ended %s counts: %s [KRN-16]', (stoppedBy, counts) => {
    expect(countsAsRun({ state: 'captured', stoppedBy })).toBe(counts)
  })
  it('a failed or abandoned run does not count whatever it says [KRN-16]', () => {
    expect([
      countsAsRun({ state: 'failed', stoppedBy: 'exhausted' }),
      countsAsRun({ state: 'untracked', stoppedBy: null }),
    ]).toEqual([false, false])
  })
  it.each([
    ['no limit', {}, null],
    ['fewer runs than maxRuns', { maxRuns: 3, runsCompleted: 2 }, null],
    ['as many', { maxRuns: 3, runsCompleted: 3 }, 'max_runs'],
    ['runOnce before its run', { runOnce: true, maxRuns: 1 }, null],
    ['runOnce after it', { runOnce: true, maxRuns: 1, runsCompleted: 1 }, 'run_once'],
    ['endAt to come', { endAt: new Date(now.getTime() + 1) }, null],
    ['endAt reached', { endAt: now }, 'end_at'],
  ] as const)('%s [KRN-17, KRN-18, KRN-19]', (_title, over, reason) => {
    expect(stopReason(schedule(over), now)).toBe(reason)
  })
  it('is stopped once, with the instant; a stop that is there stays as it was [KRN-21]', () => {
    const stopped = stoppedIfEnded(schedule({ maxRuns: 1, runsCompleted: 1 }), now)
    expect(stopped).toMatchObject({ stoppedAt: now, stoppedReason: 'max_runs' })
    expect(stoppedIfEnded({ ...stopped, endAt: now }, new Date(now.getTime() + 9))).toEqual({ ...stopped, endAt: now })
    expect(stoppedIfEnded(schedule({}), now)).toEqual(schedule({}))
  })
})
