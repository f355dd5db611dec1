/** A breaker per vendor account: while an account is held, no call is made, and what needs it is put off and does not count as tried. */
import type { Held } from '../ports.ts'
import type { BreakerState, Trouble } from './rules/breaker.ts'

/** How a call begins: let through, let through as the probe, or not made; `afterMs`: how long until asking again is worth it. */
export type Entry =
  | { readonly kind: 'go'; readonly failures: number }
  | { readonly kind: 'probe' }
  | { readonly kind: 'held'; readonly held: Held; readonly afterMs: number }

/** One account that is held. */
export type HeldAccount = { readonly account: string } & NonNullable<BreakerState['open']>

/** The state of every account, shared by all processes. */
export interface VendorBreaker {
  /** Asks to call. Of an account that probes itself, one call a minute is let through while it is open. */
  enter(account: string, probesItself: boolean): Promise<Entry>
  /** Says how a call that was let through went; answers when to come back when the account is held now. */
  leave(account: string, entry: Exclude<Entry, { kind: 'held' }>, trouble: Trouble): Promise<Held | null>
  /** Takes the probe that is due of an open account, for all processes; false when none is. */
  takeProbe(account: string): Promise<boolean>
  /** Those of the accounts that are held, by failures or by what they have cost today. */
  listHeld(accounts: readonly string[]): Promise<ReadonlyMap<string, Held>>
}

/** What is particular to a kind of account. */
export type Through = {
  readonly account: string
  readonly probesItself: boolean
  /** What an error says about the account; null also for errors that are not the vendor's. */
  readonly read: (error: unknown) => Trouble
  /** The error of a call that was not made. */
  readonly refuse: (held: Held, afterMs: number) => Error
  /** The same error, of an account that is held now. */
  readonly mark: (error: unknown, held: Held) => unknown
}

/** Makes a call unless its account is held, and tells the breaker how it went. */
export async function throughBreaker<T>(breaker: VendorBreaker, how: Through, call: () => Promise<T>): Promise<T> {
  const { account } = how
  const entry = await breaker.enter(account, how.probesItself)
  if (entry.kind === 'held') throw how.refuse(entry.held, entry.afterMs)
  let answer: T
  try {
    answer = await call()
  } catch (error) {
    // What cannot be written down now is found out by the next call; the vendor's own failure matters more.
    const held = await breaker.leave(account, entry, how.read(error)).catch(() => null)
    throw held && how.read(error) !== null ? how.mark(error, held) : error
  }
  await breaker.leave(account, entry, null).catch(() => null)
  return answer
}

/** A breaker that holds nothing: for tools that run alone, and tests of what one thing that fails comes to. */
export const neverHeld: VendorBreaker = {
  enter: async () => ({ kind: 'go', failures: 0 }),
  leave: async () => null,
  takeProbe: async () => false,
  listHeld: async () => new Map(),
}
