import type { Kysely } from 'kysely'
import { passedMs, type SystemClock } from '../../platform/clock.ts'
import { gathered } from '../../platform/gathered.ts'
import type { Random } from '../../platform/random.ts'
import { BudgetExhausted, type BudgetPlace, type BudgetRequest, pause, placeOf, type VendorBudget } from './budget.ts'
import { findLimit, giveBackAll, makeSlots, minuteLeft, saveLimit, takeSlots, type Slot } from './pg-budget-store.ts'

/** How often a full budget is asked again; a place freed by this process is noticed at once. */
const POLL_MS = 60

/** So long a slot goes from one call to the next that waits in this process; then other processes may have it. */
const PASS_ON_MS = 200

/** Slots taken by one statement, at most. */
const AT_ONCE = 20

type Parts<DB> = {
  readonly db: Kysely<DB>
  readonly system: SystemClock
  readonly random: Random
  readonly owner: string
}

/** A call that waits for a place. */
type Waiting = {
  readonly request: BudgetRequest
  readonly deadlineMs: number
  readonly served: PromiseWithResolvers<BudgetPlace>
}

/** Those in this process who wait for a slot of one vendor, in order. */
type Line = { readonly vendor: string; waiting: Waiting[]; moving: boolean; changed: PromiseWithResolvers<void> }

/**
 * A vendor's budget shared by all processes of the database: tables `vendor_slot`, `vendor_minute` and `vendor_limit`.
 *
 * Times are the machines' own (system time); `owner` names the process. A release that fails costs its slot for one lease. The
 * first of a line asks for those behind it, too, and a slot that is given back goes straight to who waits here, for a moment:
 * calls of a vendor that answers at once do not cost two commits each.
 */
export function createPgBudget<DB>(parts: Parts<DB>): VendorBudget {
  const { db, system } = parts
  const lines = new Map<string, Line>()
  const giveBack = gathered((slots: readonly Slot[]) => giveBackAll(db, slots))
  let counter = 0

  const line = (vendor: string): Line => {
    const already = lines.get(vendor)
    if (already) return already
    const made: Line = { vendor, waiting: [], moving: false, changed: Promise.withResolvers() }
    lines.set(vendor, made)
    return made
  }
  const wake = (of: Line): void => {
    const { changed } = of
    of.changed = Promise.withResolvers<void>()
    changed.resolve()
  }
  const release = async (of: Line, slot: Slot): Promise<void> => {
    const next = of.waiting[0]
    if (next && mayPassOn(slot, next.request, system.nowMs())) return serve(of, slot)
    await giveBack(slot)
    wake(of)
  }
  const serve = (of: Line, slot: Slot): void => of.waiting.shift()!.served.resolve(placeOf(() => release(of, slot)))

  /** Serves those who wait, in order, until nobody does. */
  const move = async (of: Line): Promise<void> => {
    let made = 0
    while (of.waiting.length > 0) {
      const first = of.waiting[0]!
      const most = first.request.maxInFlight()
      const taking = { vendor: of.vendor, owner: `${parts.owner}:${(counter += 1)}`, nowMs: system.nowMs(), most }
      const slots = await takeSlots(db, { ...taking, perMinute: first.request.perMinute, wanted: together(of.waiting) })
      for (const slot of slots) {
        const held = { vendor: of.vendor, slot, owner: taking.owner, takenMs: taking.nowMs }
        if (of.waiting.length > 0) serve(of, held)
        // Whoever waited was served otherwise, or has given up.
        else await giveBack(held)
      }
      if (slots.length > 0) continue
      if (most > made) {
        made = most
        if ((await makeSlots(db, of.vendor, most)) > 0) continue
      }
      await waitFor(of, first)
    }
  }

  /** Waits until a place may be free; the first of the line is told when that is not before its time is over. */
  const waitFor = async (of: Line, first: Waiting): Promise<void> => {
    const { request, deadlineMs, served } = first
    const nowMs = system.nowMs()
    const leftMs = deadlineMs - nowMs
    const windowMs =
      request.perMinute === null ? 0 : await minuteLeft(db, { vendor: of.vendor, perMinute: request.perMinute, nowMs })
    if (of.waiting[0] !== first) return
    if (leftMs <= 0 || windowMs > leftMs) {
      of.waiting.shift()
      served.reject(new BudgetExhausted(of.vendor, windowMs > 0 ? windowMs : 1_000))
      return
    }
    const waitMs = Math.min(leftMs, windowMs > 0 ? windowMs : POLL_MS * (0.5 + parts.random.next()))
    await pause(system, waitMs, { changed: of.changed.promise, signal: undefined })
  }

  const start = (of: Line): void => {
    if (of.moving) return
    of.moving = true
    // A database that does not answer is the trouble of everybody who waits now.
    const failed = (error: unknown) => {
      for (const { served } of of.waiting.splice(0)) served.reject(error)
    }
    queueMicrotask(
      () =>
        void move(of)
          .catch(failed)
          .finally(() => {
            of.moving = false
            if (of.waiting.length > 0) start(of)
          }),
    )
  }

  return {
    learnt: (account) => findLimit(db, account),
    learn: (account, inFlight) => saveLimit(db, account, inFlight),
    acquire: async (vendor, request) => {
      request.signal?.throwIfAborted()
      const of = line(vendor)
      const served = Promise.withResolvers<BudgetPlace>()
      const waiting: Waiting = { request, deadlineMs: system.nowMs() + request.waitMs, served }
      const leave = () => {
        if (!of.waiting.includes(waiting)) return
        of.waiting = of.waiting.filter((one) => one !== waiting)
        served.reject(request.signal!.reason)
        wake(of)
      }
      of.waiting.push(waiting)
      request.signal?.addEventListener('abort', leave, { once: true })
      start(of)
      return served.promise.finally(() => request.signal?.removeEventListener('abort', leave))
    },
  }
}

/** How many of those who wait may be served by one statement: the first, and those right behind it under the same limits. */
function together(waiting: readonly Waiting[]): number {
  const [{ request }] = waiting as readonly [Waiting, ...Waiting[]]
  const other = waiting.findIndex((one) => one.request.perMinute !== request.perMinute)
  return Math.min(other < 0 ? waiting.length : other, AT_ONCE)
}

/** Calls of a minute are counted when a slot is taken; a slot above the present limit is nobody's any more. */
const mayPassOn = ({ slot, takenMs }: Slot, to: BudgetRequest, nowMs: number): boolean =>
  to.perMinute === null && slot < to.maxInFlight() && passedMs(takenMs, nowMs) < PASS_ON_MS
