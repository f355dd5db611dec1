/** What a new period does to an account: what is left of the allowance lapses, the new allowance is granted (G14). */

/** The figures of an account. Spendable is `granted - spent - held`. */
export type Account = {
  readonly granted: number
  readonly spent: number
  readonly held: number
  /** Granted once a period; used before top-ups. */
  readonly allowance: number
  readonly periodUsed: number
  /** What of a lowered allowance could not be taken back in this period, since it was spent or held (decision 0005). */
  readonly overspent: number
  readonly anchorAt: Date
  readonly periodStart: Date
  /** Null when nothing renews (a free trial). */
  readonly periodEnd: Date | null
}

/** Credits that can be spent now. */
export const balanceOf = (account: Account): number => account.granted - account.spent - account.held

/** What a renewal comes to; null while the period lasts. */
type Renewal = { readonly account: Account; readonly lapsed: number; readonly granted: number }

/**
 * Renews the account when its period is over; several missed periods renew once, into the present one. What is held is not spent yet:
 * it lapses with the rest and is held of the new allowance, by whose period it is counted when the read is settled.
 */
export function renew(account: Account, now: Date): Renewal | null {
  if (account.periodEnd === null || now < account.periodEnd) return null
  const period = periodAt(account.anchorAt, now)
  const leftOfAllowance = Math.max(0, account.allowance - account.periodUsed)
  const lapsed = Math.min(leftOfAllowance, account.granted - account.spent)
  return {
    lapsed,
    granted: account.allowance,
    account: {
      ...account,
      granted: account.granted - lapsed + account.allowance,
      periodUsed: 0,
      overspent: 0,
      periodStart: period.start,
      periodEnd: period.end,
    },
  }
}

/** The account as it stands at `now`, with a due renewal already counted. */
export const asOf = (account: Account, now: Date): Account => renew(account, now)?.account ?? account

/**
 * What another allowance for the running period comes to. Lowered, it takes back what is left of the difference, never what is spent or
 * held: that is `overspent`. Raised, it grants the difference, less what is overspent: lowered and raised again is what it was.
 */
export function allowanceChange(account: Account, allowance: number): { change: number; overspent: number } {
  const difference = allowance - account.allowance
  if (difference >= 0) {
    const settled = Math.min(difference, account.overspent)
    return { change: difference - settled, overspent: account.overspent - settled }
  }
  const taken = Math.min(-difference, balanceOf(account))
  return { change: -taken, overspent: account.overspent - difference - taken }
}

/** The instant `months` months after the anchor; the last day of a month that is too short. */
export function monthsAfter(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear()
  const month = anchor.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(
    Date.UTC(
      year,
      month,
      Math.min(anchor.getUTCDate(), lastDay),
      anchor.getUTCHours(),
      anchor.getUTCMinutes(),
      anchor.getUTCSeconds(),
      anchor.getUTCMilliseconds(),
    ),
  )
}

/** The period that `now` lies in: from its start, inclusive, to its end, exclusive. Before the anchor it is the first one. */
export function periodAt(anchor: Date, now: Date): { start: Date; end: Date } {
  const guess = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + (now.getUTCMonth() - anchor.getUTCMonth())
  let months = Math.max(0, guess)
  while (months > 0 && monthsAfter(anchor, months) > now) months -= 1
  while (monthsAfter(anchor, months + 1) <= now) months += 1
  return { start: monthsAfter(anchor, months), end: monthsAfter(anchor, months + 1) }
}
