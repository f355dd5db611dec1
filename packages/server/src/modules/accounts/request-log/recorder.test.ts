import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
} from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../../platform/db/schema.ts'
import { oneShard } from '../../../platform/db/shards.ts'
import { systemClock } from '../../../platform/clock.ts'
import { openLog } from '../../../platform/log.ts'
import { machineIds } from '../../../platform/random.ts'
import { isSampled, fullPerMinute, sampleInterval, openRequestLog, standsFor } from './recorder.ts'
import type { AnsweredCall } from './store.ts'

const minuteMs = 60_000

/** A log that records its statements as the paths of their rows; `away`: the database accepts nothing. */
function opened() {
  const state = { nowMs: 10 * minuteMs, away: false }
  const statements: string[][] = []
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ parameters }: CompiledQuery) => {
      if (state.away) throw new Error('away')
      // The statement that takes the log's lock has no such parameter.
      if (parameters[6] !== undefined) statements.push(parameters[6] as string[])
      return { rows: [] as R[] }
    },
    streamQuery: () => {
      throw new Error('nobody reads')
    },
  }
  class Driver extends DummyDriver {
    override acquireConnection = async () => connection
  }
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const system = { ...systemClock, nowMs: () => state.nowMs }
  const namesErased = async (_db: unknown, said: readonly unknown[]) => said.map(() => false)
  const shards = oneShard
  const log = openRequestLog({
    db,
    shards,
    teamsMove: false,
    ids: machineIds(),
    system,
    log: openLog('silent'),
    namesErased,
  })
  const call = (method: string, path: string, teamId = 'one') =>
    log.record({
      teamId,
      caller: { keyId: 'key' },
      surface: 'api',
      operation: 'getLeads',
      method,
      path,
      query: [],
      body: {},
      status: 200,
      code: null,
      durationMs: 1,
      requestId: 'request',
      at: new Date(state.nowMs),
    } satisfies AnsweredCall)
  return { state, statements, log, call, rows: () => statements.splice(0).flat() }
}

test('reads are kept in full up to a rate, which begins anew each minute and for each team', async () => {
  const { state, log, call, rows } = opened()
  const kept = async (count: number, team: string) => {
    for (let n = 1; n <= count; n += 1) call('GET', `/${n}`, team)
    await log.flush()
    return rows().length
  }
  expect(await kept(150, 'one')).toBe(121)
  expect(await kept(100, 'other')).toBe(100)
  expect(await kept(10, 'one')).toBe(1)
  state.nowMs += minuteMs
  expect(await kept(10, 'one')).toBe(10)
  expect(await kept(110, 'one')).toBe(110)
})

test('a database that is away for long costs the newest, not the memory; statements are bounded', async () => {
  const { log, call, statements } = opened()
  for (let n = 0; n < 5_100; n += 1) call('POST', `/${n}`)
  expect(await log.flush()).toBe(5_000)
  expect(statements.map((some) => some.length)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
  expect(statements[4]!.at(-1)).toBe('/4999')
})

test('keeps every call up to the rate, and above it as many in sum as there were', () => {
  const kept = (calls: number) => Array.from({ length: calls }, (_, index) => standsFor(index + 1))
  expect(kept(fullPerMinute)).toEqual(Array.from({ length: fullPerMinute }, () => 1))
  const flood = kept(fullPerMinute + 10 * sampleInterval)
  expect(flood.indexOf(sampleInterval)).toBe(fullPerMinute + sampleInterval - 1)
  expect(flood.filter((count) => count > 0)).toHaveLength(fullPerMinute + 10)
  expect(flood.reduce((sum, count) => sum + count, 0)).toBe(fullPerMinute + 10 * sampleInterval)
})

test('samples reads and calls that came too fast, never a change or another refusal of one', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect([method, isSampled(method, 200), isSampled(method, 404)]).toEqual([method, true, true])
  expect(isSampled('POST', 429)).toBe(true)
  expect([isSampled('POST', 200), isSampled('DELETE', 404), isSampled('PUT', 409)]).toEqual([false, false, false])
})

test('what could not be written is lost, and what comes after it is written', async () => {
  const { state, log, call, rows } = opened()
  state.away = true
  call('POST', '/a')
  expect(await log.flush()).toBe(0)
  state.away = false
  call('POST', '/b')
  expect(await log.flush()).toBe(1)
  expect(rows()).toEqual(['/b'])
})
