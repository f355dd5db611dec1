/** The operator's accounts at data vendors: their reports, and the probe that frees held accounts. */
import type { Log } from '../platform/log.ts'
import type { VendorBreaker } from './breaker/breaker.ts'
import { troubleOf, type Trouble } from './breaker/rules.ts'
import { type AccountTrouble, type CallOptions, type NetworkProvider, ProviderFailure } from './ports.ts'

/** An account as its vendor describes it: `balance` in dollars, `credits` in the vendor's own unit. */
export type AccountReport = {
  readonly plan: string | null
  readonly balance: number | null
  readonly credits: number | null
  readonly maxInFlight: number | null
  readonly perMinute: number | null
}

/** The operator's account at one data vendor. Calls bypass the breaker, which judges by them. Both throw `ProviderFailure`. */
export interface VendorAccount {
  /** Id such as `harvestapi`, as used in logs, metrics and tables. */
  readonly vendor: string
  /** Reads the account, free of charge; fails with `why` `key` or `money` when the account is unusable. */
  report(options?: CallOptions): Promise<AccountReport>
  /** Makes one cheap data call (at most about a cent); resolves when the vendor answers anything at all. */
  canary(options?: CallOptions): Promise<void>
}

/** A network data vendor together with the account that pays for its calls. */
export type NetworkVendor = NetworkProvider & { readonly account: VendorAccount }

/** Resolves when a vendor gave any answer, including `not_found`. */
export async function answered(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof ProviderFailure && error.kind === 'not_found')) throw error
  })
}

const probeTimeout = { timeoutMs: 20_000 } as const

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

/** Probes held accounts, each at most once a minute; returns how many are free again. Waiting work resumes by itself. */
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

/** Returns why no data vendor can be called: if all are held, the reason of the one that is free soonest; else null. */
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

/** Answers whether all vendors are held; false when there are none. */
export function allVendorsHeld(breaker: VendorBreaker, accounts: readonly VendorAccount[]): () => Promise<boolean> {
  const trouble = networkTrouble(breaker, accounts)
  return async () => (await trouble()) !== null
}
