import { z } from 'zod'
import { matches, type CallMatch, type CallTarget } from './match.ts'

/** What `hold` and `release` take; `count` (release only) lets that many waiting calls go and keeps holding. */
export const holdSchema = z.strictObject({
  vendor: z.string().optional(),
  operation: z.string().optional(),
  match: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
/** What `release` takes. */
export const releaseSchema = holdSchema.extend({ count: z.number().int().positive().optional() })
/** What `release` takes. */
export type Release = z.input<typeof releaseSchema>

/** Calls that wait until they are let go. */
export type Holds = {
  hold(rule: CallMatch): void
  release(which?: Release): void
  isHeld(call: CallTarget): boolean
  /** Waits while a hold applies, or (hanging) until any release that covers the call; ends early when `gone` fires. */
  wait(call: CallTarget, gone: AbortSignal, hanging?: boolean): Promise<void>
  waiting(filter?: CallMatch): number
  /** Resolves as soon as at least this many matching calls wait. */
  untilWaiting(count?: number, filter?: CallMatch): Promise<void>
}

type Waiter = { call: CallTarget; hanging: boolean; go: () => void }

/** Makes an empty set of holds. */
export function createHolds(): Holds {
  let rules: CallMatch[] = []
  let waiters: Waiter[] = []
  let watchers: Array<{ count: number; filter: CallMatch; done: () => void }> = []
  const waiting = (filter: CallMatch = {}): number => waiters.filter((waiter) => matches(filter, waiter.call)).length
  const isHeld = (call: CallTarget): boolean => rules.some((rule) => matches(rule, call))
  const letGo = (list: Waiter[]): void => {
    waiters = waiters.filter((waiter) => !list.includes(waiter))
    for (const waiter of list) waiter.go()
  }
  const notify = (): void => {
    const ready = watchers.filter((watcher) => waiting(watcher.filter) >= watcher.count)
    watchers = watchers.filter((watcher) => !ready.includes(watcher))
    for (const watcher of ready) watcher.done()
  }
  return {
    isHeld,
    waiting,
    hold(rule) {
      rules.push(holdSchema.parse(rule))
    },
    release(which = {}) {
      const { count, ...filter } = releaseSchema.parse(which)
      const covered = waiters.filter((waiter) => matches(filter, waiter.call))
      if (count !== undefined) return letGo(covered.slice(0, count))
      rules = rules.filter((rule) => !covers(filter, rule))
      letGo(covered.filter((waiter) => waiter.hanging || !isHeld(waiter.call)))
    },
    wait(call, gone, hanging = false) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const waiter: Waiter = { call, hanging, go: resolve }
      waiters.push(waiter)
      gone.addEventListener('abort', () => letGo([waiter]), { once: true })
      if (gone.aborted) letGo([waiter])
      notify()
      return promise
    },
    untilWaiting(count = 1, filter = {}) {
      const { promise, resolve } = Promise.withResolvers<void>()
      watchers.push({ count, filter, done: resolve })
      notify()
      return promise
    },
  }
}

function covers(filter: CallMatch, rule: CallMatch): boolean {
  if (filter.vendor !== undefined && filter.vendor !== rule.vendor) return false
  if (filter.operation !== undefined && filter.operation !== rule.operation) return false
  return Object.entries(filter.match ?? {}).every(([key, value]) => String(rule.match?.[key]) === String(value))
}
