/** Days of the reader's own calendar, as instants: the filters of the service are instants. */

const two = (value: number): string => String(value).padStart(2, '0')

/** The day of an instant, as a date field shows it. */
export function dayOf(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

const parts = (day: string): readonly [number, number, number] | undefined => {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  return match ? [Number(match[1]), Number(match[2]) - 1, Number(match[3])] : undefined
}

/** The first millisecond of a day, or undefined for none. */
export function startOf(day: string): string | undefined {
  const at = parts(day)
  return at && new Date(at[0], at[1], at[2]).toISOString()
}

/** The last millisecond of a day, or undefined for none: the day itself belongs to the range. */
export function endOf(day: string): string | undefined {
  const at = parts(day)
  return at && new Date(new Date(at[0], at[1], at[2] + 1).getTime() - 1).toISOString()
}
