/** Comma-separated values (RFC 4180) that a spreadsheet can open without running what strangers wrote. */

// A spreadsheet takes a cell that begins so for a formula; the wide forms are the same signs to some.
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const needsQuotes = /[",\r\n]/

/** One cell: nothing for null; text that a spreadsheet would calculate gets an apostrophe in front. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line with its end. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`
}
