/**
 * Whether the person of a lead is excluded, and whether they work at its source. Never stored but computed when a lead is read,
 * so that an entry or setting takes effect everywhere at once; a row yields about a dozen keys, each looked up in one index.
 * Facts of people who were looked up come from their profile, so that all their rows agree; `works_at_source` depends on the
 * row's source.
 */
import { maxTitleWords } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryValue } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { hasAnswered } from '../results.ts'

/** The verdict on a row; `excluded_list` is null when the person is not excluded. */
export type VerdictColumns = {
  excluded_list: string | null
  excluded_entry: string | null
  excluded_reason: string | null
  works_at_source: boolean | null
}

/** The columns of `VerdictColumns`, with `verdictOf` joined. */
export const verdictColumns = sql`verdict.list as excluded_list, verdict.entry_id as excluded_entry,
  verdict.reason as excluded_reason, verdict.works_at_source`

/**
 * SQL: whether the row `other` of `person` is a second id of the person `own`: it has their handle, and another form (profiles have
 * ids of one form, Sales Navigator of another). Two ids of one form are two people, of whom one has taken the handle over.
 */
export const isSecondId = sql`(other.handle = own.handle and left(other.urn, 3) <> left(own.urn, 3))`

/**
 * SQL: a query of one row with the facts of the person of lead `l`: of all their ids, the one looked up last, so that rows of one
 * person agree whatever id each has.
 */
export const personOf = (teamId: string): RawBuilder<unknown> => sql`
      select known.handle, known.job_title, known.country_code, known.company_urn, known.company_name, known.enriched_at
      from (select urn, handle from person where team_id = ${teamId} and urn = l.person_urn limit 1) own
      cross join lateral (
        select *, 1 as place from person where team_id = ${teamId} and urn = own.urn
        union all select other.*, 2 from person other where other.team_id = ${teamId} and ${isSecondId}) known
      order by known.enriched_at desc nulls last, known.place limit 1`

// `limit 1` makes each look-up a single index probe whatever sizes the planner assumes; `offset 0` has an expression computed
// once instead of at every mention.
const factsOf = (teamId: string) => sql`
    left join lateral (${personOf(teamId)}) k on true
    cross join lateral (select
      case when k.enriched_at is null then l.company_urn else k.company_urn end as company_urn,
      case when k.enriched_at is null then l.company_name else k.company_name end as company_name,
      case when k.enriched_at is null then l.country_code else k.country_code end as country_code,
      case when k.enriched_at is null or k.job_title = l.job_title then l.job_title_folded
        else text_fold(k.job_title) end as title offset 0) f
    left join lateral (select slug, domain from company where urn = f.company_urn limit 1) employer on true
    cross join lateral (select case when f.company_urn is not distinct from l.company_urn then l.company_domain end as domain) shown
    cross join lateral (select coalesce(employer.domain, shown.domain) as domain,
      nullif(shown.domain, employer.domain) as shown offset 0) at`

/**
 * SQL: the id of the company that source `s` tracks, or of the employer of the person it tracks. Not written as
 * `case s.type when …`, which Citus sends to its nodes altered.
 */
export const companyOfSource = (teamId: string): RawBuilder<unknown> => sql`case
      when s.type = 'company' then coalesce(s.network_urn,
        (select urn from company where slug = s.username order by fetched_at desc limit 1))
      when s.type = 'person' then coalesce(
        (select company_urn from person where team_id = ${teamId} and urn = s.network_urn limit 1),
        (select company_urn from person where team_id = ${teamId} and handle = s.username
          order by enriched_at desc nulls last limit 1)) end`

/** SQL: the company of the source of lead `l` as row `tracked`. */
const trackedBy = (teamId: string) => sql`
    left join lateral (select type, network_urn, username from source
      where team_id = ${teamId} and id = l.source_id and type in ('person', 'company') limit 1) s on true
    cross join lateral (select ${companyOfSource(teamId)} as urn offset 0) t
    cross join lateral (select t.urn, (select domain from company where urn = t.urn limit 1) as domain offset 0) tracked`

// Compared by id; by domain only where an id is missing. Null when too little is known.
const worksAtSource = sql`case when s.type is null then false
      when tracked.urn is null and tracked.domain is null then null
      when f.company_urn is null and at.domain is null and f.company_name is null then null
      when f.company_urn is not null and tracked.urn is not null then f.company_urn = tracked.urn
      else coalesce(at.domain = tracked.domain, false) end`

/**
 * SQL: true when the team has an entry of a kind, else null. Every look-up of an entry orders by the index it should read:
 * otherwise a plan made while there were few entries walks all of a team's.
 */
