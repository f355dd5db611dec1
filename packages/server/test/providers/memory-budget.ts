/** A budget of one process, for tests without a database; first come, first served. */
import type { SystemClock } from '../../src/platform/clock.ts'
import { BudgetExhausted, type VendorBudget } from '../../src/providers/budget.ts'

export function createMemoryBudget({ system }: { system: SystemClock }): VendorBudget {
  const uses = new Map<string, { inFlight: number; openedMs: number; used: number; waiting: (() => void)[] }>()
  const known = new Map<string, number>()
  return {
    findConcurrencyLimit: async (account) => known.get(account) ?? null,
    saveConcurrencyLimit: async (account, inFlight) => void known.set(account, inFlight),
    acquire: async (account, { maxInFlight, perMinute }) => {
      const use = uses.get(account) ?? { inFlight: 0, openedMs: system.nowMs(), used: 0, waiting: [] }
      uses.set(account, use)
      while (use.inFlight >= maxInFlight()) await new Promise<void>((resolve) => void use.waiting.push(resolve))
      const nowMs = system.nowMs()
      if (nowMs - use.openedMs >= 60_000) Object.assign(use, { openedMs: nowMs, used: 0 })
      if (perMinute !== null && use.used >= perMinute) throw new BudgetExhausted(account, use.openedMs + 60_000 - nowMs)
      use.inFlight += 1
      use.used += 1
      return {
        release: async () => {
          use.inFlight -= 1
          use.waiting.shift()?.()
        },
      }
    },
  }
}
