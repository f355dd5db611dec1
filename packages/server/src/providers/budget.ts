/**
 * How many calls an account at an outside system takes: in flight at once and in a minute, over all processes. Tables `vendor_slot`,
 * `vendor_minute` and `vendor_limit` are written here and nowhere else; their times are the machines' own.
 */
import { type Kysely, sql } from 'kysely'
import { passedMs, type SystemClock } from '../platform/clock.ts'
import type { Random } from '../platform/random.ts'

/** What an account takes. */
export type Limits = {
  /** Calls in flight at once; asked at every try, for an answer to another call may raise it meanwhile. */
  readonly maxInFlight: () => number
  /** Calls in a minute; null for no such limit. */
  readonly perMinute: number | null
}

/** What one call may use of an account; `waitMs`: its longest wait for a free place. */
export type BudgetRequest = Limits & { readonly waitMs: number; readonly signal?: AbortSignal }

/** Permission for one call; released exactly once however often it is asked. */
export type BudgetPlace = { release(): Promise<void> }

/** The calls of every account, counted over all processes. */
export interface VendorBudget {
  /** Resolves with a place; rejects with `BudgetExhausted` when none comes free in time, and with the signal's reason when aborted. */
  acquire(account: string, request: BudgetRequest): Promise<BudgetPlace>
  /** How many calls an account was last said to take at once; null when nobody has said so. */
  learnt(account: string): Promise<number | null>
  /** Remembers that, for all processes and their next starts. */
  learn(account: string, inFlight: number): Promise<void>
}

/** No place came free in time; `retryAfterMs`: when one may be free. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  readonly retryAfterMs: number
  constructor(account: string, retryAfterMs: number) {
    super(`The call budget of ${account} is used up.`)
    this.retryAfterMs = retryAfterMs
  }
}

/** A budget without limits, for tools that run alone and make a few calls. */
export const unlimitedBudget: VendorBudget = {
  acquire: async () => ({ release: async () => {} }),
  learnt: async () => null,
  learn: async () => {},
}

const minuteMs = 60_000
/** A slot whose holder died is free again after this long; no call may last longer. */
export const slotLeaseMs = 90_000
/** How often a full budget is asked again; a place freed by this process is noticed at once. */
const pollMs = 60
/** So long a slot goes from one call to the next that waits in this process; then other processes may have it. */
const passOnMs = 200

/** A slot that this process holds, and since when. */
type Slot = { readonly account: string; readonly slot: number; readonly holder: string; readonly takenMs: number }

/** A call that waits for a place. */
type Waiting = {
  readonly request: BudgetRequest
  readonly deadlineMs: number
  readonly served: PromiseWithResolvers<BudgetPlace>
}

/** The calls of this process that wait for a place of one account, in order; `changed` resolves when asking again is worth it. */
type Queue = { readonly account: string; waiting: Waiting[]; serving: boolean; changed: PromiseWithResolvers<void> }

/**
 * Opens the budget shared by all processes of the database; `owner` names this one. A release that fails costs its slot for one lease.
 * A slot that is released goes straight to the next call that waits here, for a moment: calls of a vendor that answers at once do not
 * cost two statements each.
 */
