/** The daily vendor calls of teams are counted together and exactly, whoever else asks concurrently. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxVendorCalls } from '../../src/modules/accounts/index.ts'
import { budgetedByTeam } from '../../src/providers/network/index.ts'
import type { Network } from '../../src/providers/ports.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'

let database: TestDatabase
let asked: string[]
const now = new Date('2026-11-02T23:00:00.000Z')

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  asked = []
})

const team = async (most: number | null): Promise<string> => {
  const id = randomUUID()
  await insertTeams(database.bare, [id], now, { vendor_calls_per_day: most })
  return id
}

/** A process; `of` makes a call for a team and returns whether it was allowed. */
function process(): { of: (teamId: string, name: string) => Promise<boolean> } {
  let present: string | undefined
  const network = budgetedByTeam(
    { resolveHandle: async (handle: string) => void asked.push(handle) } as unknown as Network,
    {
      db: database.root,
      serviceNow: async () => now,
      team: () => present,
      maxCallsOf: maxVendorCalls,
    },
  )
  return {
    of: (teamId, name) => {
      present = teamId
      return network.resolveHandle(name).then(
        () => true,
        (error: { kind?: string }) => {
          expect(error.kind).toBe('rate_limited')
          return false
        },
      )
    },
  }
}

test('two processes ask for three teams at once: each team has exactly what it may', async () => {
  const [small, large, none] = [await team(7), await team(null), await team(0)]
  const processes = [process(), process()]
  const outcomes = await Promise.all(
    Array.from({ length: 90 }, async (_, n) => {
      const of = [small, large, none][n % 3]!
      return [of, await processes[n % 2]!.of(of, `${of}:${n}`)] as const
    }),
  )
  const through = (id: string) => outcomes.filter(([of, ok]) => of === id && ok).length
  expect([small, large, none].map(through)).toEqual([7, 30, 0])
  expect(asked).toHaveLength(37)
})

test('what is left of a day is given to as many as there is room for, not to all or nobody', async () => {
  const [id, one] = [await team(5), process()]
  expect(await Promise.all(['a', 'b', 'c'].map((name) => one.of(id, name)))).toEqual([true, true, true])
  const outcomes = await Promise.all(['d', 'e', 'f', 'g'].map((name) => one.of(id, name)))
  expect(outcomes.filter(Boolean)).toHaveLength(2)
})

test('calls of a team that is gone are not let through', async () => {
  expect(await process().of('01a20b5a-74be-7fd5-a689-3e220216a1d7', 'x')).toBe(false)
})
