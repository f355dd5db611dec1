/** The filter language as one SQL condition, so that a million leads are judged inside the database (G55, G57). */
import {
  agentFilterColumns,
  foldAsked,
  leadFilterColumns,
  type AgentFilterColumn,
  type FilterColumns,
  type FilterRow,
  type LeadFilterColumn,
  type MatchMode,
} from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import { countrySpellings } from '../../platform/rules/countries.ts'
import type { LeadCondition } from '../leads/index.ts'
import { countriesOf } from './rules/matches.ts'
import { signalOrder } from './rules/signal.ts'

/** SQL of each column of a lead: `fact` is the lead with the facts, `newest` the lead of the engagement, `c` the company. */
export const leadColumnsOf = (
  fact: 'l' | 'f',
  newest: 'l' | 'n',
): { readonly [C in LeadFilterColumn]: RawBuilder<unknown> } => ({
  jobTitle: sql.ref(`${fact}.job_title`),
  name: sql.ref(`${fact}.name`),
  country: sql.ref(`${fact}.country`),
  company: sql.ref(`${fact}.company_name`),
  companyDomain: sql.ref(`${fact}.company_domain`),
  companyIndustry: sql.ref(`${fact}.company_industry`),
  companyLocation: sql`c.headquarters`,
  companyEmployeeCount: sql`c.employee_count`,
  companyStaffRange: sql`c.staff_range`,
  engagementType: sql.ref(`${newest}.engagement_type`),
  commentText: sql.ref(`${newest}.comment_text`),
})

/** The stored folded texts, for comparison, of the lead with this alias. */
export const foldedColumns = (alias: 'l' | 'f') =>
  ({
    jobTitle: sql.raw(`${alias}.job_title_folded`),
    name: sql.raw(`${alias}.name_folded`),
    country: sql.raw(`${alias}.country_folded`),
    company: sql.raw(`${alias}.company_name_folded`),
    companyDomain: sql.raw(`${alias}.company_domain_folded`),
    companyIndustry: sql.raw(`${alias}.company_industry_folded`),
  }) as const

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

function textCondition({ operator, value }: FilterRow<string>, folded: RawBuilder<unknown>): RawBuilder<boolean> {
  const texts = list(value).map((one) => foldAsked(String(one)))
  const named = texts.map((text) => text.trim())
  switch (operator) {
    case 'is_empty':
      return sql`(coalesce(btrim(${folded}), '') = '')`
    case 'is_not_empty':
      return sql`(coalesce(btrim(${folded}), '') <> '')`
    case 'contains':
      return sql`coalesce(${folded} like ${likeText(texts[0]!)}, false)`
    case 'not_contains':
      return sql`coalesce(${folded} not like ${likeText(texts[0]!)}, true)`
    case 'not_equals':
    case 'not_in':
      return sql`coalesce(btrim(${folded}) <> all(${named}::text[]), true)`
    default:
      return sql`coalesce(btrim(${folded}) = any(${named}::text[]), false)`
  }
}

/** Matches a country in any spelling by its code, or by its names where a row has no code yet. */
function countryCondition(
  row: FilterRow<string>,
  folded: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const codes = row.operator === 'is_empty' || row.operator === 'is_not_empty' ? [] : countriesOf(row)
  if (codes.length === 0) return textCondition(row, folded)
  const named = sql`coalesce(${code} = any(${codes}::text[]),
      btrim(${folded}) = any(${codes.flatMap(countrySpellings)}::text[]), false)`
  const isNegative = row.operator.startsWith('not_')
  return isNegative
    ? sql`(${textCondition(row, folded)} and not ${named})`
    : sql`(${textCondition(row, folded)} or ${named})`
}

/**
 * Compiles filter rows to one condition; null without rows. Values travel as parameters, never as SQL text. `folded`: the SQL of
 * columns stored folded (others are folded on the fly); `countryCode`: the SQL of the code of column `country`.
 */
export function compile<C extends string>({
  rows,
  mode,
  columns,
  kinds,
  folded = {},
  countryCode = sql`null::text`,
}: {
  rows: readonly FilterRow<C>[]
  mode: MatchMode
  columns: { readonly [K in C]: RawBuilder<unknown> }
  kinds: FilterColumns
  folded?: { readonly [K in C]?: RawBuilder<unknown> } | undefined
  countryCode?: RawBuilder<unknown> | undefined
}): LeadCondition {
  if (rows.length === 0) return null
  const parts = rows.map((row) => {
    if (kinds[row.column] === 'number') return numberCondition(row, columns[row.column])
    const text = folded[row.column] ?? sql`text_fold(${columns[row.column]}::text)`
    return row.column === 'country' ? countryCondition(row, text, countryCode) : textCondition(row, text)
  })
  return sql<boolean>`(${sql.join(parts, mode === 'all' ? sql` and ` : sql` or `)})`
}

const ofLead = { folded: foldedColumns('l'), countryCode: sql`l.country_code` }

/** Compiles rows over the columns of captured leads. */
export const compileForLeads = (rows: readonly FilterRow[], mode: MatchMode): LeadCondition =>
  compile({ rows, mode, columns: leadColumnsOf('l', 'l'), kinds: leadFilterColumns, ...ofLead })

/** SQL: how filters name the engagement of lead `l` or `n`: `Reply`, the name of a reaction, or its type. */
export const engagementOf = (alias: 'l' | 'n'): RawBuilder<string> => {
  const of = sql.raw(alias)
  return sql<string>`(case when ${of}.is_reply then 'Reply' when ${of}.engagement_type = 'Like'
    then coalesce(${of}.reaction, 'Like') else ${of}.engagement_type end)`
}

/** SQL: the name of a signal, stored as its index in `signalOrder` (0 is the strongest). */
export const signalWord = (place: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(${[...signalOrder]}::text[])[${place} + 1]`

/** SQL join on lead `l`: the best values that any agent of its team has for the person, as row `seen`. */
export const scoresOfPerson: RawBuilder<unknown> = sql`
  left join lateral (
    select max(a.icp) as icp, min(a.signal) as signal, max(a.topic) as topic
    from agent_person a where a.team_id = l.team_id and a.person_urn = l.person_urn) seen on true`

/** SQL of each column of a person; needs the join `scoresOfPerson`. */
const personColumns: { readonly [C in AgentFilterColumn]: RawBuilder<unknown> } = {
  ...leadColumnsOf('l', 'l'),
  engagementType: engagementOf('l'),
  icp: sql`seen.icp`,
  signal: signalWord(sql`seen.signal`),
  topic: sql`seen.topic`,
  engagementCount: sql`(select count(*) from lead e where e.team_id = l.team_id and e.person_urn = l.person_urn
    and e.enrichment <> 'raw')`,
  sourceKind: sql`l.source_kind`,
}

/** Compiles rows over the columns of agent leads for any captured lead; all rows must match. */
export const compileForPeople = (rows: readonly FilterRow<string>[]): LeadCondition =>
  compile({
    rows: rows as readonly FilterRow<AgentFilterColumn>[],
    mode: 'all',
    columns: personColumns,
    kinds: agentFilterColumns,
    ...ofLead,
  })
