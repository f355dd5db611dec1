/** Account arithmetic: at renewal the rest of the allowance lapses and a new one is granted (G14). */

/** An account's figures. The balance is `granted - spent - held`. */
export type Account = {
  readonly granted: number
  readonly spent: number
  readonly held: number
  /** Granted once a period; used before top-ups. */
  readonly allowance: number
  readonly periodUsed: number
  /** Part of a lowered allowance that could not be taken back this period, because it was spent or held (decision 0005). */
  readonly overspent: number
  readonly anchorAt: Date
  readonly periodStart: Date
  /** Null: does not renew (free trial). */
  readonly periodEnd: Date | null
}

/** Credits that can be spent. */
export const balanceOf = (account: Account): number => account.granted - account.spent - account.held

type Renewal = { readonly account: Account; readonly lapsed: number; readonly granted: number }

/**
 * Renews an account whose period has ended, else null; several missed periods renew once. Held credits are not spent yet: they
 * lapse with the rest, are held from the new allowance, and count towards the period in which they are settled.
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

/** The account at `now`, including a due renewal. */
export const asOf = (account: Account, now: Date): Account => renew(account, now)?.account ?? account

/**
 * The effect of a new allowance on this period. Lowering takes back what is not spent or held; the rest becomes `overspent`.
 * Raising first reduces `overspent`, so that lowering and raising again changes nothing.
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

/** The anchor plus `months` months, or the month's last day if the month is too short. */
function monthsAfter(anchor: Date, months: number): Date {
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

/** The period containing `now`: start inclusive, end exclusive; before the anchor, the first period. */
export function periodAt(anchor: Date, now: Date): { start: Date; end: Date } {
  const guess = (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + (now.getUTCMonth() - anchor.getUTCMonth())
  let months = Math.max(0, guess)
  while (months > 0 && monthsAfter(anchor, months) > now) months -= 1
  while (monthsAfter(anchor, months + 1) <= now) months += 1
  return { start: monthsAfter(anchor, months), end: monthsAfter(anchor, months + 1) }
}
