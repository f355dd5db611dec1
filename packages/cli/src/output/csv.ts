/** Rows as CSV (RFC 4180: CRLF, quotes doubled) that a spreadsheet opens as data and never as formulas. */

const startsFormula = /^[=+\-@\t\r]/

/** One value as a field of CSV. Text that a spreadsheet would run is put behind an apostrophe; numbers stay numbers. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : Array.isArray(value) && !value.some((item) => typeof item === 'object') ? value.join(', ') : JSON.stringify(value)
  // Leading blanks are skipped: some programs trim a field before they look for a formula.
  const safe = startsFormula.test(text) || startsFormula.test(text.trimStart()) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record. */
export function csvRecord(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}
