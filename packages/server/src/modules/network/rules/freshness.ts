const companyMonths = 6
const personDays = 30

/** True while a company record, valid six months for all teams, need not be fetched again. */
export function companyIsFresh(fetchedAt: Date, now: Date): boolean {
  const until = new Date(fetchedAt)
  until.setUTCMonth(until.getUTCMonth() + companyMonths)
  return now < until
}

/** True while a person's facts, valid 30 days within a team, need not be fetched again. */
export function personIsFresh(enrichedAt: Date | null, now: Date): boolean {
  return enrichedAt !== null && now.getTime() - enrichedAt.getTime() < personDays * 86_400_000
}
