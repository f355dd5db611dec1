/** SQL of pushes: `push` and `push_lead` are written here, and the deliveries a push claims. Lock order: lead, webhook, delivery. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { compileForLeads, findCriteria } from '../../fit/index.ts'
import { isExcluded, webhookStatusNow } from '../../leads/index.ts'
import { isCalledOff, isCancelled } from '../deliveries.ts'

/** What a push takes: leads of one owner, all or some. */
export type Scope = { readonly teamId: string; readonly ownerId: string; readonly leadIds: readonly string[] | null }

const leadsOf = ({ teamId, ownerId, leadIds }: Scope) =>
  leadIds === null
    ? sql`l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw'`
    : sql`l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and l.id = any(${leadIds})`

/** How many leads a push looks at; raw ones never. */
export async function countConsidered(db: Reader, scope: Scope): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from lead l where ${leadsOf(scope)}`.execute(db)
  return rows[0]!.count
}

/** SQL: delivery `d` has failed, ended because its person was excluded, or is cancelled, or just being so. */
const isOver = sql<boolean>`(d.state in ('failed', 'cancelled', 'excluded') or ${isCancelled} or ${isCalledOff})`

/** What of a webhook says which of its deliveries are over. */
type WebhookState = { readonly cancelledBelow: number; readonly autoSend: boolean; readonly since: string | null }

/** SQL: the same of a webhook that is locked, for an insert that meets `d`: what such a condition asks of another table, Citus refuses. */
const isOverOf = ({ cancelledBelow, autoSend, since }: WebhookState) => {
  const isOff = autoSend
    ? since === null
      ? sql`false`
      : sql`d.created_at < ${sql.lit(since)}::timestamptz`
    : sql`true`
  return sql<boolean>`(d.state in ('failed', 'cancelled', 'excluded') or (d.state in ('pending', 'held')
        and (d.generation < ${sql.lit(cancelledBelow)} or (d.automatic and ${isOff}))))`
}

/** A lead that nothing is on its way of; `ready`: its enrichment has ended, `status`: its webhook status. */
type PushableLead = {
  readonly id: string
  readonly ready: boolean
  readonly status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  /** It is left out, and counted. */
  readonly excluded: boolean
  /** Of a push to a receiver of the team: the lead's source. */
  readonly sourceId?: string
}

/**
 * Locks the leads that have nothing sent or on its way, in id order: those never queued, and those whose delivery failed or is cancelled.
 *
 * With `icpOnly` those that the saved criteria of the owner reject are left out, whatever verdict is stored; but never one whose delivery
 * failed, which was judged when it was queued, nor one that waits for its enrichment, which cannot be judged yet.
 *
 * The lock settles the race with an enrichment that ends right now: it sees the delivery that we make, or we see it ended. Without
 * `icpOnly` a lead that an earlier push holds as ICP only is locked as well: the end of its enrichment may be withdrawing it just now, and
 * then this push takes it.
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
  const { rows } = await sql<PushableLead>`
    select l.id, l.enrichment in ('completed', 'failed') as ready, ${webhookStatusNow} as status,
      ${isExcluded(scope.teamId)} as excluded
    from lead l
    left join company c on c.urn = l.company_urn
    left join delivery d on d.team_id = l.team_id and d.owner_id = l.owner_id and d.event = 'lead.detected'
      and d.subject = l.id::text
    where ${leadsOf(scope)} and (d.id is null or ${isOver} or ${mayBeWithdrawn}) and ${fits}
    order by l.id for no key update of l`.execute(tx.db)
  return rows
}

/** Takes back the ICP condition from what earlier pushes hold: this one wants them whether they match or not. */
export async function widenHeld(tx: Tx, { teamId, ownerId, leadIds }: Scope): Promise<void> {
  const some = leadIds === null ? sql`true` : sql`lead_id = any(${leadIds})`
  await sql`update delivery set icp_only = false
    where team_id = ${teamId} and owner_id = ${ownerId} and state = 'held' and awaits_enrichment and icp_only
      and ${some}`.execute(tx.db)
}

/** A delivery that a push got. */
type TakenDelivery = { readonly id: string; readonly leadId: string }

/** What a push takes, and how its endpoint is. */
type Taking = {
  readonly leads: readonly PushableLead[]
  readonly icpOnly: boolean
  readonly endpointDisabled: boolean
  readonly generation: number
}

/**
 * Takes a delivery for each locked lead: a new one, or the failed or cancelled one with its id, its bytes and a fresh schedule.
 * The unique key decides: of two pushes at once one gets it. An attempt under way keeps its lease, and nothing is
 * sent before that ends.
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
  const { rows } = await sql<TakenDelivery>`
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
    returning d.id, d.lead_id as "leadId"`.execute(tx.db)
  return rows
}

/** A push that was asked for: how many leads it considers, and whether it queues them in the background. */
type AskedPush = { readonly icpOnly: boolean; readonly considered: number; readonly queueing: boolean }

/** Writes a push that has got nothing yet. */
export async function insertPush(tx: Tx, { teamId, ownerId }: Scope, push: AskedPush): Promise<string> {
  const id = tx.newId()
  await tx.db
    .insertInto('push')
    .values({
      team_id: teamId,
      id,
      owner_id: ownerId,
      icp_only: push.icpOnly,
      considered: push.considered,
      queued: 0,
      queueing: push.queueing,
      created_at: tx.now,
    })
    .execute()
  return id
}

/** Adds to a push what it got, and how many leads it has left out. */
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
 * Lets deliveries go that waited for the enrichment of these leads, which are locked. One pushed as ICP only whose lead turns out
 * not to match is withdrawn, unless the lead goes out by itself; it then leaves its pushes. Answers how many go.
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
    await sql`delete from push_lead where team_id = ${teamId} and delivery_id = any(${withdrawn}::uuid[])`.execute(
      tx.db,
    )
  return rows.length - withdrawn.length
}
