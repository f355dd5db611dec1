/** Why an account at an outside system is held, and what that comes to for whoever waits. */
import { networkTrouble } from '@les/contract'

/**
 * Why an account at an outside system is of no use for now: it is away, refuses our key, wants money, takes no more
 * calls, or has cost what it may in a day.
 */
export type AccountTrouble = 'away' | 'key' | 'money' | 'rate' | 'cap'

/** An account that is held. `until`: when to try again, in service time. */
export type Held = { readonly reason: AccountTrouble; readonly until: Date }

/** What a held account comes to for whoever waits for it; pages and runs say the same words. */
export const troubleWords: Readonly<Record<AccountTrouble, string>> = networkTrouble
