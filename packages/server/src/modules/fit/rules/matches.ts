/** The filter language on one record in memory; `filter-sql.ts` does the same in SQL (G55, G57). */
import { foldAsked, foldText, type FilterRow } from '@les/contract'
import { countryNamed } from '../../../platform/rules/countries.ts'

/** Text or a number by column; absent and null are unknown. */
export type FilterRecord = Readonly<Record<string, string | number | null | undefined>>

const asTexts = (value: FilterRow['value']): string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((one) => foldAsked(String(one)))
const asNumbers = (value: FilterRow['value']): number[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(Number)

function numberMatches(row: FilterRow<string>, held: number): boolean {
  if (row.operator === 'at_least') return held >= Number(row.value)
  if (row.operator === 'at_most') return held <= Number(row.value)
  const isNamed = asNumbers(row.value).includes(held)
  return row.operator === 'not_equals' || row.operator === 'not_in' ? !isNamed : isNamed
}

function textMatches(row: FilterRow<string>, held: string): boolean {
  const text = foldText(held)
  const values = asTexts(row.value)
  const isNamed = () => values.some((value) => value.trim() === text.trim())
  switch (row.operator) {
    case 'contains':
      return text.includes(values[0]!)
    case 'not_contains':
      return !text.includes(values[0]!)
    case 'equals':
    case 'in':
      return isNamed()
    case 'not_equals':
    case 'not_in':
      return !isNamed()
    default:
      return false
  }
}

/** The codes of the countries that a row's values name, in any spelling. */
export const countriesOf = (row: Pick<FilterRow<string>, 'value'>): string[] => [
  ...new Set(asTexts(row.value).flatMap((text) => countryNamed(text) ?? [])),
]

/** A country matches in any spelling: «USA» is the «United States» of a profile (G149). */
function countryMatches(row: FilterRow<string>, held: string): boolean {
  const code = countryNamed(held)
  if (code === null || !countriesOf(row).includes(code)) return textMatches(row, held)
  return !negative.includes(row.operator)
}

/** Operators that an unknown field passes (G57). */
const negative: readonly string[] = ['not_contains', 'not_equals', 'not_in', 'is_empty']

const isEmpty = (held: string | number | null): boolean =>
  held === null || (typeof held === 'string' && foldText(held).trim() === '')

/** True when a row matches the record. */
export function rowMatches(row: FilterRow<string>, record: FilterRecord): boolean {
  const held = record[row.column] ?? null
  if (row.operator === 'is_empty') return isEmpty(held)
  if (row.operator === 'is_not_empty') return !isEmpty(held)
  if (held === null) return negative.includes(row.operator)
  if (typeof held === 'number') return numberMatches(row, held)
  return row.column === 'country' ? countryMatches(row, held) : textMatches(row, held)
}
