/** Comma-separated values of leads; what a spreadsheet could run is made harmless by the contract's own rule. */
import { csvLineOf, csvText } from '@les/contract'

/** One cell: nothing for null; text that a spreadsheet would calculate is marked as text. */
function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  return typeof value === 'string' ? csvText(value) : String(value)
}

/** One line with its end. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return csvLineOf(values.map(csvCell))
}
