/** SQL of `outreach_queue`: a person's row goes once the ledger has them or they may not be sent. */
import type { FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { countAffected, queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { compileForLeads } from '../fit/index.ts'
import { isExcluded } from '../leads/index.ts'
import { feeds, type Rule } from './rule-store.ts'
import { afterSettleMs } from './rules/sending.ts'

/** SQL: lead `l` with company `c` passes a source's filters; an agent's filters are checked by the agent when sending. */
const passes = (rule: Pick<Rule, 'ownerKind' | 'filters'>): RawBuilder<unknown> =>
  rule.ownerKind === 'agent' ? sql`true` : (compileForLeads(rule.filters as readonly FilterRow[], 'all') ?? sql`true`)

const notSent = (teamId: string, campaignId: string) => sql`
  not exists (select 1 from outreach_send x
    where x.team_id = ${teamId} and x.campaign_id = ${campaignId} and x.person_urn = l.person_urn and x.state = 'sent')
  and not exists (select 1 from outreach_send x
    where x.team_id = ${teamId} and x.campaign_id = ${campaignId} and x.handle = lower(l.handle) and x.state = 'sent')`

/** Queues the leads a rule sends automatically: enriched, captured since it began, passing, not sent. Returns new people. */
export async function queueDetected(
  tx: Tx,
  { teamId, rule, leadIds }: { teamId: string; rule: Rule; leadIds: readonly string[] },
): Promise<number> {
  const { rows: found } = await sql<{ urn: string; id: string }>`
    select distinct on (l.person_urn) l.person_urn as urn, l.id
    from unnest(${leadIds}::uuid[]) as asked(id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l
    join source s on s.team_id = ${teamId} and s.id = l.source_id and s.status = 'active'
    left join company c on c.urn = l.company_urn
    where l.enrichment = 'completed' and ${feeds(teamId, rule, sql`l.source_id`)}
      and l.created_at >= ${rule.autoSendSince} and ${passes(rule)} and ${notSent(teamId, rule.campaignId)}
      and not ${isExcluded(teamId)}
    order by l.person_urn, l.created_at desc, l.id desc`.execute(tx.db)
  if (found.length === 0) return 0
  return countAffected(tx.db)`
    insert into outreach_queue (team_id, owner_id, person_urn, lead_id, historic, due_at, queued_at)
    select ${teamId}::uuid, ${rule.ownerId}::uuid, f.urn, f.id, false, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${found.map(({ urn }) => urn)}::text[], ${found.map(({ id }) => id)}::uuid[]) as f (urn, id)
    order by f.urn on conflict do nothing`
}

export type Historic = { readonly matched: number; readonly queued: number }

type Among = { readonly leadIds: readonly string[] } | { readonly people: readonly string[]; readonly until: string }

const leadsAmong = (teamId: string, rule: Rule, among: Among | null) => {
  if (among === null)
    return sql`(select * from lead where team_id = ${teamId} and ${feeds(teamId, rule, sql`owner_id`)})`
  // Lateral per id: with many ids the planner would read all leads of the owner.
  if ('leadIds' in among)
    return sql`(select found.* from unnest(${among.leadIds}::uuid[]) as asked(id)
          cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) found)`
  return sql`(select found.* from unnest(${among.people}::text[]) as asked(urn)
          cross join lateral (select * from lead where team_id = ${teamId} and person_urn = asked.urn
            and ${feeds(teamId, rule, sql`owner_id`)} and created_at <= ${among.until}::timestamptz
            and enrichment <> 'raw' offset 0) found)`
}

/** Queues everybody with a past lead that passes, who is not excluded and not in the campaign; `among` null: all leads. */
export async function queueHistoric(
  tx: Tx,
  { teamId, rule, among }: { teamId: string; rule: Rule; among: Among | null },
): Promise<Historic> {
  const leads = leadsAmong(teamId, rule, among)
  return (await queryOne<Historic>(tx.db)`
    with passing as materialized (
      select distinct on (l.person_urn) l.person_urn, l.id, l.handle from ${leads} l
      left join company c on c.urn = l.company_urn
      join source s on s.team_id = ${teamId} and s.id = l.source_id and s.status = 'active'
      where l.enrichment = 'completed' and ${feeds(teamId, rule, sql`l.source_id`)} and ${passes(rule)}
        and not ${isExcluded(teamId)}
      order by l.person_urn, l.created_at desc, l.id desc),
    queued as (
      insert into outreach_queue (team_id, owner_id, person_urn, lead_id, historic, due_at, queued_at)
      select ${teamId}::uuid, ${rule.ownerId}::uuid, l.person_urn, l.id, true, ${tx.now}::timestamptz,
        ${tx.now}::timestamptz from passing l where ${notSent(teamId, rule.campaignId)}
      on conflict (team_id, owner_id, person_urn) do update
      set historic = true, queued_at = excluded.queued_at returning 1)
    select (select count(*) from passing)::integer as matched,
      (select count(*) from queued)::integer as queued`)!
}

/** Empties the queues of owners. */
export async function dropAllOf(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[])`.execute(tx.db)
}

/** Drops what was queued automatically; what a push of history queued stays. */
export async function dropDetectedOf(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[]) and not historic`.execute(tx.db)
}

type RuleName = { readonly teamId: string; readonly ownerId: string }

/** A queued person with the lead to send, null when none may be sent. */
export type Queued = { readonly personUrn: string; readonly leadId: string | null; readonly queuedAt: Date }

/**
 * The people of a locked rule due longest, each with a lead that may be sent now (enriched, tracked, passing, not excluded): the
 * queued one, else their newest; unless a history push queued them, only leads since autoSend began.
 */
export const listQueued = (
  db: Reader,
  { teamId, rule, now, limit }: { teamId: string; rule: Rule; now: Date; limit: number },
) =>
  queryAll<Queued>(db)`
    with due as materialized (select person_urn, lead_id, historic, queued_at from outreach_queue
      where team_id = ${teamId} and owner_id = ${rule.ownerId} and due_at <= ${now}
      order by queued_at, person_urn limit ${limit})
    select d.person_urn as "personUrn", d.queued_at as "queuedAt", found.id as "leadId"
    from due d left join lateral (select l.id from lead l
      join source s on s.team_id = ${teamId} and s.id = l.source_id and s.status = 'active'
      left join company c on c.urn = l.company_urn
      where l.team_id = ${teamId} and l.person_urn = d.person_urn and l.enrichment = 'completed'
        and (l.id = d.lead_id or d.historic or l.created_at >= ${rule.autoSendSince})
        and ${feeds(teamId, rule, sql`l.source_id`)} and ${passes(rule)} and not ${isExcluded(teamId)}
      order by l.id = d.lead_id desc, l.created_at desc, l.id desc limit 1) found on true
    order by d.queued_at, d.person_urn`

/** Takes people off a queue, except those queued again since, maybe for another campaign. */
export async function dropQueued(tx: Tx, { teamId, ownerId }: RuleName, queued: readonly Queued[]): Promise<void> {
  if (queued.length > 0)
    await sql`
      delete from outreach_queue q
      using unnest(${queued.map(({ personUrn }) => personUrn)}::text[],
          ${queued.map(({ queuedAt }) => queuedAt.toISOString())}::timestamptz[],
          ${queued.map(({ queuedAt }) => new Date(queuedAt.getTime() + 1).toISOString())}::timestamptz[])
        as a (urn, queued_at, behind)
      where q.team_id = ${teamId} and q.owner_id = ${ownerId} and q.person_urn = a.urn
        and q.queued_at >= a.queued_at and q.queued_at < a.behind`.execute(tx.db)
}

/** Postpones people whose send is not settled yet. */
export async function postponeQueued(tx: Tx, { teamId, ownerId }: RuleName, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`update outreach_queue set due_at = ${new Date(tx.now.getTime() + afterSettleMs)}
      where team_id = ${teamId} and owner_id = ${ownerId} and person_urn = any(${urns})`.execute(tx.db)
}

/** Takes deleted leads out of the queues; the ledger stays. */
export async function deleteQueuedLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue
    where team_id = ${teamId} and lead_id = any(${[...leadIds]}::uuid[])`.execute(tx.db)
}
