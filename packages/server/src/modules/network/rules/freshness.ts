/** How long what the network said is good for. */

/** A company record is kept six months. */
const companyMonths = 6
/** A person's facts are reused for new engagements of the same team for a month. */
const personDays = 30

/** True while a company record need not be asked for again. */
export function companyIsFresh(fetchedAt: Date, now: Date): boolean {
  const until = new Date(fetchedAt)
  until.setUTCMonth(until.getUTCMonth() + companyMonths)
  return now < until
}

/** True while a person's facts need not be asked for again. */
export function personIsFresh(enrichedAt: Date | null, now: Date): boolean {
  return enrichedAt !== null && now.getTime() - enrichedAt.getTime() < personDays * 86_400_000
}
