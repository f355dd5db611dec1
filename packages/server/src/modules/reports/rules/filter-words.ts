import type { FilterOperator, FilterRow } from '@les/contract'

const columns: Readonly<Record<string, string>> = {
  jobTitle: 'Job title',
  name: 'Name',
  country: 'Country',
  company: 'Company',
  companyDomain: 'Company domain',
  companyIndustry: 'Industry',
  companyLocation: 'Company location',
  companyEmployeeCount: 'Number of employees',
  companyStaffRange: 'Company size',
  engagementType: 'Engagement',
  commentText: 'Comment',
}

const operators: Readonly<Record<FilterOperator, string>> = {
  contains: 'contains',
  not_contains: 'does not contain',
  equals: 'is',
  not_equals: 'is not',
  in: 'is',
  not_in: 'is not',
  is_empty: 'is unknown',
  is_not_empty: 'is known',
  at_least: 'is at least',
  at_most: 'is at most',
}

const shown = (value: string | number): string => (typeof value === 'number' ? String(value) : `“${value}”`)

function valueInWords(value: FilterRow['value']): string {
  if (value === undefined) return ''
  const values = (Array.isArray(value) ? value : [value]).map(shown)
  return values.length === 1 ? ` ${values[0]}` : ` ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

/** A filter row in words (specification «ICP criteria»): `Job title contains “sales”`. */
export function rowInWords({ column, operator, value }: FilterRow<string>): string {
  return `${columns[column] ?? column} ${operators[operator]}${valueInWords(value)}`
}
