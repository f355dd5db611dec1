/** How long the balance lasts when the team goes on spending as it has of late. */

/** Days that are looked back on. */
export const lookBackDays = 7

/** Longest time that is told in days; beyond it nothing runs out. */
const farDays = 3_650
const dayMs = 86_400_000

/** What a forecast is made of. */
export type Spending = {
  /** Credits the team can spend now. */
  readonly balance: number
  /** Credits charged in the last seven days. */
  readonly spentLately: number
  /** When the team began. */
  readonly since: Date
  readonly now: Date
  readonly resetAt: Date
}

/** A forecast; `emptyAt` null when the balance lasts for years. */
export type Forecast = {
  readonly dailyAverage: number
  readonly daysLeft: number | null
  readonly emptyAt: Date | null
  readonly lastsToReset: boolean
}

/** Forecasts from the average of the last seven days, or of as many as the team has been there, one at least. */
export function forecast({ balance, spentLately, since, now, resetAt }: Spending): Forecast {
  const days = Math.min(lookBackDays, Math.max(1, (now.getTime() - since.getTime()) / dayMs))
  const average = spentLately / days
  const left = average === 0 ? Infinity : Math.max(0, balance) / average
  const emptyAt = left > farDays ? null : new Date(now.getTime() + left * dayMs)
  return {
    dailyAverage: Math.round(average * 10) / 10,
    daysLeft: emptyAt === null ? null : Math.floor(left),
    emptyAt,
    lastsToReset: emptyAt === null || emptyAt >= resetAt,
  }
}

/** The UTC days up to now, the oldest first, as dates. */
export const lastDates = (now: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
