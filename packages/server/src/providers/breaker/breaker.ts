/** A breaker per vendor account: a held one is not called, and its work waits uncounted. A healthy one costs a call one read. */
import { sql, type Kysely } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Database } from '../../platform/db/schema.ts'
import { gathered } from '../../platform/gathered.ts'
import { BudgetExhausted } from '../budget.ts'
import { OutsideFailure, type Held } from '../failure.ts'
import {
  afterCall,
  afterProbe,
  closed,
  heldUntil,
  mayProbe,
  probeEveryMs,
  troubleOf,
  type BreakerReason,
  type BreakerState,
  type Trouble,
} from './rules.ts'

/** Whether a call may go ahead, as a normal call or as the probe; `afterMs`: how long until asking again is worthwhile. */
export type Entry =
  | { readonly kind: 'go'; readonly failures: number }
  | { readonly kind: 'probe' }
  | { readonly kind: 'held'; readonly held: Held; readonly afterMs: number }

/** The state of every account, shared by all processes. */
export interface VendorBreaker {
  /** Asks to call. An open account that probes itself lets one call a minute through. */
  enter(account: string, probesItself: boolean): Promise<Entry>
  /** Reports the outcome of an admitted call; returns the hold if the account is held now. */
  leave(account: string, entry: Exclude<Entry, { kind: 'held' }>, trouble: Trouble): Promise<Held | null>
  /** Claims the due probe of an open account across all processes; false when none is due. */
  takeProbe(account: string): Promise<boolean>
  /** Accounts held by failures or by their daily cap. */
  listHeld(accounts: readonly string[]): Promise<ReadonlyMap<string, Held>>
}

type CalledAccount = {
  readonly account: string
  readonly probesItself: boolean
  readonly signal: AbortSignal | undefined
  readonly refuse: (held: Held, afterMs: number) => Error
}

/** Makes a call unless its account is held, and reports the outcome to the breaker. */
export async function throughBreaker<T>(
  breaker: VendorBreaker,
  { account, probesItself, signal, refuse }: CalledAccount,
  call: () => Promise<T>,
): Promise<T> {
  const entry = await breaker.enter(account, probesItself)
  if (entry.kind === 'held') throw refuse(entry.held, entry.afterMs)
  // Ignore a failed write: the next call notices the trouble again, and this call's result matters more.
  const leave = (trouble: Trouble) => breaker.leave(account, entry, trouble).catch(() => null)
  let answer: T
  try {
    answer = await call()
  } catch (error) {
    // An aborted call, or one that found no place in our own budget, says nothing about the vendor.
    const isTheirs = error instanceof OutsideFailure && !signal?.aborted && !(error.cause instanceof BudgetExhausted)
    const trouble = isTheirs ? troubleOf(error) : null
    const held = await leave(trouble)
    throw isTheirs && trouble !== null && held ? error.whileHeld(held) : error
  }
  await leave(null)
  return answer
}

/** `capped` returns a hold when an account has reached its daily cap. */
type BreakerParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: () => Promise<Date>
  readonly capped?: (account: string, now: Date) => Promise<Held | null>
}

/** True when failures hold some account. */
export const accountsHeld = (): Condition =>
  sql<boolean>`exists (select 1 from vendor_breaker where reason is not null)`

type Row = {
  account: string
  failures: number
  reason: BreakerReason | null
  opened_at: Date | null
  probe_at: Date | null
}

const toState = (row: Row): BreakerState => ({
  failures: row.failures,
  open: row.reason === null ? null : { reason: row.reason, since: row.opened_at!, probeAt: row.probe_at! },
})

const notMade = (held: Held, now: Date): Entry => ({
  kind: 'held',
  held,
  afterMs: Math.max(0, held.until.getTime() - now.getTime()),
})

/** Opens the breaker. */
export function createPgBreaker({ db, serviceNow, capped = async () => null }: BreakerParts): VendorBreaker {
  const find = gathered(async (accounts: readonly string[]): Promise<BreakerState[]> => {
    const { rows } = await sql<Row>`select account, failures, reason, opened_at, probe_at from vendor_breaker
      where account = any(${[...new Set(accounts)]}::text[])`.execute(db)
    const states = new Map(rows.map((row) => [row.account, toState(row)]))
    return accounts.map((account) => states.get(account) ?? closed)
  })

  async function change(account: string, rule: (state: BreakerState, at: Date) => BreakerState): Promise<BreakerState> {
    const at = await serviceNow()
    return db.transaction().execute(async (tx) => {
      await sql`
        insert into vendor_breaker (account, failures) values (${account}, 0) on conflict do nothing`.execute(tx)
      const { rows } = await sql<Row>`
        select account, failures, reason, opened_at, probe_at from vendor_breaker where account = ${account}
        for update`.execute(tx)
      const before = toState(rows[0]!)
      const after = rule(before, at)
      if (after !== before)
        await sql`
          update vendor_breaker set failures = ${after.failures}, reason = ${after.open?.reason ?? null},
            opened_at = ${after.open?.since ?? null}, probe_at = ${after.open?.probeAt ?? null}
          where account = ${account}`.execute(tx)
      return after
    })
  }

  async function takeProbe(account: string): Promise<boolean> {
    const at = await serviceNow()
    if (!mayProbe(await find(account), at)) return false
    let taken = false
    await change(account, (state) => {
      taken = mayProbe(state, at)
      return taken && state.open
        ? { ...state, open: { ...state.open, probeAt: new Date(at.getTime() + probeEveryMs) } }
        : state
    })
    return taken
  }

  return {
    takeProbe,
    enter: async (account, probesItself) => {
      const [state, at] = [await find(account), await serviceNow()]
      if (state.open) {
        if (probesItself && mayProbe(state, at) && (await takeProbe(account))) return { kind: 'probe' }
        return notMade({ reason: state.open.reason, until: heldUntil(state.open, at) }, at)
      }
      const held = await capped(account, at)
      return held ? notMade(held, at) : { kind: 'go', failures: state.failures }
    },
    leave: async (account, entry, trouble) => {
      if (entry.kind === 'go' && entry.failures === 0 && trouble === null) return null
      const rule = entry.kind === 'probe' ? afterProbe : afterCall
      const { open } = await change(account, (state, at) => rule(state, trouble, at))
      return open && { reason: open.reason, until: heldUntil(open, await serviceNow()) }
    },
    listHeld: async (accounts) => {
      const at = await serviceNow()
      const states = await Promise.all(accounts.map(find))
      const held = new Map<string, Held>()
      for (const [index, account] of accounts.entries()) {
        const { open } = states[index]!
        const found = open ? { reason: open.reason, until: heldUntil(open, at) } : await capped(account, at)
        if (found) held.set(account, found)
      }
      return held
    },
  }
}
