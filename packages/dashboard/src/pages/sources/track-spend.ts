/** Adds up what several sources that wait for a yes can use a day. */
export function summed(all: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> | null {
  const [first] = all
  if (first === undefined || all.length === 1) return first ?? null
  const daily = all.every((one) => typeof one.estimatedDailyMax === 'number')
    ? all.reduce((sum, one) => sum + Number(one.estimatedDailyMax), 0)
    : undefined
  const left = typeof first.remainingBalance === 'number' ? first.remainingBalance : undefined
  return {
    ...first,
    estimatedDailyMax: daily,
    daysToExhaustAtCap: daily && left !== undefined ? Math.floor(left / daily) : undefined,
  }
}