export function createPgBudget<DB>(parts: {
  readonly db: Kysely<DB>
  readonly system: SystemClock
  readonly random: Random
  readonly owner: string
}): VendorBudget {
  const { db, system, random, owner } = parts
  const queues = new Map<string, Queue>()
  let taken = 0

  function queueOf(account: string): Queue {
    const queue = queues.get(account) ?? { account, waiting: [], serving: false, changed: Promise.withResolvers() }
    queues.set(account, queue)
    return queue
  }

  function wake(queue: Queue): void {
    const { changed } = queue
    queue.changed = Promise.withResolvers<void>()
    changed.resolve()
  }

  function give(queue: Queue, slot: Slot): void {
    let released: Promise<void> | undefined
    queue.waiting.shift()!.served.resolve({ release: () => (released ??= release(queue, slot)) })
  }

  async function release(queue: Queue, slot: Slot): Promise<void> {
    const next = queue.waiting[0]
    if (next && mayPassOn(slot, next.request, system.nowMs())) return give(queue, slot)
    await releaseSlot(db, slot)
    wake(queue)
  }

  /** Serves the calls that wait, in order, until none does. */
  async function serve(queue: Queue): Promise<void> {
    const { account } = queue
    let made = 0
    for (let first = queue.waiting[0]; first; first = queue.waiting[0]) {
      const limits = { maxInFlight: first.request.maxInFlight(), perMinute: first.request.perMinute }
      const takenMs = system.nowMs()
      const holder = `${owner}:${(taken += 1)}`
      const slot = await takeSlot(db, { account, holder, nowMs: takenMs, ...limits })
      if (slot !== null) {
        const held = { account, slot, holder, takenMs }
        // The calls that waited may have been served with a slot that was passed on, or aborted.
        if (queue.waiting.length > 0) give(queue, held)
        else await releaseSlot(db, held)
      } else if (limits.maxInFlight > made) {
        made = limits.maxInFlight
        await makeSlots(db, account, made)
      } else await waitFor(queue, first)
    }
  }

  /** Waits until a place may be free; the first of the queue is refused when that is not before its time is over. */
  async function waitFor(queue: Queue, first: Waiting): Promise<void> {
    const { request, deadlineMs, served } = first
    const nowMs = system.nowMs()
    const leftMs = deadlineMs - nowMs
    const { perMinute } = request
    const minuteLeftMs = perMinute === null ? 0 : await minuteLeft(db, { account: queue.account, perMinute, nowMs })
    if (queue.waiting[0] !== first) return
    if (leftMs <= 0 || minuteLeftMs > leftMs) {
      queue.waiting.shift()
      served.reject(new BudgetExhausted(queue.account, minuteLeftMs > 0 ? minuteLeftMs : 1_000))
      return
    }
    const waitMs = Math.min(leftMs, minuteLeftMs > 0 ? minuteLeftMs : pollMs * (0.5 + random.next()))
    const stop = new AbortController()
    await Promise.race([system.sleep(waitMs, stop.signal).catch(() => {}), queue.changed.promise])
    stop.abort()
  }

  function start(queue: Queue): void {
    if (queue.serving) return
    queue.serving = true
    void serve(queue)
      // A database that does not answer is the trouble of every call that waits now.
      .catch((error: unknown) => {
        for (const { served } of queue.waiting.splice(0)) served.reject(error)
      })
      .finally(() => {
        queue.serving = false
        if (queue.waiting.length > 0) start(queue)
      })
  }

  return {
    learnt: (account) => findLimit(db, account),
    learn: (account, inFlight) => saveLimit(db, account, inFlight),
    acquire: async (account, request) => {
      request.signal?.throwIfAborted()
      const queue = queueOf(account)
      const served = Promise.withResolvers<BudgetPlace>()
      const waiting: Waiting = { request, deadlineMs: system.nowMs() + request.waitMs, served }
      const leave = () => {
        if (!queue.waiting.includes(waiting)) return
        queue.waiting = queue.waiting.filter((one) => one !== waiting)
        served.reject(request.signal!.reason)
        wake(queue)
      }
      queue.waiting.push(waiting)
      request.signal?.addEventListener('abort', leave, { once: true })
      start(queue)
      return served.promise.finally(() => request.signal?.removeEventListener('abort', leave))
    },
  }
}

/** Calls of a minute are counted when a slot is taken; a slot above the present limit is nobody's any more. */
const mayPassOn = ({ slot, takenMs }: Slot, to: BudgetRequest, nowMs: number): boolean =>
  to.perMinute === null && slot < to.maxInFlight() && passedMs(takenMs, nowMs) < passOnMs

