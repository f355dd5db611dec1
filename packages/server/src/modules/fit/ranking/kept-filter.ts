/** Filters over what is kept of an agent's people, as one SQL condition: the same that `agent-filter.ts` asks in memory. */
import { agentFilterColumns, type AgentFilterColumn, type FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { compile, foldedColumns } from '../filter-sql.ts'
import { kindOfType } from './filter.ts'
import type { AgentView } from './people-store.ts'
import { signalOrder } from '../rules/signal.ts'

/** The joins that a condition over `agent_person p` reads besides, and the condition. */
export type KeptCondition = { readonly joins: RawBuilder<unknown>; readonly condition: RawBuilder<boolean> }

/** Where each column is found: `p` is the person as kept, `n` their newest lead, `f` the one with facts, `c` its company. */
function columnsOf({ sources }: AgentView): { readonly [C in AgentFilterColumn]: RawBuilder<unknown> } {
  const kinds = sources.map(({ type }) => kindOfType[type])
  return {
    jobTitle: sql`f.job_title`,
    name: sql`coalesce(f.name, n.name)`,
    country: sql`f.country`,
    company: sql`f.company_name`,
    companyDomain: sql`f.company_domain`,
    companyIndustry: sql`f.company_industry`,
    companyLocation: sql`c.headquarters`,
    companyEmployeeCount: sql`c.employee_count`,
    companyStaffRange: sql`c.staff_range`,
    engagementType: sql`(case when n.is_reply then 'Reply' when n.engagement_type = 'Like'
      then coalesce(n.reaction, 'Like') else n.engagement_type end)`,
    commentText: sql`n.comment_text`,
    icp: sql`p.icp`,
    signal: sql`(${[...signalOrder]}::text[])[p.signal + 1]`,
    engagementCount: sql`p.engagements`,
    topic: sql`p.topic`,
    sourceKind: sql`(${kinds}::text[])[p.source]`,
  }
}

const ofNewest = new Set(['name', 'engagementType', 'commentText'])
const ofCompany = new Set(['companyLocation', 'companyEmployeeCount', 'companyStaffRange'])
const kept = new Set(['icp', 'signal', 'engagementCount', 'topic', 'sourceKind', 'engagementType', 'commentText'])

/** Compiles the rows of a filter, which must all pass; undefined without rows. Only what they ask for is joined. */
export function compileForKept(
  teamId: string,
  view: AgentView,
  rows: readonly FilterRow<string>[],
): KeptCondition | undefined {
  const asked = rows as readonly FilterRow<AgentFilterColumn>[]
  const condition = compile({
    rows: asked,
    mode: 'all',
    columns: columnsOf(view),
    kinds: agentFilterColumns,
    folded: { ...foldedColumns('f'), name: sql`coalesce(f.name_folded, n.name_folded)` },
    countryCode: sql`f.country_code`,
  })
  if (condition === null) return undefined
  const joined = (reads: (column: string) => boolean, join: RawBuilder<unknown>) =>
    asked.some((row) => reads(row.column)) ? join : sql``
  const lead = (id: RawBuilder<unknown>) =>
    sql`lateral (select * from lead where team_id = ${teamId} and id = ${id} limit 1)`
  return {
    condition,
    joins: sql`${joined((column) => ofNewest.has(column), sql`left join ${lead(sql`p.lead_id`)} n on true`)}
      ${joined((column) => !kept.has(column), sql`left join ${lead(sql`p.fact_id`)} f on true`)}
      ${joined((column) => ofCompany.has(column), sql`left join company c on c.urn = f.company_urn`)}`,
  }
}
