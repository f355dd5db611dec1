import { describe, expect, it } from 'vitest'
import { endlessSchedule, type Schedule } from '../../sources/rules/schedule.ts'
import { decideSchedule, revivedSchedule } from './settings.ts'

const now = new Date('2026-11-20T12:00:00Z')

describe('a schedule', () => {
  const soon = new Date(now.getTime() + 1)
  const later = new Date(now.getTime() + 86_400_000)
  const stoppedAt = new Date('2026-11-01')
  const stopped = { ...endlessSchedule, stoppedAt, runsCompleted: 2 } as const
  const ended = { ...endlessSchedule, endAt: now, stoppedAt, stoppedReason: 'end_at' } as const
  const twice = { ...stopped, maxRuns: 2, endAt: now, stoppedReason: 'max_runs' } as const
  const stays = (stoppedReason: string) => ({ stoppedAt, stoppedReason })
  const goesOn = { stoppedAt: null, stoppedReason: null }
  const ending = { ...endlessSchedule, endAt: soon }
  const once = { ...endlessSchedule, maxRuns: 1, runOnce: true }
  const full = { ...stopped, maxRuns: 2, stoppedReason: 'max_runs' } as const
  it.each<readonly [what: string, present: Schedule, named: Parameters<typeof decideSchedule>[1], result: object]>([
    ['an end at this instant has come', endlessSchedule, { endAt: now }, { stoppedAt: now, stoppedReason: 'end_at' }],
    ['one a moment later has not', endlessSchedule, { endAt: soon }, { ...goesOn, endAt: soon }],
    ['an end that is not named stays', ending, { maxRuns: 3 }, { endAt: soon, maxRuns: 3 }],
    ['null lifts it', ending, { endAt: null }, { endAt: null }],
    ['one run on purpose keeps an end', ending, { runOnce: true }, { endAt: soon, runOnce: true, maxRuns: 1 }],
    ['runs without a limit', { ...endlessSchedule, maxRuns: 2 }, { maxRuns: null }, { maxRuns: null, runOnce: false }],
    ['one run is no run once unless it was', endlessSchedule, { maxRuns: 1 }, { maxRuns: 1, runOnce: false }],
    ['nor when it is said so', once, { maxRuns: 1, runOnce: false }, { maxRuns: 1, runOnce: false }],
    ['no run once lifts a limit of one', { ...endlessSchedule, maxRuns: 1 }, { runOnce: false }, { maxRuns: null }],
    [
      'nothing named changes nothing',
      { ...endlessSchedule, maxRuns: 7, runOnce: false },
      {},
      { maxRuns: 7, runOnce: false },
    ],
    ['the runs are one below the limit', full, { maxRuns: 3 }, goesOn],
    [
      'the end that stopped it holds beside the runs',
      { ...stopped, endAt: now, stoppedReason: 'end_at' },
      { maxRuns: 2 },
      stays('end_at'),
    ],
    [
      'the end that stopped it is gone, the runs hold',
      { ...stopped, endAt: now, maxRuns: 2, stoppedReason: 'end_at' },
      { endAt: soon },
      stays('max_runs'),
    ],
    [
      'an end with runs left is lifted by both',
      twice,
      { maxRuns: 3, endAt: later },
      { stoppedAt: null, runsCompleted: 2 },
    ],
    ['a limit that is as before holds [KRN-21]', twice, { maxRuns: 2 }, stays('max_runs')],
    ['another reason holds [KRN-22]', twice, { maxRuns: 3 }, stays('end_at')],
    ['no end, the runs hold', twice, { endAt: null }, stays('max_runs')],
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
      stays('run_once'),
    ],
    ['one run on purpose, before any', ended, { endAt: soon, runOnce: true }, { stoppedAt: null }],
    ['no limit, and an end that has come', full, { maxRuns: null, endAt: now }, stays('end_at')],
    [
      'one run on purpose is a limit of one [KEY-38, G73]',
      endlessSchedule,
      { runOnce: true },
      { runOnce: true, maxRuns: 1 },
    ],
    ['no run once keeps another limit', { ...endlessSchedule, maxRuns: 5 }, { runOnce: false }, { maxRuns: 5 }],
    ['no run once of one run on purpose', once, { runOnce: false }, { maxRuns: null, runOnce: false }],
    ['one run said twice', once, { maxRuns: 1 }, { maxRuns: 1, runOnce: true }],
    ['two runs of one run on purpose', once, { maxRuns: 2 }, { maxRuns: 2, runOnce: false }],
  ])('%s [KRN-20]', (_what, present, named, result) =>
    expect(decideSchedule(present, named, now)).toMatchObject(result),
  )
  it('counts anew once the search is tracked again; its end holds', () => {
    const again = revivedSchedule({ ...stopped, runOnce: true, maxRuns: 1, stoppedReason: 'run_once' })
    expect(decideSchedule(again, {}, now)).toMatchObject({ runsCompleted: 0, stoppedAt: null, maxRuns: 1 })
    expect(decideSchedule(revivedSchedule(ended), {}, now)).toMatchObject({ stoppedReason: 'end_at' })
  })
})