async function findLimit<DB>(db: Kysely<DB>, account: string): Promise<number | null> {
  const { rows } = await sql<{ in_flight: number }>`
    select in_flight from vendor_limit where account = ${account}`.execute(db)
  return rows[0]?.in_flight ?? null
}

async function saveLimit<DB>(db: Kysely<DB>, account: string, inFlight: number): Promise<void> {
  await sql`
    insert into vendor_limit (account, in_flight) values (${account}, ${inFlight})
    on conflict (account) do update set in_flight = excluded.in_flight
    where vendor_limit.in_flight <> excluded.in_flight`.execute(db)
}

/** The commit waits for no disk: slots that a crash of the database forgets were released, or come free with their lease. */
const withoutDisk = sql`(select set_config('synchronous_commit', 'off', true)) as without_disk`

/** Releases a slot if it is still held by the one who took it. */
async function releaseSlot<DB>(db: Kysely<DB>, { account, slot, holder }: Slot): Promise<void> {
  await sql`
    update vendor_slot as s set leased_until_ms = 0 from ${withoutDisk}
    where s.vendor = ${account} and s.slot = ${slot} and s.owner = ${holder}`.execute(db)
}

/** Takes a free slot and counts its call; null when there is none, or the minute is used up. */
async function takeSlot<DB>(
  db: Kysely<DB>,
  take: {
    readonly account: string
    readonly holder: string
    readonly nowMs: number
    readonly maxInFlight: number
    readonly perMinute: number | null
  },
): Promise<number | null> {
  const { account, holder, nowMs, maxInFlight, perMinute } = take
  // A clock that was set back must not keep a minute or a lease for ever.
  const isOver = sql`(m.opened_ms + ${minuteMs}::bigint <= ${nowMs}::bigint
    or m.opened_ms > ${nowMs}::bigint + ${minuteMs}::bigint)`
  const countCall =
    perMinute === null
      ? sql`select 1 from free`
      : sql`
        insert into vendor_minute as m (vendor, opened_ms, used)
        select ${account}, ${nowMs}::bigint, 1 from free where ${perMinute}::int >= 1
        on conflict (vendor) do update set
          opened_ms = case when ${isOver} then ${nowMs}::bigint else m.opened_ms end,
          used = case when ${isOver} then 0 else m.used end + 1
        where ${isOver} or m.used < ${perMinute}::int returning 1`
  const { rows } = await sql<{ slot: number }>`
    with free as materialized (
      select slot from vendor_slot
      where vendor = ${account} and slot < ${maxInFlight}::int
        and (leased_until_ms <= ${nowMs}::bigint or leased_until_ms > ${nowMs + 2 * slotLeaseMs}::bigint)
      order by slot limit 1 for update skip locked),
    counted as (${countCall})
    update vendor_slot as s set owner = ${holder}, leased_until_ms = ${nowMs + slotLeaseMs}::bigint
    from free, ${withoutDisk}
    where s.vendor = ${account} and s.slot = free.slot and exists (select 1 from counted)
    returning s.slot`.execute(db)
  return rows[0]?.slot ?? null
}

async function makeSlots<DB>(db: Kysely<DB>, account: string, maxInFlight: number): Promise<void> {
  await sql`
    insert into vendor_slot (vendor, slot, owner, leased_until_ms)
    select ${account}, n, '', 0 from generate_series(0, ${maxInFlight}::int - 1) as n
    on conflict do nothing`.execute(db)
}

/** How long until a used-up minute is over; 0 when it is not used up. */
async function minuteLeft<DB>(
  db: Kysely<DB>,
  { account, perMinute, nowMs }: { readonly account: string; readonly perMinute: number; readonly nowMs: number },
): Promise<number> {
  const { rows } = await sql<{ opened_ms: number; used: number }>`
    select opened_ms, used from vendor_minute where vendor = ${account}`.execute(db)
  const minute = rows[0]
  if (!minute || minute.used < perMinute) return 0
  return Math.min(minuteMs, Math.max(0, Number(minute.opened_ms) + minuteMs - nowMs))
}
