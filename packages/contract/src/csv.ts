/** Comma-separated values (RFC 4180) that a spreadsheet opens as data, and never runs: what strangers wrote is in them. */
import { unseenCharacters } from './values/text.ts'

// A spreadsheet takes a cell that begins so for a formula, also behind blanks and what cannot be seen; small, wide, raised and lowered
// forms are the same signs to some. One that splits at semicolons or tabs heeds no quotes before a comma, so what follows those, or a
// line break, begins a cell as well.
const sign = '[=+\\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠]'
const passedOver = `(?:[^\\S;\\t\\r\\n]|${unseenCharacters.source})*`
const formulaBegins = new RegExp(`(^|[;\\t\\r\\n])(?=${passedOver}${sign})`, 'gu')
// Alone these make some programs skip to what comes next.
const beginsWithControl = /^[\t\r\n]/
const needsQuotes = /[",;\t\r\n]/

/** Text with an apostrophe wherever a spreadsheet would begin to calculate. */
export function withoutFormulas(text: string): string {
  const guarded = text.replace(formulaBegins, "$1'")
  return beginsWithControl.test(guarded) ? `'${guarded}` : guarded
}

// The same places with the apostrophe in them, and the one before a control.
const guardedFormulas = new RegExp(`(^|[;\\t\\r\\n])'(?=${passedOver}${sign})`, 'gu')
const guardedControl = /^'(?=[\t\r\n])/

/** What `withoutFormulas` was given. A text that had an apostrophe of its own before a formula loses it too. */
export function withoutGuards(text: string): string {
  return text.replace(guardedControl, '').replace(guardedFormulas, '$1')
}

/** Text as one field of CSV. */
export function csvText(text: string): string {
  const safe = withoutFormulas(text)
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line with its end, of fields that are written already. */
export function csvLineOf(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`
}
