/** How long the balance lasts when the team goes on spending as it has of late. */

export const lookBackDays = 7

/** Longest time that is shown in days; beyond it nothing runs out. */
const farDays = 3_650
const dayMs = 86_400_000

export type Spending = {
  /** Credits the team can spend now. */
  readonly balance: number
  /** Credits charged in the last seven days: by sources on the day they were added, by sources since, and without a source. */
  readonly spent: { readonly firstSyncs: number; readonly bySources: number; readonly elsewhere: number }
  /** What all daily syncs can be charged together at most; null when nothing bounds them. */
  readonly dailyCap: number | null
  /** When the team began. */
  readonly since: Date
  readonly now: Date
  readonly resetAt: Date
}

/** A forecast; `emptyAt` null when the balance lasts for years, `daysAtCap` null also when nothing bounds a day. */
type Forecast = {
  readonly firstSyncs: number
  readonly dailyCap: number | null
  readonly daysAtCap: number | null
  readonly dailyAverage: number
  readonly daysLeft: number | null
  readonly emptyAt: Date | null
  readonly lastsToReset: boolean
}

/**
 * Forecasts from the average of the last seven days, or of as many as the team has been there, one at least. First syncs are left out,
 * since they read what later ones do not; and sources are never expected to use more than their caps allow from now on.
 */
export function forecast({ balance, spent, dailyCap, since, now, resetAt }: Spending): Forecast {
  const days = Math.min(lookBackDays, Math.max(1, (now.getTime() - since.getTime()) / dayMs))
  const elsewhere = spent.elsewhere / days
  const average = Math.min(spent.bySources / days, dailyCap ?? Infinity) + elsewhere
  const lasts = (perDay: number) => (perDay === 0 ? Infinity : Math.max(0, balance) / perDay)
  const left = lasts(average)
  const atCap = dailyCap === null ? Infinity : lasts(dailyCap + elsewhere)
  const emptyAt = left > farDays ? null : new Date(now.getTime() + left * dayMs)
  return {
    firstSyncs: spent.firstSyncs,
    dailyCap,
    daysAtCap: atCap > farDays ? null : Math.floor(atCap),
    dailyAverage: Math.round(average * 10) / 10,
    daysLeft: emptyAt === null ? null : Math.floor(left),
    emptyAt,
    lastsToReset: emptyAt === null || emptyAt >= resetAt,
  }
}

/** The first instant of a UTC day. */
export const startOf = (date: string): Date => new Date(`${date}T00:00:00.000Z`)

/** The UTC days up to now, the oldest first, as dates. */
export const lastDates = (now: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
