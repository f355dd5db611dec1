/**
 * Turns a request for a list of leads into the SQL for its page and total (G37, G40..G44): the source, the filters, the
 * substrings. Leads are a level below sources, so the table `source` is read here without its module.
 */
import { companyUrnNamed, foldText, type SourceNaming } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryOne } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { isClearing, webhookStatusNow } from './clearing.ts'
import { mayBeExcluded } from './exclusions/matching.ts'
import { hasExclusions, isExcluded } from './exclusions/verdict.ts'
import { containsText, leadsWithText, textFiltersOf, type TextFilters } from './texts.ts'

/** The filters of a list, combined with AND. */
export type LeadFilter = TextFilters & {
  readonly isRaw: boolean
  /** Null: the whole team. */
  readonly ownerId: string | null
  readonly includeInactive: boolean
  readonly includeSyncing: boolean
  readonly engagementType?: string | undefined
  readonly isIcp?: boolean | undefined
  readonly webhookStatus?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly sourceKind?: 'keyword' | 'post' | 'profile' | 'all' | undefined
  /** `exclude` leaves out excluded people, `only` shows nobody else; `include` or undefined shows everybody. */
  readonly excluded?: 'include' | 'exclude' | 'only' | undefined
  /** Some webhook of the team is being cleared, so `webhookStatus` is compared with the computed state (`clearing.ts`). */
  readonly clearing?: boolean | undefined
  /**
   * The ids of the sources the list hides, if they were read beforehand. Seeing the ids, the planner knows that they hide next to
   * nothing, and walks an index in order instead of sorting every lead.
   */
  readonly hidden?: readonly string[] | undefined
}

/** The source a request names: by id (null: malformed) or by a name. */
interface Scope {
  readonly profileId?: string | null | undefined
  readonly username?: SourceNaming | undefined
}

type SourceRow = { id: string; status: string; type: string }

/** Finds a source by its name, or by another name of its person or page (G146, G153); a tracked source comes first. */
async function findNamed(db: Reader, teamId: string, { name, terms }: SourceNaming): Promise<SourceRow | undefined> {
  const page = companyUrnNamed(name)
  return queryOne<SourceRow>(db)`
    select s.id, s.status, s.type from source s
    where s.team_id = ${teamId} and (s.username = ${name}
        or (s.type in ('post', 'keyword') and text_fold(s.username) = any(${[foldText(name), terms]}::text[]))
        or (s.type = 'person' and (s.network_urn = ${name}
      or s.network_urn = (select urn from person where team_id = ${teamId} and handle = ${name}
        order by enriched_at desc nulls last, urn limit 1)
      or (s.network_urn is null and s.username = (select handle from person
          where team_id = ${teamId} and urn = ${name}))))
        or (s.type = 'company' and (s.network_urn = ${page}
      or s.network_urn = (select urn from company where slug = ${name} order by fetched_at desc limit 1)
      or (s.network_urn is null and s.username = any(select slug from company where urn = ${page}
          union all select substring(urn from '[0-9]+$') from company where slug = ${name})))))
    order by s.status, s.username = ${name} desc, s.created_at, s.id limit 1`
}

const findById = (db: Reader, teamId: string, id: string | null) =>
  queryOne<SourceRow>(db)`
    select id, status, type from source where team_id = ${teamId} and id = ${id}::uuid`

/**
 * The source a list is narrowed to, null for the whole team. Refuses an unknown source, and an untracked one unless
 * `includeInactive` is set (a keyword search stays readable, C3).
 */
async function readScope(
  db: Reader,
  teamId: string,
  input: Scope & { readonly includeInactive?: boolean | undefined },
): Promise<string | null> {
  const { profileId, username } = input
  if (profileId === undefined && username === undefined) return null
  const isById = username === undefined || profileId === null
  const found = await (isById ? findById(db, teamId, profileId ?? null) : findNamed(db, teamId, username))
  const source = found ?? refuse('not_found', {}, 'No such source: it is not tracked by this team')
  if (source.status !== 'active' && source.type !== 'keyword' && input.includeInactive !== true)
    refuse('not_found', {}, 'That source is no longer tracked: send includeInactive=true to read its retained leads')
  return source.id
}

/** SQL: the sources a list of the whole team hides: untracked ones, and those whose first leads are still on their way. */
function hiddenSources(teamId: string, { includeInactive, includeSyncing }: LeadFilter): RawBuilder<unknown> {
  const reasons = [
    ...(includeInactive ? [] : [sql`status = 'inactive'`]),
    ...(includeSyncing ? [] : [sql`(status = 'active' and (open_sync_id is not null or leads_pending > 0))`]),
  ]
  return sql`select id from source where team_id = ${teamId} and (${sql.join(reasons, sql` or `)})`
}

