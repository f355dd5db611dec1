/** The operator's accounts at data vendors: what they say of themselves, and the probe that frees those that are held. */
import type { Log } from '../platform/log.ts'
import type { VendorBreaker } from './breaker/breaker.ts'
import { troubleOf, type Trouble } from './breaker/rules.ts'
import { type AccountTrouble, type CallOptions, type NetworkProvider, ProviderFailure } from './ports.ts'

/** An account, as far as the vendor describes it; null where it does not. */
export type AccountReport = {
  readonly plan: string | null
  /** What is left, in dollars. */
  readonly balance: number | null
  /** The same in the vendor's own unit, for those that count in one. */
  readonly credits: number | null
  /** Calls it may have in flight at once. */
  readonly maxInFlight: number | null
  readonly perMinute: number | null
}

/** The operator's account at one data vendor, asked past the breaker, which it decides about. Both throw `ProviderFailure`. */
export interface VendorAccount {
  /** Its id, such as `harvestapi`: the name in logs, metrics and tables. */
  readonly vendor: string
  /** Reads the account; free of charge, and fails with `why` `key` or `money` when it is no good. */
  report(options?: CallOptions): Promise<AccountReport>
  /** One cheap call for data: resolves when the vendor answers, whatever it answers. Costs at most about a cent. */
  canary(options?: CallOptions): Promise<void>
}

/** A vendor of network data with the account that its calls are paid from. */
export type NetworkVendor = NetworkProvider & { readonly account: VendorAccount }

/** Resolves when a vendor gave any answer at all: that there is no such thing is one. */
export async function answered(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof ProviderFailure && error.kind === 'not_found')) throw error
  })
}

const probeTimeout = { timeoutMs: 20_000 } as const

/** Tries an account: first what it says of itself, which is free, then a cheap call for data. */
async function tryAccount(account: VendorAccount): Promise<Trouble> {
  try {
    const { balance } = await account.report(probeTimeout)
    if (balance !== null && balance <= 0) return troubleOf({ kind: 'account', why: 'money' })
    await account.canary(probeTimeout)
    return null
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return troubleOf(error)
  }
}

/** Tries, once a minute, the accounts that are held; answers how many are free again, whose work then goes on by itself. */
export async function probeHeld(parts: {
  readonly accounts: readonly VendorAccount[]
  readonly breaker: VendorBreaker
  readonly log: Log
}): Promise<number> {
  const { accounts, breaker, log } = parts
  const freed = await Promise.all(
    accounts.map(async (account) => {
      const { vendor } = account
      if (!(await breaker.takeProbe(vendor))) return false
      const held = await breaker.leave(vendor, { kind: 'probe' }, await tryAccount(account))
      if (held) log.warn('a vendor is still held', { vendor, reason: held.reason })
      else log.info('a vendor is free again', { vendor })
      return held === null
    }),
  )
  return freed.filter(Boolean).length
}

/** Answers why no vendor of data can be asked: all are held. Of several reasons the one that is free soonest; null while one is free. */
export function networkTrouble(
  breaker: VendorBreaker,
  accounts: readonly VendorAccount[],
): () => Promise<AccountTrouble | null> {
  const names = accounts.map(({ vendor }) => vendor)
  return async () => {
    if (names.length === 0) return null
    const held = await breaker.listHeld(names)
    if (held.size < names.length) return null
    return [...held.values()].toSorted((a, b) => a.until.getTime() - b.until.getTime())[0]!.reason
  }
}

/** Answers whether every one of the vendors is held; with none, that none is. */
export function allVendorsHeld(breaker: VendorBreaker, accounts: readonly VendorAccount[]): () => Promise<boolean> {
  const trouble = networkTrouble(breaker, accounts)
  return async () => (await trouble()) !== null
}
