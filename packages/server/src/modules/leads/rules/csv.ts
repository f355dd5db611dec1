import { csvLineOf, csvText } from '@les/contract'

/** A cell: empty for null; text that a spreadsheet would calculate is marked as text (`csvText` of the contract). */
function csvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  return typeof value === 'string' ? csvText(value) : String(value)
}

/** One line, with its line end. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return csvLineOf(values.map(csvCell))
}
