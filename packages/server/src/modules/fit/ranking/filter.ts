/** Filters over the people of an agent: in memory over people who were scored, and as SQL over what is kept of them. */
import { agentFilterColumns, type AgentFilterColumn, type FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { compile, foldedColumns } from '../filter-sql.ts'
import { matches, type FilterRecord } from '../rules/matches.ts'
import { signalOrder } from '../rules/signal.ts'
import type { AgentPeople, AgentPerson } from './people.ts'
import { listDetails, type AgentSource, type AgentView, type LeadDetail } from './people-store.ts'

/** How an agent's list names the kind of a source. */
export const kindOfType = { keyword: 'keyword', person: 'profile', company: 'company', post: 'post' } as const

/** The source of an engagement, as agent leads name it. */
export function sourceAt(
  view: AgentView,
  number: number,
): AgentSource & { readonly kind: (typeof kindOfType)[AgentSource['type']] } {
  const source = view.sources[number - 1]
  if (!source) throw new Error('an engagement of a source that the agent does not have')
  return { ...source, kind: kindOfType[source.type] }
}

/** The type of an engagement as agent leads spell it: a reply is a Reply, a reaction has its own name (G116). */
export const engagementName = ({
  engagementType,
  reaction,
  isReply,
}: Pick<LeadDetail, 'engagementType' | 'reaction' | 'isReply'>): string =>
  isReply ? 'Reply' : engagementType === 'Like' ? (reaction ?? 'Like') : engagementType

const ownColumns = new Set(['icp', 'signal', 'engagementCount', 'topic', 'sourceKind'])

/** A person as filters see them; `fact` and `newest` are the rows of theirs that have the facts and the newest engagement. */
function recordOf(
  view: AgentView,
  person: AgentPerson,
  { fact, newest }: { readonly fact?: LeadDetail | undefined; readonly newest?: LeadDetail | undefined },
): FilterRecord {
  const [engagement] = person.engagements
  const record: { readonly [C in AgentFilterColumn]: string | number | null } = {
    jobTitle: fact?.jobTitle ?? null,
    name: fact?.name ?? newest?.name ?? null,
    country: fact?.country ?? null,
    company: fact?.companyName ?? null,
    companyDomain: fact?.companyDomain ?? null,
    companyIndustry: fact?.companyIndustry ?? null,
    companyLocation: fact?.companyLocation ?? null,
    companyEmployeeCount: fact?.companyEmployeeCount ?? null,
    companyStaffRange: fact?.companyStaffRange ?? null,
    engagementType: newest === undefined ? null : engagementName(newest),
    commentText: newest?.commentText ?? null,
    icp: person.fit.percent,
    signal: person.signal,
    engagementCount: person.engagements.length,
    topic: engagement!.topic,
    sourceKind: sourceAt(view, engagement!.source).kind,
  }
  return record
}

/** Those of the people who pass every row of a filter; facts are read only of those who pass the rows that need none. */
export async function filterAgentPeople(
  db: Reader,
  { teamId, view, people }: AgentPeople & { readonly teamId: string },
  rows: readonly FilterRow<string>[],
): Promise<readonly AgentPerson[]> {
  const own = rows.filter((row) => ownColumns.has(row.column))
  const others = rows.filter((row) => !ownColumns.has(row.column))
  // No rows: everybody passes, where `matches` would say that nobody was judged.
  const likely = people.filter((person) => own.length === 0 || matches(own, 'all', recordOf(view, person, {})))
  if (others.length === 0 || likely.length === 0) return likely
  const ids = likely.flatMap((person) => [person.id, ...(person.factId === null ? [] : [person.factId])])
  const details = await listDetails(db, teamId, [...new Set(ids)])
  return likely.filter((person) => {
    const fact = person.factId === null ? undefined : details.get(person.factId)
    return matches(others, 'all', recordOf(view, person, { fact, newest: details.get(person.id) }))
  })
}

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
