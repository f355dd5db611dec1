/** Billing periods: monthly from an anchor instant, in UTC (G14). */

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
