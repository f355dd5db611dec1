/** Share of the month's charges that may be credited automatically, and a minimum in credits. */
const automaticShare = { percent: 5, least: 10 } as const

type MonthSoFar = { readonly charged: number; readonly credited: number }

/** Whether a dispute is credited at once; others wait for the operator. */
export function isCreditedAtOnce(
  { charged, credited }: MonthSoFar,
  asked: { reason: string; credits: number },
): boolean {
  const most = Math.max(automaticShare.least, Math.floor((charged * automaticShare.percent) / 100))
  return asked.reason !== 'other' && credited + asked.credits <= most
}
