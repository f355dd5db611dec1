/** Which disputes are credited at once. */

/** Of what a calendar month has charged so far, the part that is given back without asking, and what may be in any case. */
const automaticShare = { percent: 5, least: 10 } as const

/** What a month has charged, and given back by itself. */
type MonthSoFar = { readonly charged: number; readonly credited: number }

/** True of a dispute that is credited at once; others wait for the operator. */
export function isCreditedAtOnce(
  { charged, credited }: MonthSoFar,
  asked: { reason: string; credits: number },
): boolean {
  const most = Math.max(automaticShare.least, Math.floor((charged * automaticShare.percent) / 100))
  return asked.reason !== 'other' && credited + asked.credits <= most
}
