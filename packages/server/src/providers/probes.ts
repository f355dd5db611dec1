/** One probe a minute of every data vendor whose account is held: its own account first, which is free, then a cheap call for data. */
import type { Log } from '../platform/log.ts'
import type { AccountTrouble, Held } from './account-trouble.ts'
import type { VendorAccount } from './accounts.ts'
import type { VendorBreaker } from './breaker/port.ts'
import { troubleOf, type Trouble } from './breaker/rules/breaker.ts'
import { ProviderFailure } from './ports.ts'

/** What probing works with. */
export type ProbeParts = {
  readonly accounts: readonly VendorAccount[]
  readonly breaker: VendorBreaker
  readonly log: Log
}

const poolTimeouts = { timeoutMs: 20_000 } as const

/** What an account says when it is tried. */
export async function tryAccount(account: VendorAccount): Promise<Trouble> {
  try {
    const { balance } = await account.report(poolTimeouts)
    if (balance !== null && balance <= 0) return troubleOf({ kind: 'account', why: 'money' })
    await account.canary(poolTimeouts)
    return null
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return troubleOf(error)
  }
}

/** Probes those that are due; answers how many are free again, whose work then goes on by itself. */
export async function probeHeld({ accounts, breaker, log }: ProbeParts): Promise<number> {
  const probed = await Promise.all(
    accounts.map(async (account) => {
      const { vendor } = account
      if (!(await breaker.takeProbe(vendor))) return 0
      const trouble = await tryAccount(account)
      const held = await breaker.leave(vendor, { kind: 'probe' }, trouble)
      if (held) log.warn('a vendor is still held', { vendor, reason: held.reason })
      else log.info('a vendor is free again', { vendor })
      return held ? 0 : 1
    }),
  )
  return probed.reduce<number>((sum, freed) => sum + freed, 0)
}

/** Answers why no vendor of data can be asked: all are held. Of several reasons the one that is free soonest; null while one is free. */
export function networkTrouble(
  breaker: VendorBreaker,
  accounts: readonly VendorAccount[],
): () => Promise<AccountTrouble | null> {
  const names = accounts.map(({ vendor }) => vendor)
  return async () => {
    const held = names.length === 0 ? new Map<string, Held>() : await breaker.listHeld(names)
    if (held.size < names.length) return null
    return [...held.values()].toSorted((a, b) => a.until.getTime() - b.until.getTime())[0]?.reason ?? null
  }
}

/** Says whether every one of the vendors is held; with none, that none is. */
export function allVendorsHeld(breaker: VendorBreaker, accounts: readonly VendorAccount[]): () => Promise<boolean> {
  const names = accounts.map(({ vendor }) => vendor)
  return async () => names.length > 0 && (await breaker.listHeld(names)).size === names.length
}
