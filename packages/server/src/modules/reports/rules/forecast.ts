/** Forecasts how long the balance lasts at the present spending. */

export const lookBackDays = 7

/** The longest time shown in days; beyond it the balance counts as lasting. */
const farDays = 3_650
const dayMs = 86_400_000

export type Spending = {
  readonly balance: number
  /** Credits charged in the last seven days: by sources on the day they were added, by sources later, and without a source. */
  readonly spent: { readonly firstSyncs: number; readonly bySources: number; readonly elsewhere: number }
  /** The most all daily syncs can charge together; null when unbounded. */
  readonly dailyCap: number | null
  readonly since: Date
  readonly now: Date
  readonly resetAt: Date
}

/**
 * Forecasts from the average of the last seven days, or of as many as the team has existed, at least one. First syncs are left
 * out, since they read what later ones do not, and sources are not expected to exceed their present caps. `emptyAt` is null when
 * the balance lasts for years, `daysAtCap` also when days are unbounded.
 */
export function forecast({ balance, spent, dailyCap, since, now, resetAt }: Spending) {
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

/** The last `days` UTC dates up to `now`, oldest first. */
export const lastDates = (now: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
