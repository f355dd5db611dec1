/**
 * The unit of work: everything that must happen together, or not at all.
 *
 * Reads take a `Reader`; writes take only a `Tx`, so a write outside a unit of work does not compile. No nesting, no network
 * inside, no use of the root handle inside. Lock order: team, then as `CONTRIBUTING.md` says, and turns at work last of all.
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
  /** Service time for a unit that begins now; asked inside the transaction. */
  readonly serviceNow: (db: Reader) => Promise<Date>
  /** Wakes workers, of this process and others, after a commit. */
  readonly wake: (kinds: readonly JobKind[]) => void
  /** Has what waits to be sent judged again, in this process and others, after a commit. */
  readonly judgeAgain?: () => void
  readonly onEffectError: (error: unknown) => void
  /** Asked first of all in each unit, where there are several shards: throws when the team is not, or not now, to be written here. */
  readonly fence?: (tx: Transaction<Database>) => Promise<void>
  /** Hears what committed units counted. */
  readonly count?: (counter: CounterName, label: string, by: number) => void
}

const deadlock = '40P01'
const serializationFailure = '40001'
const maxAttemptsConflict = 4
/** Each attempt closes a connection whose plans a migration has outdated, and a pool has this many. */
const maxAttemptsOutdated = 16

/** True for a conflict between units that the unit of work tries again; business code lets it through. */
export function mayBeTriedAgain(error: unknown): boolean {
  const state = stateOf(error)
  return state === deadlock || state === serializationFailure
}

/** Makes the unit of work. A deadlock is tried again from the start, which is safe because effects wait for the commit. */
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

/** Set while a unit of work runs in this chain of calls. */
const currentUnit = new AsyncLocalStorage<{ ended: boolean }>()

/** Throws when called inside a unit of work: `what` must wait for `afterCommit` or travel as a job. */
export function refuseInsideUnit(what: string): void {
  const unit = currentUnit.getStore()
  if (unit && !unit.ended) throw new Error(`${what} inside a unit of work: do it before, in afterCommit, or as a job`)
}

/** On the root handle: a query through it inside a unit of work would not be part of the transaction. */
export const guardOutsideUnits: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseInsideUnit('a query on the root handle')
    return node
  },
  transformResult: async ({ result }) => result,
}

/** On a transaction's handle: a query after its end would run on a connection that is no longer ours. */
const guardAfterEnd = (unit: { ended: boolean }): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (unit.ended) throw new Error('a query on a unit of work that has ended')
    return node
  },
  transformResult: async ({ result }) => result,
})
