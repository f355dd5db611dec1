/** The filter language compiled to one SQL condition, so that a million leads are judged without leaving the database (G55, G57). */
import {
  leadFilterColumns,
  type FilterColumns,
  type FilterRow,
  type LeadFilterColumn,
  type MatchMode,
} from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { countrySpellings } from '../../platform/rules/countries.ts'
import { likeText, type LeadCondition } from '../leads/index.ts'
import { countriesOf } from './rules/matches.ts'

/** Where each column of a captured lead is found: `l` is the lead, `c` its company record. */
const leadColumns: { readonly [C in LeadFilterColumn]: RawBuilder<unknown> } = {
  jobTitle: sql`l.job_title`,
  name: sql`l.name`,
  country: sql`l.country`,
  company: sql`l.company_name`,
  companyDomain: sql`l.company_domain`,
  companyIndustry: sql`l.company_industry`,
  companyLocation: sql`c.headquarters`,
  companyEmployeeCount: sql`c.employee_count`,
  companyStaffRange: sql`c.staff_range`,
  engagementType: sql`l.engagement_type`,
  commentText: sql`l.comment_text`,
}

const list = (value: FilterRow['value']): readonly unknown[] => (Array.isArray(value) ? value : [value])

function numberCondition({ operator, value }: FilterRow<string>, column: RawBuilder<unknown>): RawBuilder<boolean> {
  const numbers = list(value).map(Number)
  if (operator === 'is_empty') return sql`(${column} is null)`
  if (operator === 'is_not_empty') return sql`(${column} is not null)`
  if (operator === 'at_least') return sql`coalesce(${column} >= ${numbers[0]}::double precision, false)`
  if (operator === 'at_most') return sql`coalesce(${column} <= ${numbers[0]}::double precision, false)`
  if (operator === 'not_equals' || operator === 'not_in')
    return sql`coalesce(${column} <> all(${numbers}::double precision[]), true)`
  return sql`coalesce(${column} = any(${numbers}::double precision[]), false)`
}

function textCondition({ operator, value }: FilterRow<string>, column: RawBuilder<unknown>): RawBuilder<boolean> {
  const lowered = sql.join(list(value).map((one) => sql`lower(${String(one)}::text)`))
  switch (operator) {
    case 'is_empty':
      return sql`(coalesce(${column}, '') = '')`
    case 'is_not_empty':
      return sql`(coalesce(${column}, '') <> '')`
    case 'contains':
      return sql`coalesce(${column} ilike ${likeText(String(value))}, false)`
    case 'not_contains':
      return sql`coalesce(${column} not ilike ${likeText(String(value))}, true)`
    case 'not_equals':
    case 'not_in':
      return sql`coalesce(lower(${column}) not in (${lowered}), true)`
    default:
      return sql`coalesce(lower(${column}) in (${lowered}), false)`
  }
}

/** A country in any spelling, by its code; rows that have none yet by the names of it. */
function countryCondition(
  row: FilterRow<string>,
  column: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const codes = row.operator === 'is_empty' || row.operator === 'is_not_empty' ? [] : countriesOf(row)
  if (codes.length === 0) return textCondition(row, column)
  const named = sql`coalesce(${code} = any(${codes}::text[]),
      lower(btrim(${column}::text)) = any(${codes.flatMap(countrySpellings)}::text[]), false)`
  const isNegative = row.operator.startsWith('not_')
  return isNegative
    ? sql`(${textCondition(row, column)} and not ${named})`
    : sql`(${textCondition(row, column)} or ${named})`
}

/**
 * Compiles rows over some columns; null without rows. Values travel as parameters, never as text of the statement. `countryCode`
 * is where the code of the column `country` stands.
 */
export function compile<C extends string>({
  rows,
  mode,
  columns,
  kinds,
  countryCode = sql`null::text`,
}: {
  readonly rows: readonly FilterRow<C>[]
  readonly mode: MatchMode
  readonly columns: { readonly [K in C]: RawBuilder<unknown> }
  readonly kinds: FilterColumns
  readonly countryCode?: RawBuilder<unknown> | undefined
}): LeadCondition {
  if (rows.length === 0) return null
  const parts = rows.map((row) => {
    if (row.column === 'country') return countryCondition(row, columns[row.column], countryCode)
    return (kinds[row.column] === 'number' ? numberCondition : textCondition)(row, columns[row.column])
  })
  return sql<boolean>`(${sql.join(parts, mode === 'all' ? sql` and ` : sql` or `)})`
}

/** Compiles rows over the columns of captured leads. */
export const compileForLeads = (rows: readonly FilterRow[], mode: MatchMode): LeadCondition =>
  compile({ rows, mode, columns: leadColumns, kinds: leadFilterColumns, countryCode: sql`l.country_code` })
