/** Rounds that compare stored totals cover everything, however much it is and whatever a single comparison does. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { makeDriftRound } from '../../src/worker/metrics.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { keptLog } from './stage.ts'

const kept = keptLog()
let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase({ bare: true })
})
afterAll(() => database.drop())

/** Rounds over items 0 to 99; each comparison takes `takesMs` and returns what `compare` does. */
function roundsOver(takesMs: number, compare: (at: number) => Record<string, unknown> | null) {
  const all = Array.from({ length: 100 }, (_, at) => ({ teamId: String(at).padStart(2, '0') }))
  const compared: number[] = []
  const told: { compared: number; drifting: number }[] = []
  let nowMs = 0
  const round = makeDriftRound(
    { db: database.root, system: { ...systemClock, nowMs: () => nowMs }, log: kept.log },
    {
      list: async (_db, after, limit) => all.filter(({ teamId }) => teamId > (after?.teamId ?? '')).slice(0, limit),
      nameOf: ({ teamId }) => teamId,
      compare: async (_instant, { teamId }) => {
        nowMs += takesMs
        compared.push(Number(teamId))
        return compare(Number(teamId))
      },
      statementMs: 1_000,
      says: 'it is off',
      tell: (heard) => told.push(heard),
    },
  )
  return { round, compared, told }
}
const upTo = (end: number, from = 0) => Array.from({ length: end - from }, (_, at) => from + at)

it('goes on where the round before ended, remembers what is off, and begins again at the end', async () => {
  let off: number | null = 77
  const { round, compared, told } = roundsOver(0, (at) => (at === off ? { by: 3 } : null))
  for (let rounds = 0; rounds < 4; rounds++) await round()
  expect(compared).toEqual([...upTo(100), ...upTo(40)])
  expect(told).toEqual([
    { compared: 40, drifting: 0 },
    { compared: 40, drifting: 1 },
    { compared: 20, drifting: 1 },
    { compared: 40, drifting: 1 },
  ])
  for (let rounds = 0; rounds < 2; rounds++) await round()
  off = null
  for (let rounds = 0; rounds < 3; rounds++) await round()
  expect(told.map(({ drifting }) => drifting)).toEqual([0, 1, 1, 1, 1, 1, 1, 0, 0])
  expect(kept.lines()).toEqual([expect.objectContaining({ level: 'error', msg: 'it is off', teamId: '77', by: 3 })])
})
