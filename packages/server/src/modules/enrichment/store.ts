/** SQL of enrichment. The only writer of `company_lookup`. */
import { sql } from 'kysely'
import { countAffected, queryAll, queryColumn, queryExists } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { leaseMs } from '../../platform/work/index.ts'

/** Deletes all claims when an embedded service boots: it is the only process, and dead claims would block until they expire. */
export async function releaseAllCompanyLookups(tx: Tx): Promise<void> {
  await sql`delete from company_lookup`.execute(tx.db)
}

/** Claims company look-ups; returns those not claimed by another process. */
export async function claimCompanyLookups(
  tx: Tx,
  urns: readonly string[],
  lease: { processId: string; systemNowMs: number },
): Promise<ReadonlySet<string>> {
  if (urns.length === 0) return new Set()
  const ofLease = (ms: number) => sql`excluded.until_ms + ${sql.lit(ms)}`
  const { rows } = await sql<{ urn: string }>`
    insert into company_lookup (urn, owner, until_ms)
    select urn, ${lease.processId}::uuid, ${lease.systemNowMs + leaseMs}::bigint
    from unnest(${[...urns].sort()}::text[]) as wanted (urn) order by urn
    on conflict (urn) do update set owner = excluded.owner, until_ms = excluded.until_ms
    where company_lookup.until_ms < ${ofLease(-leaseMs)} or company_lookup.until_ms > ${ofLease(leaseMs)}
      or company_lookup.owner = excluded.owner
    returning urn`.execute(tx.db)
  return new Set(rows.map((row) => row.urn))
}

/** Releases claims, unless they expired and another process has taken them. */
export async function releaseCompanyLookups(tx: Tx, urns: readonly string[], processId: string): Promise<void> {
  if (urns.length === 0) return
  await sql`
    with given as materialized (
      select urn from company_lookup where urn = any(${[...urns]}::text[]) and owner = ${processId} order by urn for update)
    delete from company_lookup using given where company_lookup.urn = given.urn`.execute(tx.db)
}

/** Deletes expired claims of dead processes, at most `limit`; returns how many. */
export const purgeCompanyLookups = (tx: Tx, systemNowMs: number, limit: number) =>
  countAffected(tx.db)`delete from company_lookup
      where urn in (select urn from company_lookup where until_ms < ${systemNowMs} limit ${limit}
        for update skip locked)`

const leadsToFill = (teamId: string, personUrn: string) => sql`
    from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.person_urn = ${personUrn} and l.enrichment <> 'raw'
      and (l.source_id is null or s.status = 'active')`

/** True when the team has a non-raw lead of the person from an active source or Discover (G132). */
export const hasCompatibleLead = (db: Reader, teamId: string, personUrn: string) =>
  queryExists(db)`
    select 1 ${leadsToFill(teamId, personUrn)} limit 1`

type NamedCompany = {
  readonly slug: string
  readonly urn: string | null
  readonly sourceId: string | null
}

/** True when the team has a lead with that company, or any lead of the source that tracks it (G23). */
export const hasCompanyLead = (db: Reader, teamId: string, company: NamedCompany) =>
  queryExists(db)`
    select 1 from lead l left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.enrichment <> 'raw' and (l.source_id is null or s.status = 'active')
      and (c.slug = ${company.slug} or l.company_urn = ${company.urn} or s.id = ${company.sourceId}) limit 1`

export type MatchingLead = { readonly id: string; readonly sourceId: string | null; readonly state: string }

/** A person's non-raw leads from active sources and Discover, in id order (G132). */
export const listMatchingLeads = (db: Reader, teamId: string, personUrn: string) =>
  queryAll<MatchingLead>(db)`
    select l.id, l.source_id as "sourceId", l.enrichment as state ${leadsToFill(teamId, personUrn)} order by l.id`

/** Sources of people's waiting leads, in id order. */
export const listWaitingSources = (db: Reader, teamId: string, personUrns: readonly string[]) =>
  queryColumn<string>(db)`
    select distinct source_id as id from lead
    where team_id = ${teamId} and person_urn = any(${[...personUrns]}::text[]) and source_id is not null
      and enrichment in ('pending', 'processing') order by 1`

/** Sources of a company's leads, in id order. */
export const listCompanySources = (db: Reader, teamId: string, companyUrn: string) =>
  queryColumn<string>(db)`select distinct source_id as id from lead
    where team_id = ${teamId} and company_urn = ${companyUrn} and source_id is not null order by 1`
