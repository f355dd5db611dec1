import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type SystemClock, systemClock } from '../../src/platform/clock.ts'
import { BudgetExhausted, type BudgetRequest, createPgBudget, type VendorBudget } from '../../src/providers/budget.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

// The clock runs unless a test stops it, which tests of millisecond limits do.
let offsetMs = 0
let stoppedAtMs: number | null = null
const clock: SystemClock = {
  ...systemClock,
  nowMs: () => 1_800_000_000_000 + (stoppedAtMs ?? Math.floor(performance.now())) + offsetMs,
}
beforeEach(async () => {
  offsetMs = 0
  stoppedAtMs = null
  await sql`truncate vendor_slot, vendor_minute, vendor_limit`.execute(database.bare)
})
const pg = (processId: string) =>
  createPgBudget({ db: database.root, system: clock, random: { next: () => 0.5 }, processId })
type Change = Partial<Omit<BudgetRequest, 'maxInFlight'> & { maxInFlight: number }>
const request = ({ maxInFlight = 3, ...change }: Change = {}): BudgetRequest => ({
  maxInFlight: () => maxInFlight,
  perMinute: null,
  waitMs: 25_000,
  ...change,
})

const make = (): VendorBudget[] => ['a', 'b', 'c'].map(pg)

describe('a budget shared by three processes', () => {
  test('what one process learns of an account all know, and of no other account', async () => {
    const [one, other] = make()
    expect(await one!.findConcurrencyLimit('v:1')).toBeNull()
    await one!.saveConcurrencyLimit('v:1', 5)
    await other!.saveConcurrencyLimit('v:1', 20)
    expect([await one!.findConcurrencyLimit('v:1'), await one!.findConcurrencyLimit('v:2')]).toEqual([20, null])
  })

  test('calls in flight never exceed the limit, and everybody is served', async () => {
    const budgets = make()
    let inFlight = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 45 }, async (_, index) => {
        const place = await budgets[index % 3]!.acquire('v', request())
        most = Math.max(most, (inFlight += 1))
        await systemClock.sleep(2)
        inFlight -= 1
        await place.release()
      }),
    )
    expect(most).toBe(3)
  })

  test('vendors do not share', async () => {
    const [budget] = make()
    await budget!.acquire('v', request({ maxInFlight: 1 }))
    await budget!.acquire('w', request({ maxInFlight: 1 }))
    await expect(budget!.acquire('v', request({ maxInFlight: 1, waitMs: 30 }))).rejects.toBeInstanceOf(BudgetExhausted)
  })

  test('calls in a minute never exceed the limit; a refusal says how long to wait', async () => {
    const [one, other] = make()
    stoppedAtMs = 0
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 ? one! : other!).acquire('v', request({ maxInFlight: 50, perMinute: 7, waitMs: 50 })),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as BudgetExhausted
    expect(refused).toBeInstanceOf(BudgetExhausted)
    expect(refused.retryAfterMs).toBe(60_000)
    offsetMs += 59_999
    await expect(one!.acquire('v', request({ maxInFlight: 50, perMinute: 7, waitMs: 0 }))).rejects.toMatchObject({
      retryAfterMs: 1,
    })
    offsetMs += 1
    await one!.acquire('v', request({ maxInFlight: 50, perMinute: 7 }))
  })

  test('a place is given back once however often it is released', async () => {
    const [budget] = make()
    const place = await budget!.acquire('v', request({ maxInFlight: 2 }))
    await budget!.acquire('v', request({ maxInFlight: 2 }))
    await Promise.all([place.release(), place.release(), place.release()])
    await budget!.acquire('v', request({ maxInFlight: 2 }))
    await expect(budget!.acquire('v', request({ maxInFlight: 2, waitMs: 20 }))).rejects.toBeInstanceOf(BudgetExhausted)
  })

  test('a caller that gives up leaves the queue at once, and the queue goes on', async () => {
    const [budget] = make()
    const place = await budget!.acquire('v', request({ maxInFlight: 1 }))
    const caller = new AbortController()
    const waiting = [
      budget!.acquire('v', request({ maxInFlight: 1, signal: caller.signal })),
      budget!.acquire('v', request({ maxInFlight: 1, signal: caller.signal })),
    ]
    const served = budget!.acquire('v', request({ maxInFlight: 1 }))
    caller.abort(new Error('enough'))
    for (const one of waiting) await expect(one).rejects.toThrow('enough')
    await place.release()
    await (await served).release()
  })

  test('a limit that rises while a call waits lets that call go', async () => {
    const [budget] = make()
    const places = await Promise.all([1, 2].map(() => budget!.acquire('v', request({ maxInFlight: 2 }))))
    let asked = 0
    const waiting = budget!.acquire('v', { ...request(), maxInFlight: () => (asked++ === 0 ? 1 : 2) })
    await expect.poll(() => asked).toBeGreaterThan(0)
    await places[1]!.release()
    await (await waiting).release()
    await places[0]!.release()
  })

  test('a lower limit holds for the next caller', async () => {
    const [budget] = make()
    const places = await Promise.all([1, 2, 3].map(() => budget!.acquire('v', request())))
    await places[2]!.release()
    await expect(budget!.acquire('v', request({ maxInFlight: 2, waitMs: 20 }))).rejects.toBeInstanceOf(BudgetExhausted)
  })
})

