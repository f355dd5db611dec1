/** The guards of the unit of work: what must not happen inside one, or after its end, is an error the first time it runs. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KyselyPlugin } from 'kysely'

/** Set while a unit of work runs in this chain of calls. */
export const currentUnit = new AsyncLocalStorage<{ ended: boolean }>()

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
export const guardAfterEnd = (unit: { ended: boolean }): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (unit.ended) throw new Error('a query on a unit of work that has ended')
    return node
  },
  transformResult: async ({ result }) => result,
})
