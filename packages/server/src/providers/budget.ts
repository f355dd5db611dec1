/** Limits an account's calls in flight and per minute across all processes; the times of its tables are system time. */
import { type Kysely, sql } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Random } from '../platform/random.ts'

/** An account's limits; `perMinute` null: none. */
export type Limits = {
  /** Read again at every attempt, since another call's answer may raise the limit. */
  readonly maxInFlight: () => number
  readonly perMinute: number | null
}

/** A request for one call; `waitMs`: the longest wait for a free place. */
export type BudgetRequest = Limits & { readonly waitMs: number; readonly signal?: AbortSignal | undefined }

/** Permission for one call; repeated releases have no further effect. */
export type BudgetPlace = { release(): Promise<void> }

export interface VendorBudget {
  /** Rejects with `BudgetExhausted` when no place comes free in time, and with the signal's reason when aborted. */
  acquire(account: string, request: BudgetRequest): Promise<BudgetPlace>
  /** The last stored concurrency limit of an account; null when unknown. */
  findConcurrencyLimit(account: string): Promise<number | null>
  saveConcurrencyLimit(account: string, inFlight: number): Promise<void>
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

/** A budget without limits, for tools that run alone and make few calls. */
export const unlimitedBudget: VendorBudget = {
  acquire: async () => ({ release: async () => {} }),
  findConcurrencyLimit: async () => null,
  saveConcurrencyLimit: async () => {},
}

const minuteMs = 60_000
/** Frees the slots of a crashed process; no call may last longer. */
const slotLeaseMs = 90_000
const pollMs = 60
type Slot = { readonly account: string; readonly slot: number; readonly holder: string }

/** FIFO queue of this process's calls for one account; `changed` resolves on a release. */
type Queue = { tail: Promise<void>; changed: PromiseWithResolvers<void> }

/** Opens the shared budget. If a release fails, the slot stays taken until its lease expires. */
export function createPgBudget(parts: {
  readonly db: Kysely<Database>
  readonly system: SystemClock
  readonly random: Random
  readonly processId: string
}): VendorBudget {
  const { db, system, random, processId } = parts
  const queues = new Map<string, Queue>()
  let taken = 0

  function queueOf(account: string): Queue {
    const queue = queues.get(account) ?? { tail: Promise.resolve(), changed: Promise.withResolvers<void>() }
    queues.set(account, queue)
    return queue
  }

  function placeOf(queue: Queue, slot: Slot): BudgetPlace {
    let released: Promise<void> | undefined
    const release = async () => {
      await releaseSlot(db, slot)
      const { changed } = queue
      queue.changed = Promise.withResolvers<void>()
      changed.resolve()
    }
    return { release: () => (released ??= release()) }
  }

  async function take(queue: Queue, account: string, request: BudgetRequest, deadlineMs: number): Promise<BudgetPlace> {
    const { perMinute, signal } = request
    let made = 0
    for (;;) {
      signal?.throwIfAborted()
      const nowMs = system.nowMs()
      const maxInFlight = request.maxInFlight()
      const holder = `${processId}:${(taken += 1)}`
      const slot = await takeSlot(db, account, holder, nowMs, maxInFlight, perMinute)
      if (slot !== null) return placeOf(queue, { account, slot, holder })
      if (maxInFlight > made) {
        made = maxInFlight
        await sql`
          insert into vendor_slot (vendor, slot, owner, leased_until_ms)
          select ${account}, n, '', 0 from generate_series(0, ${made}::int - 1) as n
          on conflict do nothing`.execute(db)
        continue
      }
      const leftMs = deadlineMs - nowMs
      const minuteLeftMs = perMinute === null ? 0 : await minuteLeft(db, account, perMinute, nowMs)
      if (leftMs <= 0 || minuteLeftMs > leftMs)
        throw new BudgetExhausted(account, minuteLeftMs > 0 ? minuteLeftMs : 1_000)
      const waitMs = Math.min(leftMs, minuteLeftMs > 0 ? minuteLeftMs : pollMs * (0.5 + random.next()))
      const stop = new AbortController()
      const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
      await Promise.race([system.sleep(waitMs, either).catch(() => {}), queue.changed.promise])
      stop.abort()
    }
  }

  return {
    findConcurrencyLimit: async (account) => {
      const { rows } = await sql<{ in_flight: number }>`
        select in_flight from vendor_limit where account = ${account}`.execute(db)
      return rows[0]?.in_flight ?? null
    },
    saveConcurrencyLimit: async (account, inFlight) => {
      await sql`
        insert into vendor_limit (account, in_flight) values (${account}, ${inFlight})
        on conflict (account) do update set in_flight = excluded.in_flight
        where vendor_limit.in_flight <> excluded.in_flight`.execute(db)
    },
    acquire: (account, request) => {
      const queue = queueOf(account)
      const deadlineMs = system.nowMs() + request.waitMs
      return inTurn(queue, request.signal, () => take(queue, account, request, deadlineMs))
    },
  }
}

/** Runs `work` after all earlier work in the queue; an aborted caller leaves the queue at once. */
async function inTurn<T>(queue: Queue, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const before = queue.tail
  const done = Promise.withResolvers<void>()
  queue.tail = before.then(() => done.promise)
  const aborted = Promise.withResolvers<void>()
  const leave = () => aborted.resolve()
  signal?.addEventListener('abort', leave, { once: true })
  try {
    if (!signal?.aborted) await Promise.race([before, aborted.promise])
    signal?.throwIfAborted()
    return await work()
  } finally {
    signal?.removeEventListener('abort', leave)
    done.resolve()
  }
}

/** Commits without waiting for the disk: a slot lost in a database crash was released or expires with its lease. */
const withoutDisk = sql`(select set_config('synchronous_commit', 'off', true)) as without_disk`

/** The owner condition keeps a late release from freeing another call's slot. */
async function releaseSlot(db: Kysely<Database>, { account, slot, holder }: Slot): Promise<void> {
  await sql`
    update vendor_slot as s set leased_until_ms = 0 from ${withoutDisk}
    where s.vendor = ${account} and s.slot = ${slot} and s.owner = ${holder}`.execute(db)
}

async function takeSlot(
  db: Kysely<Database>,
  account: string,
  holder: string,
  nowMs: number,
  maxInFlight: number,
  perMinute: number | null,
): Promise<number | null> {
  // The upper bounds keep a clock that was set back from holding a minute or a lease forever.
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

async function minuteLeft(db: Kysely<Database>, account: string, perMinute: number, nowMs: number): Promise<number> {
  const { rows } = await sql<{ opened_ms: number; used: number }>`
    select opened_ms, used from vendor_minute where vendor = ${account}`.execute(db)
  const minute = rows[0]
  if (!minute || minute.used < perMinute) return 0
  return Math.min(minuteMs, Math.max(0, Number(minute.opened_ms) + minuteMs - nowMs))
}
