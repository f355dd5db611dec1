/** Pure: what an act costs at most, from the caps of the syncs that it begins. */

/** A sync that would begin: at most so many credits, null without a cap. */
export type Capped = { readonly cap: number | null }

/** At most now and each day after; null where nothing bounds it but the balance. */
export type Quote = {
  readonly sources: number
  readonly perSync: number | null
  readonly now: number | null
  readonly daily: number | null
  readonly balance: number
  readonly days: number | null
}

/** Adds the caps up; `daily`: the act adds these syncs to every day from tomorrow. */
export function quoteOf(syncs: readonly Capped[], daily: boolean, balance: number): Quote {
  const [first] = syncs
  const perSync = first !== undefined && syncs.every(({ cap }) => cap === first.cap) ? first.cap : null
  const isBounded = syncs.every(({ cap }) => cap !== null)
  const sum = isBounded ? syncs.reduce((total, { cap }) => total + cap!, 0) : null
  const aDay = daily ? sum : 0
  return {
    sources: syncs.length,
    perSync,
    now: sum,
    daily: aDay,
    balance,
    days: aDay === 0 ? null : aDay === null ? 0 : Math.floor(Math.max(0, balance) / aDay),
  }
}
