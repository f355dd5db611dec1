/**
 * SQL of whom rules are to send: `outreach_queue` is written here. The row goes when the ledger has the person in the
 * campaign, or when they may not go any more.
 */
import type { FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { compileForLeads } from '../fit/index.ts'
import { isExcluded } from '../leads/index.ts'
import { feeds, type Rule } from './rule-store.ts'

/** What a filter of a source demands of lead `l` and company `c`; an agent's is judged by the agent, when it is sent. */
const passes = (rule: Pick<Rule, 'ownerKind' | 'filters'>): RawBuilder<unknown> =>
  rule.ownerKind === 'agent' ? sql`true` : (compileForLeads(rule.filters as readonly FilterRow[], 'all') ?? sql`true`)

const notSent = (teamId: string, campaignId: string) => sql`
  not exists (select 1 from outreach_send x
    where x.team_id = ${teamId} and x.campaign_id = ${campaignId} and x.person_urn = l.person_urn and x.state = 'sent')
  and not exists (select 1 from outreach_send x
    where x.team_id = ${teamId} and x.campaign_id = ${campaignId} and x.handle = lower(l.handle) and x.state = 'sent')`

/**
 * Queues those of the leads that a rule sends by itself: enriched, of a tracked source that feeds it, captured since it
 * began, passing, of nobody who is excluded. Answers how many people are new.
 */
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
  const result = await sql`
    insert into outreach_queue (team_id, owner_id, person_urn, lead_id, historic, due_at, queued_at)
    select ${teamId}::uuid, ${rule.ownerId}::uuid, f.urn, f.id, false, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${found.map(({ urn }) => urn)}::text[], ${found.map(({ id }) => id)}::uuid[]) as f (urn, id)
    order by f.urn on conflict do nothing`.execute(tx.db)
  return Number(result.numAffectedRows ?? 0)
}

/** What a push of history found, in people. */
export type Historic = { readonly matched: number; readonly queued: number }

/** Whom of an owner a push of history is about: leads that the agent has judged, or people by leads stored until an instant. */
type Among = { readonly leadIds: readonly string[] } | { readonly people: readonly string[]; readonly until: string }

const leadsAmong = (teamId: string, rule: Rule, among: Among | null) => {
  if (among === null)
    return sql`(select * from lead where team_id = ${teamId} and ${feeds(teamId, rule, sql`owner_id`)})`
  // Looked up one by one: beside many rows the planner reads all that the owner has.
  if ('leadIds' in among)
    return sql`(select found.* from unnest(${among.leadIds}::uuid[]) as asked(id)
          cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) found)`
  return sql`(select found.* from unnest(${among.people}::text[]) as asked(urn)
          cross join lateral (select * from lead where team_id = ${teamId} and person_urn = asked.urn
            and ${feeds(teamId, rule, sql`owner_id`)} and created_at <= ${among.until}::timestamptz
            and enrichment <> 'raw' offset 0) found)`
}

/**
 * Queues everybody with a past lead that passes and who is neither excluded nor in the campaign; set-based, however many they are.
 * `among`: only these.
 */
export async function queueHistoric(
  tx: Tx,
  { teamId, rule, among }: { teamId: string; rule: Rule; among: Among | null },
): Promise<Historic> {
  const leads = leadsAmong(teamId, rule, among)
  const { rows } = await sql<Historic>`
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
      (select count(*) from queued)::integer as queued`.execute(tx.db)
  return rows[0]!
}

/** Drops all that waits for some owners, whatever queued it. */
export async function dropAllOf(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[])`.execute(tx.db)
}

/** Drops what waits to be sent by itself; what a push of history has queued stays. */
export async function dropDetectedOf(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<void> {
  await sql`delete from outreach_queue
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[]) and not historic`.execute(tx.db)
}

/** Somebody queued, with the lead by which they may go now; null when none of theirs may. */
export type Queued = { readonly personUrn: string; readonly leadId: string | null; readonly queuedAt: Date }

/**
 * The people due longest, at most `limit`, of a rule that is locked. A lead may go when it is enriched, of a tracked source that feeds
 * the rule, passes its filters as they are now, and is of nobody who is excluded. A person is queued once: when the lead they were queued by may not go any more, their
 * newest that may takes its place, of those captured since the rule sends by itself unless a push of history queued them.
 */
export async function listQueued(
  db: Reader,
  { teamId, rule, now, limit }: { teamId: string; rule: Rule; now: Date; limit: number },
): Promise<Queued[]> {
  const { rows } = await sql<Queued>`
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
    order by d.queued_at, d.person_urn`.execute(db)
  return rows
}

/** Takes people off the queue of a rule; who was queued anew since then stays: it may be for another campaign. */
export async function dropQueued(
  tx: Tx,
  { teamId, ownerId, queued }: { teamId: string; ownerId: string; queued: readonly Queued[] },
): Promise<void> {
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

/** Lets people of a rule wait: whether they are in the campaign is known later. */
export async function postponeQueued(
  tx: Tx,
  {
    teamId,
    ownerId,
    personUrns,
    dueAt,
  }: { teamId: string; ownerId: string; personUrns: readonly string[]; dueAt: Date },
): Promise<void> {
  if (personUrns.length > 0)
    await sql`update outreach_queue set due_at = ${dueAt}
      where team_id = ${teamId} and owner_id = ${ownerId} and person_urn = any(${personUrns})`.execute(tx.db)
}