describe('the shared budget', () => {
  test("the slot of a dead process is free after its lease, and its late release frees nobody else's", async () => {
    stoppedAtMs = 0
    const dead = await pg('dead').acquire('v', request({ maxInFlight: 1 }))
    const alive = pg('alive')
    offsetMs += 89_999
    await expect(alive.acquire('v', request({ maxInFlight: 1, waitMs: 0 }))).rejects.toBeInstanceOf(BudgetExhausted)
    offsetMs += 1
    await alive.acquire('v', request({ maxInFlight: 1 }))
    await dead.release()
    await expect(alive.acquire('v', request({ maxInFlight: 1, waitMs: 0 }))).rejects.toBeInstanceOf(BudgetExhausted)
  })

  const holders = async () =>
    (
      await sql<{ owner: string }>`select owner from vendor_slot where leased_until_ms > 0 order by slot`.execute(
        database.bare,
      )
    ).rows.map((row) => row.owner)

  test('a slot above a limit that has fallen goes to nobody', async () => {
    stoppedAtMs = 0
    const budget = pg('a')
    const places = await Promise.all([1, 2].map(() => budget.acquire('v', request({ maxInFlight: 2 }))))
    const refused = budget.acquire('v', request({ maxInFlight: 1, waitMs: 0 }))
    const waiting = budget.acquire('v', request({ maxInFlight: 1 }))
    await Promise.all([expect(refused).rejects.toBeInstanceOf(BudgetExhausted), places[1]!.release()])
    expect((await holders()).length).toBe(1)
    await places[0]!.release()
    await (await waiting).release()
    expect(await holders()).toEqual([])
  })

  test('those who wait for a minute with room for some of them: as many go as there is room for', async () => {
    stoppedAtMs = 0
    const budget = pg('a')
    const settled = await Promise.allSettled(
      [1, 2, 3, 4, 5].map(() => budget.acquire('v', request({ maxInFlight: 9, perMinute: 3, waitMs: 0 }))),
    )
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await holders()).toHaveLength(3)
  })

  test('a refused minute leaves no slot taken', async () => {
    const budget = pg('a')
    await (await budget.acquire('v', request({ perMinute: 1 }))).release()
    await expect(budget.acquire('v', request({ perMinute: 1, waitMs: 10 }))).rejects.toBeInstanceOf(BudgetExhausted)
    const held = await sql<{ n: number }>`select count(*) as n from vendor_slot where leased_until_ms > 0`.execute(
      database.bare,
    )
    expect(held.rows[0]?.n).toBe(0)
  })
})
