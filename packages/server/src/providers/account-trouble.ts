/** Why an account at an outside system is held, and what that comes to for whoever waits. */

/** Why an account at an outside system is of no use for now: it is away, refuses our key, wants money, takes no more calls, or has cost what it may in a day. */
export type AccountTrouble = 'away' | 'key' | 'money' | 'rate' | 'cap'

/** An account that is held. `until`: when to try again, in service time. */
export type Held = { readonly reason: AccountTrouble; readonly until: Date }

/** What a held account comes to for whoever waits for it; pages and runs say the same words. */
export const troubleWords: Readonly<Record<AccountTrouble, string>> = {
  away: 'The network did not answer',
  key: 'The network refused the account of this service, which its operator has to see to',
  money: 'The network wants money: the account of this service there is empty, which its operator has to see to',
  rate: 'The network took no more calls',
  cap: 'The network is asked no more today: what its operator lets this service ask there in a day is used up',
}