const maxNamed = 1_000

/** The sources a list hides; undefined when its scope hides none, or there are more than 1,000. */
export async function readHidden(db: Reader, teamId: string, filter: LeadFilter): Promise<string[] | undefined> {
  if (filter.ownerId !== null || (filter.includeInactive && filter.includeSyncing)) return undefined
  const { rows } = await sql<{ id: string }>`${hiddenSources(teamId, filter)} limit ${maxNamed + 1}`.execute(db)
  return rows.length > maxNamed ? undefined : rows.map(({ id }) => id)
}

function isShown(teamId: string, filter: LeadFilter, source: RawBuilder<unknown>): RawBuilder<unknown> {
  if (filter.ownerId !== null) return sql`${source} = ${filter.ownerId}`
  if ((filter.includeInactive && filter.includeSyncing) || filter.hidden?.length === 0) return sql`true`
  return filter.hidden === undefined
    ? sql`${source} not in (${hiddenSources(teamId, filter)})`
    : sql`${source} <> all(${filter.hidden}::uuid[])`
}

/** The rows a list is made of before filters, as a condition on `lead l`; raw or not is decided here. */
const scopeOf = (teamId: string, filter: LeadFilter): RawBuilder<unknown> =>
  sql`l.team_id = ${teamId} and l.enrichment ${filter.isRaw ? sql`=` : sql`<>`} 'raw'
    and ${isShown(teamId, filter, sql`l.owner_id`)}`

/** The conditions of a filter besides scope and substrings; empty when nothing narrows the list. */
function narrowing(teamId: string, filter: LeadFilter): RawBuilder<unknown>[] {
  const { sourceKind } = filter
  const parts: RawBuilder<unknown>[] = []
  if (filter.engagementType !== undefined) parts.push(sql`l.engagement_type = ${filter.engagementType}`)
  if (filter.isIcp !== undefined) parts.push(sql`l.is_icp = ${filter.isIcp}`)
  if (filter.webhookStatus !== undefined)
    parts.push(sql`${filter.clearing ? webhookStatusNow : sql`l.webhook_status`} = ${filter.webhookStatus}`)
  if (filter.since) parts.push(sql`l.created_at >= ${filter.since}`)
  if (filter.until) parts.push(sql`l.created_at <= ${filter.until}`)
  if (sourceKind === 'profile') parts.push(sql`l.source_kind in ('profile', 'company')`)
  else if (sourceKind !== undefined && sourceKind !== 'all') parts.push(sql`l.source_kind = ${sourceKind}`)
  // Last, being the most expensive.
  if (filter.excluded === 'exclude') parts.push(sql`not ${isExcluded(teamId)}`)
  if (filter.excluded === 'only') parts.push(isExcluded(teamId))
  return parts
}

/** The rows of a list, as a condition on `lead l`. */
export const conditions = (teamId: string, filter: LeadFilter): RawBuilder<unknown> =>
  sql.join(
    [scopeOf(teamId, filter), ...textFiltersOf(filter).map(containsText), ...narrowing(teamId, filter)],
    sql` and `,
  )

/** Matches are counted up to this many (G37). */
export const countLimit = 10_000

/** All leads of a list by id, newest first; `many`: its only filter is a substring found in more than 10,000. */
type Chosen = { readonly ids: readonly string[] } | 'many'

/** A list of leads: its filters, and the leads chosen beforehand (by substring or exclusion), if any. */
export type LeadList = { readonly teamId: string; readonly filter: LeadFilter; readonly chosen: Chosen | null }

/** Chooses leads by substrings; null when there are none, or conditions are quicker: one source, or only frequent texts. */
async function chooseByText(db: Reader, teamId: string, filter: LeadFilter): Promise<Chosen | null> {
  if (filter.ownerId !== null) return null
  const texts = textFiltersOf(filter)
  const isOnlyFilter = texts.length === 1 && narrowing(teamId, filter).length === 0
  for (const text of texts) {
    const ids = await leadsWithText(db, { teamId, scope: scopeOf(teamId, filter), filter: text, max: countLimit })
    if (isOnlyFilter) return ids ? { ids } : 'many'
    if (ids) return chooseAmong(db, { teamId, filter, ids })
  }
  return null
}

