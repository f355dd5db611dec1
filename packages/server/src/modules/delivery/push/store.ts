/** SQL of `push` and `push_lead`, and of the deliveries a push takes. Lock order: lead, webhook, delivery. */
import { sql } from 'kysely'
import { queryAll, queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { compileForLeads, findCriteria } from '../../fit/index.ts'
import { isExcluded, webhookStatusNow } from '../../leads/index.ts'
import { isAutoSendOff, isCancelled } from '../deliveries.ts'

/** The leads a push takes: of one owner, all (null) or some. */
export type Scope = { readonly teamId: string; readonly ownerId: string; readonly leadIds: readonly string[] | null }

const leadsOf = ({ teamId, ownerId, leadIds }: Scope) =>
  sql`l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw'
    and ${leadIds === null ? sql`true` : sql`l.id = any(${leadIds})`}`

/** How many leads a push looks at, raw ones excepted. */
export const countConsidered = async (db: Reader, scope: Scope): Promise<number> =>
  (await queryValue<number>(db)`
    select count(*)::integer as count from lead l where ${leadsOf(scope)}`)!

const isOver = sql<boolean>`(d.state in ('failed', 'cancelled', 'excluded') or ${isCancelled} or ${isAutoSendOff})`

type WebhookState = { readonly cancelledBelow: number; readonly autoSend: boolean; readonly since: string | null }

/** SQL: `isOver` of a locked webhook for `on conflict ... where`, where Citus refuses conditions on other tables. */
const isOverOf = ({ cancelledBelow, autoSend, since }: WebhookState) => {
  const isBefore = since === null ? sql`false` : sql`d.created_at < ${sql.lit(since)}::timestamptz`
  const isOff = autoSend ? isBefore : sql`true`
  return sql<boolean>`(d.state in ('failed', 'cancelled', 'excluded') or (d.state in ('pending', 'held')
        and (d.generation < ${sql.lit(cancelledBelow)} or (d.automatic and ${isOff}))))`
}

/** A lead with nothing queued; `ready`: its enrichment has ended, `status`: its webhook status. */
type PushableLead = {
  readonly id: string
  readonly ready: boolean
  readonly status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  readonly excluded: boolean
  /** The lead's source, when the push goes to a receiver of the whole team. */
  readonly sourceId?: string
}

/**
 * Locks, in id order, leads never queued or whose delivery is over. `icpOnly` leaves out what the owner's saved criteria reject,
 * except failed deliveries (judged when queued) and leads in enrichment (not judged yet). The lock settles the race with an
 * ending enrichment. Without `icpOnly`, ICP-only deliveries of earlier pushes are locked too: the enrichment may be withdrawing
 * them, and then this push takes them.
 */
export async function lockPushable(
  tx: Tx,
  { scope, icpOnly }: { readonly scope: Scope; readonly icpOnly: boolean },
): Promise<PushableLead[]> {
  const criteria = icpOnly ? await findCriteria(tx.db, scope) : null
  const condition = criteria && compileForLeads(criteria.rules, criteria.matchMode)
  const fits =
    condition === null
      ? sql`true`
      : sql`(d.state = 'failed' or l.enrichment not in ('completed', 'failed') or ${condition})`
  const mayBeWithdrawn = icpOnly ? sql`false` : sql`d.state = 'held' and d.awaits_enrichment and d.icp_only`
  return queryAll<PushableLead>(tx.db)`
    select l.id, l.enrichment in ('completed', 'failed') as ready, ${webhookStatusNow} as status,
      ${isExcluded(scope.teamId)} as excluded
    from lead l
    left join company c on c.urn = l.company_urn
    left join delivery d on d.team_id = l.team_id and d.owner_id = l.owner_id and d.event = 'lead.detected'
      and d.subject = l.id::text
    where ${leadsOf(scope)} and (d.id is null or ${isOver} or ${mayBeWithdrawn}) and ${fits}
    order by l.id for no key update of l`
}

/** Drops the ICP condition from deliveries that earlier pushes hold: this push sends them whether they match or not. */
export async function dropIcpCondition(tx: Tx, { teamId, ownerId, leadIds }: Scope): Promise<void> {
  const some = leadIds === null ? sql`true` : sql`lead_id = any(${leadIds})`
  await sql`update delivery set icp_only = false
    where team_id = ${teamId} and owner_id = ${ownerId} and state = 'held' and awaits_enrichment and icp_only
      and ${some}`.execute(tx.db)
}

type TakenDelivery = { readonly id: string; readonly leadId: string }

type Taking = {
  readonly leads: readonly PushableLead[]
  readonly icpOnly: boolean
  readonly endpointDisabled: boolean
  readonly generation: number
}

/**
 * Takes a delivery for each locked lead: a new one, or the one that is over, with its id and body. The unique key decides between
 * concurrent pushes. An attempt under way keeps its lease; nothing is sent before it ends.
 */
export async function takeDeliveries(
  tx: Tx,
  { teamId, ownerId }: Pick<Scope, 'teamId' | 'ownerId'>,
  { leads, ...how }: Taking,
): Promise<TakenDelivery[]> {
  if (leads.length === 0) return []
  const { rows: found } = await sql<WebhookState>`
    select cancelled_below_generation as "cancelledBelow", auto_send as "autoSend", auto_send_since::text as since
    from webhook
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
  const webhook = found[0] ?? { cancelledBelow: 0, autoSend: true, since: null }
  return queryAll<TakenDelivery>(tx.db)`
    insert into delivery as d (team_id, id, owner_id, event, subject, lead_id, source_id, generation, state, due_at,
        created_at, awaits_enrichment, icp_only, lead_status)
    select ${teamId}, r.id, ${ownerId}, 'lead.detected', r.lead_id::text, r.lead_id, r.source_id, ${how.generation},
      case when r.ready and not ${how.endpointDisabled}::boolean then 'pending' else 'held' end, ${tx.now}, ${tx.now},
      not r.ready, ${how.icpOnly}, r.status
    from unnest(${leads.map(() => tx.newId())}::uuid[], ${leads.map((lead) => lead.id)}::uuid[],
        ${leads.map((lead) => lead.ready)}::boolean[], ${leads.map((lead) => lead.status)}::text[],
        ${leads.map((lead) => lead.sourceId ?? null)}::uuid[])
      as r(id, lead_id, ready, status, source_id)
    on conflict (team_id, owner_id, event, subject) do update
      set state = excluded.state, generation = excluded.generation, attempts = 0, due_at = excluded.due_at, finished_at = null,
        awaits_enrichment = excluded.awaits_enrichment, icp_only = excluded.icp_only, automatic = false,
        lead_status = excluded.lead_status
      where ${isOverOf(webhook)}
    returning d.id, d.lead_id as "leadId"`
}

type AskedPush = { readonly icpOnly: boolean; readonly considered: number; readonly queueing: boolean }

/** Inserts a push without deliveries; returns its id. */
export async function insertPush(tx: Tx, { teamId, ownerId }: Scope, push: AskedPush): Promise<string> {
  const id = tx.newId()
  await sql`
    insert into push (team_id, id, owner_id, icp_only, considered, queued, queueing, created_at)
    values (${teamId}, ${id}, ${ownerId}, ${push.icpOnly}, ${push.considered}, 0, ${push.queueing}, ${tx.now})`.execute(
    tx.db,
  )
  return id
}

/** Adds deliveries to a push, and counts the leads it left out. */
export async function addToPush(
  tx: Tx,
  { teamId, pushId }: { readonly teamId: string; readonly pushId: string },
  { taken, excluded }: { readonly taken: readonly TakenDelivery[]; readonly excluded: number },
): Promise<void> {
  if (taken.length > 0)
    await sql`
      insert into push_lead (team_id, push_id, delivery_id)
      select ${teamId}, ${pushId}, d from unnest(${taken.map(({ id }) => id)}::uuid[]) as d`.execute(tx.db)
  await sql`
    update push set queued = queued + ${taken.length}, excluded = excluded + ${excluded}
    where team_id = ${teamId} and id = ${pushId}`.execute(tx.db)
}

/**
 * Releases deliveries held for the enrichment of these locked leads; returns how many. ICP-only ones whose lead does not match
 * are cancelled and leave their pushes, unless the lead goes automatically (`going`).
 */
export async function releaseEnriched(
  tx: Tx,
  { teamId, leadIds }: { readonly teamId: string; readonly leadIds: readonly string[] },
  going: readonly string[],
): Promise<number> {
  if (leadIds.length === 0) return 0
  const { rows } = await sql<{ id: string; withdrawn: boolean }>`
    update delivery d set awaits_enrichment = false, due_at = ${tx.now},
      state = case when d.icp_only and l.is_icp is false and not l.id = any(${going}::uuid[]) then 'cancelled'
        else 'pending' end,
      finished_at = case when d.icp_only and l.is_icp is false
        and not l.id = any(${going}::uuid[]) then ${tx.now}::timestamptz end
    from lead l
    where d.team_id = ${teamId} and d.lead_id = any(${leadIds}::uuid[]) and d.state = 'held' and d.awaits_enrichment
      and l.team_id = d.team_id and l.id = d.lead_id and l.enrichment in ('completed', 'failed')
    returning d.id, d.state = 'cancelled' as withdrawn`.execute(tx.db)
  const withdrawn = rows.filter((row) => row.withdrawn).map((row) => row.id)
  if (withdrawn.length > 0)
    await sql`delete from push_lead where team_id = ${teamId}
      and delivery_id = any(${withdrawn}::uuid[])`.execute(tx.db)
  return rows.length - withdrawn.length
}
