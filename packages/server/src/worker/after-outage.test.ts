import { describe, expect, it } from 'vitest'
import type { Tx, UnitOfWork } from '../platform/db/unit-of-work.ts'
import { isLostDatabase, type LeasedByStep } from '../platform/work-in-hand.ts'
import { leaseMs } from '../platform/work/index.ts'
import { giveBackAfterOutage } from './after-outage.ts'
import { works } from './works.ts'

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const [runs] = works.capture.rows
const [people] = works.enrichment.rows
const leased: LeasedByStep[] = [
  { rows: runs, teamId: 'a', id: 'r1', fence: 1 },
  { rows: people, teamId: 'a', id: 'p1', fence: 2 },
  { rows: people, teamId: 'a', id: 'p2', fence: 3 },
  { rows: people, teamId: 'b', id: 'p3', fence: 4 },
]

/** A database that fails as often as `failures` says; what was given back in each unit that committed, and how long was waited. */
function stage(failures: readonly Error[]) {
  const [left, units] = [[...failures], [] as string[]]
  let nowMs = 0
  const unitOfWork: UnitOfWork = async (work) => {
    const failure = left.shift()
    if (failure) throw failure
    const marks: string[] = []
    const db = { getExecutor: () => ({ ...executor, executeQuery: async () => ({ rows: [] }) }) }
    const result = await work({
      db,
      mark: (kind: string, team: string) => marks.push(`${kind} ${team}`),
    } as never as Tx)
    units.push(...marks)
    return result
  }
  const system = {
    nowMs: () => nowMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      nowMs += ms
    },
  }
  return { parts: { unitOfWork, system }, units, waitedMs: () => nowMs }
}
const executor = {
  transformQuery: <T>(node: T): T => node,
  compileQuery: () => ({}),
  adapter: {},
  plugins: [],
}

describe('what was leased when the database went away', () => {
  it('is given back once it answers again, every row of every team', async () => {
    const { parts, units } = stage([away, away, away])
    await giveBackAfterOutage(parts as never, leased)
    expect(units).toEqual(['capture a', 'enrichment a', 'enrichment b'])
  })

  it('is left to its lease when the database stays away that long, when the process closes, and when something else fails', async () => {
    const long = stage(Array.from({ length: 1_000 }, () => away))
    await giveBackAfterOutage(long.parts as never, leased)
    expect([long.units, long.waitedMs()]).toEqual([[], leaseMs])
    const closing = stage([away])
    await giveBackAfterOutage(closing.parts as never, leased, AbortSignal.abort())
    expect(closing.units).toEqual([])
    const broken = stage([new Error('no such column')])
    await giveBackAfterOutage(broken.parts as never, leased)
    expect(broken.units).toEqual([])
  })

  it('is so for a lost connection alone: what a lock, a conflict or a time limit ended waits for its lease', () => {
    const coded = (code: string) => Object.assign(new Error(code), { code })
    expect(['08006', '57P01', '57P03', 'ECONNRESET'].map((code) => isLostDatabase(coded(code)))).not.toContain(false)
    expect(isLostDatabase(new Error('Connection terminated unexpectedly'))).toBe(true)
    expect(
      ['57014', '55P03', '40001', '40P01', '53100', '23505'].map((code) => isLostDatabase(coded(code))),
    ).not.toContain(true)
  })
})
