/**
 * When several sources of an agent capture one engagement, each has a lead row, but the agent's webhook gets it once: from the
 * source that goes first, automatically or by a push. A source of the team's own counts if its webhook has the same URL.
 */
import { sql } from 'kysely'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { isCancelled, hasLease } from './deliveries.ts'

type AgentDestination = { readonly teamId: string; readonly agentId: string; readonly url: string }

/** SQL: the rows `t` of lead `l`'s engagement in an agent's sources; `x` is their `agent_source` row. */
const sameEngagement = (teamId: string, agentId: ReturnType<typeof sql>) => sql`
  cross join lateral (select id, owner_id from lead where team_id = ${teamId} and person_urn = l.person_urn
    and engagement_key = l.engagement_key offset 0) t
  join agent_source x on x.team_id = ${teamId} and x.agent_id = ${agentId} and x.source_id = t.owner_id`

const leadsNamed = (teamId: string, leadIds: readonly string[]) => sql`
  unnest(${[...leadIds]}::uuid[]) as asked(id)
  cross join lateral (select id, owner_id, person_urn, engagement_key from lead
    where team_id = ${teamId} and id = asked.id limit 1) l`

/**
 * Locks leads and their engagements' other rows, in id order, before webhooks and deliveries: the later sender sees the first.
 */
export async function lockSameEngagements(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  await sql`
    with same as materialized (
      select t.id from ${leadsNamed(teamId, leadIds)}
      join webhook w on w.team_id = ${teamId} and w.owner_id = l.owner_id and w.agent_id is not null
      ${sameEngagement(teamId, sql`w.agent_id`)})
    select 1 from lead where team_id = ${teamId} and id = any(array(select id from same))
    order by id for no key update`.execute(tx.db)
}

/** The ids whose engagement was not sent or queued to the agent's webhook by another source; one per engagement. */
export async function withoutDelivered(
  db: Reader,
  { teamId, agentId, url }: AgentDestination,
  leadIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (leadIds.length === 0) return new Set()
  const found = await queryColumn<string>(db)`
    select distinct on (l.engagement_key) l.id from ${leadsNamed(teamId, leadIds)}
    where not exists (
      select 1 from (select 1) one ${sameEngagement(teamId, sql`${agentId}`)}
      join delivery d on d.team_id = ${teamId} and d.owner_id = t.owner_id and d.event = 'lead.detected'
        and d.subject = t.id::text and d.state not in ('failed', 'cancelled', 'excluded') and not ${isCancelled}
      join source s on s.team_id = ${teamId} and s.id = t.owner_id
      left join webhook w on w.team_id = ${teamId} and w.owner_id = t.owner_id
      where t.id <> l.id and (d.state = 'sent' or s.status = 'active' or ${hasLease} or exists (
          select 1 from push_lead p where p.team_id = d.team_id and p.delivery_id = d.id and s.type = 'keyword'))
        and (w.url = ${url} or (x.made and (w.agent_id = ${agentId} or w.url is null))))
    order by l.engagement_key, l.id`
  return new Set(found)
}

/** The rows of the same engagements in the agent's other tracked sources: they may be sent when a source is untracked. */
export async function listOthers(db: Reader, teamId: string, leadIds: readonly string[]): Promise<string[]> {
  if (leadIds.length === 0) return []
  return queryColumn<string>(db)`
    select distinct t.id from ${leadsNamed(teamId, leadIds)}
    join webhook w on w.team_id = ${teamId} and w.owner_id = l.owner_id and w.agent_id is not null
    ${sameEngagement(teamId, sql`w.agent_id`)}
    join source s on s.team_id = ${teamId} and s.id = t.owner_id and s.status = 'active'
    where t.id <> l.id`
}
