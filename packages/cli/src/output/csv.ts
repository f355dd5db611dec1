import { csvLineOf, csvText } from '@les/contract'

/** One CSV field, guarded against formulas: numbers stay numbers, plain lists are joined, deeper values become JSON. */
function csvField(value: unknown): string {
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