async function chooseAmong(
  db: Reader,
  { teamId, filter, ids }: { teamId: string; filter: LeadFilter; ids: readonly string[] },
): Promise<Chosen> {
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${conditions(teamId, filter)} and l.id = any(${[...ids]}::uuid[])
    order by l.created_at desc, l.id desc`.execute(db)
  return { ids: rows.map((row) => row.id) }
}

/** Chooses the leads of a list of excluded people only, if they are few: walking over all others would take too long. */
async function chooseExcluded(db: Reader, teamId: string, filter: LeadFilter): Promise<Chosen | null> {
  if (filter.excluded !== 'only') return null
  const ids = await mayBeExcluded(db, teamId)
  return ids && chooseAmong(db, { teamId, filter, ids })
}

/** The ids chosen beforehand; null when the list is read by its conditions. */
export const chosenIds = ({ chosen }: LeadList): readonly string[] | null =>
  chosen === null || chosen === 'many' ? null : chosen.ids

/** The leads of a list as a condition on `lead l`: the chosen ids, else the filters. */
export const listedLeads = (list: LeadList): RawBuilder<unknown> => {
  const ids = chosenIds(list)
  return ids
    ? sql`l.team_id = ${list.teamId} and l.enrichment <> 'raw' and l.id = any(${ids}::uuid[])`
    : conditions(list.teamId, list.filter)
}

export type ListInput = Scope &
  Omit<LeadFilter, 'isRaw' | 'ownerId' | 'includeInactive' | 'includeSyncing' | 'clearing' | 'hidden'> & {
    readonly includeInactive?: boolean | undefined
    readonly includeSyncing?: boolean | undefined
  }

/** Reads the list a request asks for; refuses a source that is not the team's. */
export async function readList(
  db: Reader,
  { teamId, input, isRaw = false }: { teamId: string; input: ListInput; isRaw?: boolean },
): Promise<LeadList> {
  const asked: LeadFilter = {
    ...input,
    isRaw,
    ownerId: await readScope(db, teamId, input),
    clearing: input.webhookStatus !== undefined && (await isClearing(db, teamId)),
    includeInactive: input.includeInactive ?? false,
    // Raw leads wait for no enrichment.
    includeSyncing: isRaw || (input.includeSyncing ?? false),
  }
  const filter = { ...asked, hidden: await readHidden(db, teamId, asked) }
  if ((filter.excluded ?? 'include') !== 'include' && !(await hasExclusions(db, teamId)))
    return filter.excluded === 'only'
      ? { teamId, filter, chosen: { ids: [] } }
      : readList(db, { teamId, input: { ...input, excluded: 'include' }, isRaw })
  const chosen = (await chooseByText(db, teamId, filter)) ?? (await chooseExcluded(db, teamId, filter))
  return { teamId, filter, chosen }
}

/** A page; readers fetch one row more than `limit`, to learn whether there is more. */
export type Page = { readonly limit: number; readonly offset: number }

/** A total; `exact` is false when there are more. */
export type Total = { readonly total: number; readonly exact: boolean }

/** The paging of an answer; `rows` counts the one beyond the page too. A page that shows the end needs no count. */
export async function pagingOf(rows: number, { limit, offset }: Page, count: () => Promise<Total>) {
  const hasMore = rows > limit
  const seenToTheEnd = !hasMore && (rows > 0 || offset === 0) && offset + rows <= countLimit
  const { total, exact } = seenToTheEnd ? { total: offset + rows, exact: true } : await count()
  return { total, ...(exact ? {} : { totalExact: false as const }), limit, offset, hasMore }
}

/** SQL: how many leads Discover runs have found. No source counts them, and there are never many. */
export const discoverLeads = (teamId: string): RawBuilder<unknown> => sql`
  select count(*) from lead where team_id = ${teamId} and source_kind = 'discover' and enrichment <> 'raw'`

/** Counts a list: by the sources' counters when nothing narrows it, else row by row up to 10,000 (G37). */
export async function countLeads(db: Reader, { teamId, filter, chosen }: LeadList): Promise<Total> {
  if (chosen === 'many') return { total: countLimit, exact: false }
  if (chosen)
    return chosen.ids.length > countLimit
      ? { total: countLimit, exact: false }
      : { total: chosen.ids.length, exact: true }
  const isUnfiltered = narrowing(teamId, filter).length === 0 && textFiltersOf(filter).length === 0
  const { rows } = isUnfiltered
    ? await sql<{ total: number }>`
        select (coalesce(sum(${filter.isRaw ? sql`raw_rows` : sql`lead_rows`}), 0)
          + (${filter.isRaw || filter.ownerId !== null ? sql`0` : discoverLeads(teamId)}))::bigint as total
        from source where team_id = ${teamId} and ${isShown(teamId, filter, sql`source.id`)}`.execute(db)
    : await sql<{ total: number }>`
        select count(*)::bigint as total
        from (select 1 from lead l where ${conditions(teamId, filter)} limit ${countLimit + 1}) counted`.execute(db)
  const { total } = rows[0]!
  return isUnfiltered || total <= countLimit ? { total, exact: true } : { total: countLimit, exact: false }
}
