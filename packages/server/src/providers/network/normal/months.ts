/** The normal form of when a job began or ended: vendors tell it to the month at best. */

/** A month of a year; `month` null: only the year is stated. */
export type Month = { readonly year: number; readonly month: number | null }

/** `now`: it goes on. Null: nothing is said. */
export type JobDate = Month | 'now' | null

const names = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const now =
  /^(?:present|now|current|today|ongoing|heute|jetzt|aujourd'hui|actualidad|presente|atualmente|o momento|oggi|heden|nu)$/i

function monthIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= 12 ? value : null
  if (typeof value !== 'string') return null
  if (/^\d{1,2}$/.test(value.trim())) return monthIn(Number(value))
  const at = names.indexOf(value.trim().slice(0, 3).toLowerCase())
  return at === -1 ? null : at + 1
}

function yearIn(value: unknown): number | null {
  const year = typeof value === 'string' && /^\s*\d{4}\s*$/.test(value) ? Number(value) : value
  return typeof year === 'number' && Number.isInteger(year) && year >= 1900 && year <= 2100 ? year : null
}

/**
 * Reads `{month: "Aug", year: 2020, text: "Aug 2020"}`, `{year: 2020, month: 8, day: 0}`, `"Aug 2020"`, `"2020-08"`, `2020`,
 * `{text: "Present"}`. A year of 0 is how one vendor says that a job has no end: that is `now`.
 */
export function readJobDate(value: unknown): JobDate {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return yearIn(value) === null ? null : { year: yearIn(value)!, month: null }
  if (typeof value === 'string') return dateInText(value)
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const { year, month, text } = value as Record<string, unknown>
  const stated = yearIn(year)
  if (stated !== null) return { year: stated, month: monthIn(month) }
  if (typeof text === 'string' && text.trim() !== '') return dateInText(text)
  return year === 0 || year === '0' ? 'now' : null
}

function dateInText(text: string): JobDate {
  const clean = text.trim()
  if (now.test(clean)) return 'now'
  const year = yearIn(/(?<!\d)(?:19|20)\d\d(?!\d)/.exec(clean)?.[0])
  if (year === null) return null
  const word = /\p{L}{3,}/u.exec(clean)?.[0]
  return { year, month: monthIn(word) ?? monthIn(/(?<!\d)\d{4}[-/.](\d{1,2})(?!\d)/.exec(clean)?.[1]) }
}

/** Whether a job is held now: said so, or begun and without an end. `ended`: an end is stated that could not be read. */
export function isHeld(job: { readonly start?: unknown; readonly end?: unknown }): boolean {
  const end = readJobDate(job.end)
  if (end !== null) return end === 'now'
  const unreadable = job.end !== null && job.end !== undefined && !isEmpty(job.end)
  const start = readJobDate(job.start)
  return !unreadable && start !== null && start !== 'now'
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => part === null || part === undefined || part === ''))
