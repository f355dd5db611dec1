/** Rows as CSV; what a spreadsheet could run is made harmless by the contract's own rule. */
import { csvLineOf, csvText } from '@les/contract'

/** One value as a field of CSV. Numbers stay numbers; a list of plain values is their names, anything deeper its JSON. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return csvText(
    typeof value === 'string'
      ? value
      : Array.isArray(value) && !value.some((item) => typeof item === 'object')
        ? value.join(', ')
        : JSON.stringify(value),
  )
}

export function csvRecord(values: readonly unknown[]): string {
  return csvLineOf(values.map(csvField))
}