const hasEntryOf = (teamId: string, kind: 'domain' | 'title') => sql`(select true from exclusion
      where team_id = ${teamId} and kind = ${sql.lit(kind)} order by key limit 1)`

/** How many of a person's newest rows are read for the domains they show. */
const maxRowsOfPerson = 100

/**
 * SQL: the keys of a row, ranked in the order in which entries count. Besides the company's present domain they include the
 * domains of it that any row of the person shows, so that the person's rows agree.
 */
const keysOf = (teamId: string) => sql`
      values (1, 'person', l.person_urn), (1, 'person', l.handle), (1, 'person', k.handle),
        (2, 'company', substring(f.company_urn from '[0-9]+$')), (2, 'company', employer.slug),
        (5, 'country', f.country_code)
      union all select 1, 'person', urn from person where team_id = ${teamId} and handle = k.handle
      union all select 3, 'domain', array_to_string(labels[first:], '.')
        from (select unnest(array[at.domain, at.shown]) as domain
            union (select company_domain from lead
              where team_id = ${teamId} and person_urn = l.person_urn and company_urn = f.company_urn
                and ${hasEntryOf(teamId, 'domain')}
              order by created_at desc, id desc limit ${sql.lit(maxRowsOfPerson)})) said,
          string_to_array(domain, '.') as labels, generate_series(1, cardinality(labels) - 1) as first
      union all select 4, 'title', array_to_string(words[first:last], ' ')
        from title_words(case when ${hasEntryOf(teamId, 'title')} then f.title end) as words, generate_series(1, cardinality(words)) as first,
          generate_series(first, least(first + ${sql.lit(maxTitleWords - 1)}, cardinality(words))) as last`

/**
 * SQL: the entry of a person or page that was entered by this name and is keyed by the network's id. It also matches where no row
 * links the name to that id: a person never seen, or a page that took the name of one merged into it.
 */
const namedInEntry = (teamId: string) => sql`select id, list, reason from exclusion
      where team_id = ${teamId} and kind in ('person', 'company') and kind = asked.kind and value = asked.key order by key limit 1`

/** SQL: whether the team excludes people who have replied or were won, which is the default. */
const leavesOutAnswered = (teamId: string) =>
  sql`coalesce((select replied_elsewhere from exclusion_settings where team_id = ${teamId}), true)`

const isAnswered = (teamId: string) => sql`(${leavesOutAnswered(teamId)} and ${hasAnswered(teamId)})`

/**
 * SQL: the verdict on lead `l`, as row `verdict`; `list` is null when the person is not excluded. The only place that decides who
 * is excluded: by an entry, by where they work, or because they have replied.
 */
export const verdictOf = (teamId: string): RawBuilder<unknown> => sql`lateral (
  select coalesce(entry.list, case when setting.excludes then 'own_team' when setting.answered then 'replied' end) as list,
    entry.id as entry_id, case when entry.id is not null then entry.reason when setting.excludes then 'works_at_source'
      when setting.answered then 'replied' end as reason,
    works.at_source as works_at_source
  from (select 1) one ${factsOf(teamId)} ${trackedBy(teamId)}
  cross join lateral (select ${worksAtSource} as at_source offset 0) works
  cross join lateral (select works.at_source
    and (select works_at_source from exclusion_settings where team_id = ${teamId}) as excludes,
    ${isAnswered(teamId)} as answered offset 0) setting
  left join lateral (
    select e.id, e.list, e.reason from (${keysOf(teamId)}) as asked (rank, kind, key)
    cross join lateral (
      (select id, list, reason from exclusion
        where team_id = ${teamId} and kind = asked.kind and key = asked.key order by value limit 1)
      union all (${namedInEntry(teamId)}) limit 1) e
    where (select exists (select 1 from exclusion where team_id = ${teamId}))
    order by asked.rank limit 1) entry on true
  limit 1) verdict`

/** SQL: whether anything can exclude people of the team; refers to no row, so that a statement computes it once. */
const canExclude = (teamId: string) => sql<boolean>`(select exists (select 1 from exclusion where team_id = ${teamId})
  or coalesce((select works_at_source from exclusion_settings where team_id = ${teamId}), false)
  or (${leavesOutAnswered(teamId)} and exists (select 1 from result where team_id = ${teamId})))`

/** SQL: whether lead `l` is excluded. In a team that excludes nobody, no lead is looked up. */
export const isExcluded = (teamId: string): RawBuilder<boolean> =>
  sql<boolean>`(${canExclude(teamId)} and exists (select 1 from ${verdictOf(teamId)} where verdict.list is not null))`

/** Whether anything can exclude somebody. */
export const hasExclusions = async (db: Reader, teamId: string): Promise<boolean> =>
  (await queryValue<boolean>(db)`select ${canExclude(teamId)} as any`)!
