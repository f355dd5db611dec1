/**
 * The breaker in the database: table `vendor_breaker`. A healthy account costs each call one read by its key, shared with calls
 * beside it, and no write.
 */
import { sql, type Kysely } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Database } from '../../platform/db/schema.ts'
import { gathered } from '../../platform/gathered.ts'
import type { Held } from '../ports.ts'
import type { Entry, VendorBreaker } from './port.ts'
import {
  afterCall,
  afterProbe,
  closed,
  heldUntil,
  mayProbe,
  probeEveryMs,
  type BreakerReason,
  type BreakerState,
} from './rules/breaker.ts'

/** What the breaker works with; `capped` says of an account whether it has cost today what it may. */
export type BreakerParts = {
  readonly db: Kysely<Database>
  readonly serviceNow: () => Promise<Date>
  readonly capped?: (account: string, now: Date) => Promise<Held | null>
}

/** True when some account is held by its failures. */
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

/** Opens it. */
export function createPgBreaker({ db, serviceNow, capped = async () => null }: BreakerParts): VendorBreaker {
  const find = gathered(async (accounts: readonly string[]): Promise<BreakerState[]> => {
    const { rows } = await sql<Row>`select account, failures, reason, opened_at, probe_at from vendor_breaker
      where account = any(${[...new Set(accounts)]}::text[])`.execute(db)
    const states = new Map(rows.map((row) => [row.account, toState(row)]))
    return accounts.map((account) => states.get(account) ?? closed)
  })

  /** Changes a row under its lock by a rule; what stays as it is is not written. */
  const change = (account: string, rule: (state: BreakerState, at: Date) => BreakerState): Promise<BreakerState> =>
    serviceNow().then((at) =>
      db.transaction().execute(async (tx) => {
        await sql`insert into vendor_breaker (account, failures) values (${account}, 0) on conflict do nothing`.execute(
          tx,
        )
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
      }),
    )

  const takeProbe = async (account: string): Promise<boolean> => {
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
      const after = await change(account, (state, at) => rule(state, trouble, at))
      return after.open && { reason: after.open.reason, until: heldUntil(after.open, await serviceNow()) }
    },
    listHeld: async (accounts) => {
      const at = await serviceNow()
      const states = await Promise.all(accounts.map(find))
      const held = new Map<string, Held>()
      for (const [index, { open }] of states.entries())
        if (open) held.set(accounts[index]!, { reason: open.reason, until: heldUntil(open, at) })
      for (const account of accounts) {
        const cap = held.has(account) ? null : await capped(account, at)
        if (cap) held.set(account, cap)
      }
      return held
    },
  }
}
