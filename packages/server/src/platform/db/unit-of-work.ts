/**
 * The unit of work: one transaction for everything that must happen together. Writes take a `Tx`, so a write outside a unit does
 * not compile. No nesting, no network and no root handle inside. Lock order: team, then as in `CONTRIBUTING.md`, and `work_turn`
 * last.
 */
import type { Kysely, Transaction, KyselyPlugin } from 'kysely'
import { setTimeout as sleepTimer } from 'node:timers/promises'
import type { JobKind } from '../../job-catalog.ts'
import type { CounterName } from '../metrics.ts'
import type { Ids } from '../random.ts'
import { isOutdated } from './prepared.ts'
import { kindsOf, markTeams, type Mark } from '../work/turns.ts'
import type { Database } from './schema.ts'
import { stateOf } from './trouble.ts'
import type { Reader, Tx, UnitOfWork } from './tx.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

export type { Reader, Tx, UnitOfWork } from './tx.ts'

type UnitOfWorkParts = {
  readonly db: Kysely<Database>
  readonly ids: Ids
  /** Service time for a new unit, read inside the transaction. */
  readonly serviceNow: (db: Reader) => Promise<Date>
  readonly wake: (kinds: readonly JobKind[]) => void
  /** Has sends in memory judged again, in all processes, after a commit. */
  readonly judgeAgain?: () => void
  readonly onEffectError: (error: unknown) => void
  /** With several shards, runs first in each unit; throws when the team may not be written here. */
  readonly fence?: (tx: Transaction<Database>) => Promise<void>
  readonly count?: (counter: CounterName, label: string, by: number) => void
}

const deadlock = '40P01'
const serializationFailure = '40001'
const maxAttemptsConflict = 4
/** Each attempt closes one connection with outdated plans, and a pool has this many. */
const maxAttemptsOutdated = 16

/** True for a conflict that the unit of work retries; business code must not catch it. */
export function mayBeTriedAgain(error: unknown): boolean {
  const state = stateOf(error)
  return state === deadlock || state === serializationFailure
}

/** Makes the unit of work. Conflicts are retried from the start: safe, because effects wait for the commit. */
export function makeUnitOfWork(parts: UnitOfWorkParts): UnitOfWork {
  const once = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const unit = { ended: false }
    const due = new Set<JobKind>()
    const marks = new Map<string, Mark>()
    const mark = (kind: JobKind, teamId: string) => {
      marks.set(`${kind} ${teamId}`, { kind, teamId })
    }
    const changed = new Set<string>()
    const effects: (() => void)[] = []
    let isJudgedAgain = false
    const result = await parts.db.transaction().execute((handle) => {
      const db = handle.withPlugin(guardAfterEnd(unit)) as Transaction<Database>
      return currentUnit.run(unit, async () => {
        try {
          await parts.fence?.(handle)
          const now = await parts.serviceNow(handle)
          const tx: Tx = {
            db,
            now,
            newId: () => parts.ids.uuid(now),
            enqueue: (kind, teamId) => {
              due.add(kind)
              mark(kind, teamId)
            },
            mark,
            markAll: (teamId) => changed.add(teamId),
            judgeAgain: () => {
              isJudgedAgain = true
            },
            afterCommit: (effect) => effects.push(effect),
            count: (counter, label, by = 1) => effects.push(() => parts.count?.(counter, label, by)),
          }
          const value = await work(tx)
          if (changed.size > 0) for (const { kind, teamId } of await kindsOf(db, [...changed])) mark(kind, teamId)
          await markTeams(db, [...marks.values()])
          return value
        } finally {
          unit.ended = true
        }
      })
    })
    if (isJudgedAgain) parts.judgeAgain?.()
    if (due.size > 0) parts.wake([...due])
    for (const effect of effects) {
      try {
        effect()
      } catch (error) {
        parts.onEffectError(error)
      }
    }
    return result
  }
  return async (work) => {
    const outer = currentUnit.getStore()
    if (outer && !outer.ended) throw new Error('a unit of work inside a unit of work')
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(work)
      } catch (error) {
        const maxAttempts = isOutdated(error) ? maxAttemptsOutdated : mayBeTriedAgain(error) ? maxAttemptsConflict : 1
        if (attempt >= maxAttempts) throw error
        if (!isOutdated(error)) await sleepTimer(5 * attempt)
      }
    }
  }
}

const currentUnit = new AsyncLocalStorage<{ ended: boolean }>()

/** Throws inside a unit of work: `what` belongs before it, in `afterCommit` or in a job. */
export function refuseInsideUnit(what: string): void {
  const unit = currentUnit.getStore()
  if (unit && !unit.ended) throw new Error(`${what} inside a unit of work: do it before, in afterCommit, or as a job`)
}

/** For the root handle: its queries would not be part of the transaction. */
export const guardOutsideUnits: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseInsideUnit('a query on the root handle')
    return node
  },
  transformResult: async ({ result }) => result,
}

/** For a transaction's handle: after the end its connection may be another's. */
const guardAfterEnd = (unit: { ended: boolean }): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (unit.ended) throw new Error('a query on a unit of work that has ended')
    return node
  },
  transformResult: async ({ result }) => result,
})
