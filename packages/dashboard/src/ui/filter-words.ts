/** The filter language in words: names of columns and operators, and faults. */
import type { FilterColumns, FilterOperator, FilterRow } from '@les/contract'
import {
  agentFilterColumns,
  agentFilterValues,
  bounds,
  filterOperands,
  leadFilterColumns,
  leadFilterValues,
  operatorsOf,
} from 'virtual:values'

/** A row being edited; its value may be missing. */
export type EditedRow = FilterRow<string>

export { agentFilterColumns as agentColumns, leadFilterColumns as leadColumns }

const columnNames: Readonly<Record<string, string>> = {
  jobTitle: 'Job title',
  name: 'Name',
  country: 'Country',
  company: 'Company',
  companyDomain: 'Company domain',
  companyIndustry: 'Company industry',
  companyLocation: 'Company location',
  companyEmployeeCount: 'Company employees',
  companyStaffRange: 'Company size range',
  engagementType: 'Kind of engagement',
  commentText: 'Text of the comment',
  icp: 'Fit (ICP %)',
  signal: 'Signal',
  engagementCount: 'Number of engagements',
  topic: 'Topic',
  sourceKind: 'Kind of source',
}

export const operatorNames: Readonly<Record<FilterOperator, string>> = {
  contains: 'contains',
  not_contains: 'does not contain',
  equals: 'is exactly',
  not_equals: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  at_least: 'is at least',
  at_most: 'is at most',
}

export const knownValues = (columns: FilterColumns, column: string): readonly string[] | undefined =>
  (Object.hasOwn(columns, 'signal') ? agentFilterValues : leadFilterValues)[column]

const isLeadRow = (row: EditedRow): row is FilterRow => Object.hasOwn(leadFilterColumns, row.column)

/** Edited rows for leads; throws for a column leads do not have, since a dropped row would match more. */
export function leadRows(rows: readonly EditedRow[]): FilterRow[] {
  return rows.map((row) => {
    if (!isLeadRow(row)) throw new Error(`Leads have no column ${row.column}`)
    return row
  })
}

export const columnName = (column: string): string => columnNames[column] ?? column

export const operatorsFor = (columns: FilterColumns, column: string): readonly FilterOperator[] =>
  operatorsOf[columns[column] ?? 'text']

/** A row as a sentence: `Job title contains "growth"`. */
export function rowWords({ column, operator, value }: EditedRow): string {
  const shown =
    value === undefined
      ? ''
      : ` ${(Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'number' ? String(one) : `"${one}"`)).join(', ')}`
  return `${columnName(column)} ${operatorNames[operator]}${shown}`
}

/** The row with another column or operator, without what no longer fits. */
export function refit(
  columns: FilterColumns,
  row: EditedRow,
  change: { column?: string; operator?: FilterOperator },
): EditedRow {
  const column = change.column ?? row.column
  const wanted = change.operator ?? row.operator
  const takes = operatorsFor(columns, column)
  const operator = takes.includes(wanted) ? wanted : takes[0]!
  const sameKind =
    columns[column] === columns[row.column] &&
    (change.column === undefined || knownValues(columns, column) === undefined)
  const before = !sameKind || row.value === undefined ? [] : Array.isArray(row.value) ? row.value : [row.value]
  const operand = filterOperands[operator]
  if (operand === 'none' || before.length === 0) return { column, operator }
  return { column, operator, value: operand === 'list' ? (before as string[]) : before[0]! }
}

/** What is wrong with each row, by index; empty when the rows can be sent. */
export function rowFaults(columns: FilterColumns, rows: readonly EditedRow[]): Readonly<Record<number, string>> {
  const faults = rows.flatMap((row, index): (readonly [number, string])[] => {
    const operand = filterOperands[row.operator]
    if (operand === 'none') return []
    const values = row.value === undefined ? [] : Array.isArray(row.value) ? row.value : [row.value]
    if (values.length === 0) return [[index, columns[row.column] === 'number' ? 'Enter a number' : 'Enter a value']]
    if (values.length > bounds.filterList) return [[index, `At most ${bounds.filterList} values`]]
    if (columns[row.column] === 'number' && values.some((value) => typeof value !== 'number'))
      return [[index, 'Numbers only']]
    const tooLong = values.some((value) => typeof value === 'string' && value.length > bounds.filterText)
    return tooLong ? [[index, `At most ${bounds.filterText} characters each`]] : []
  })
  return Object.fromEntries(faults)
}
