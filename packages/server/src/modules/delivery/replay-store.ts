/** SQL of replays. Lock order: lead, webhook, delivery. */
import { sql } from 'kysely'
import { uuidFrom } from '../../platform/random.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { EndedDelivery } from './rules/replay.ts'
import { isGivenUp } from './store.ts'

/** A delivery as a replay needs it. */
export type Replayed = EndedDelivery & { readonly id: string; readonly ownerId: string; readonly leadId: string | null }

/** SQL: a delivery that ended so long ago that its bytes are kept no longer. Those of a lead that was never accepted are made anew. */
const emptied = sql<boolean>`(body is null and finished_at is not null
    and (state = 'sent' or event <> 'lead.detected'))`

/** Finds a delivery of a team. */
export async function findDelivery(db: Reader, teamId: string, id: string): Promise<Replayed | undefined> {
  const { rows } = await sql<Replayed>`select id, owner_id as "ownerId", lead_id as "leadId",
      case when ${isGivenUp} then 'cancelled' else state end as state,
      awaits_enrichment as "awaitsEnrichment", ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = ${id}`.execute(db)
  return rows[0]
}

/** What of an endpoint to send again: made at `since` or later, behind the delivery `after`. */
export type ReplayQuery = {
  readonly teamId: string
  readonly ownerId: string
  readonly states: readonly string[]
  readonly since: Date
  readonly after: string | null
}

const nothing = new Uint8Array(10)

/** Deliveries that rest in these states, the one made first at the head. */
export async function listEndedDeliveries(
  db: Reader,
  { teamId, ownerId, states, since, after }: ReplayQuery,
  limit: number,
): Promise<{ id: string; leadId: string | null }[]> {
  // Ids begin with the instant they were made at, so the index of an endpoint is in the order of time.
  const first = uuidFrom(since.getTime(), nothing)
  const { rows } = await sql<{ id: string; leadId: string | null }>`
    select id, lead_id as "leadId" from delivery d
    where team_id = ${teamId} and owner_id = ${ownerId} and id >= ${first} and id > ${after ?? first}
      and state = any(${states}::text[]) and not awaits_enrichment and not ${emptied} and not ${isGivenUp}
    order by id limit ${limit}`.execute(db)
  return rows
}

/** The leads of deliveries of an endpoint. */
export async function leadsOfDeliveries(
  db: Reader,
  { teamId, ownerId, ids }: { readonly teamId: string; readonly ownerId: string; readonly ids: readonly string[] },
): Promise<{ id: string; leadId: string | null }[]> {
  const { rows } = await sql<{ id: string; leadId: string | null }>`
    select id, lead_id as "leadId" from delivery
    where team_id = ${teamId} and owner_id = ${ownerId} and id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/**
 * Makes deliveries due at once that still rest, with their ids, their bytes and a schedule that begins anew; answers
 * which. A lease still running belongs to an attempt in flight: it keeps its fence, and nobody sends beside it.
 */
export async function resend(
  tx: Tx,
  {
    teamId,
    ids,
    states,
  }: { readonly teamId: string; readonly ids: readonly string[]; readonly states: readonly string[] },
): Promise<{ id: string; leadId: string | null }[]> {
  // Locked in id order, as by all who change many. An array and not a join: beside rows nobody has counted yet a join reads all for each.
  const { rows } = await sql<{ id: string; leadId: string | null }>`
    with resting as materialized (
      select id, ${emptied} as emptied from delivery d
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and state = any(${states}::text[])
        and not awaits_enrichment and not ${isGivenUp} order by id for update of d)
    update delivery d
    set state = 'pending', attempts = 0, unexpected_failures = 0, due_at = ${tx.now}, finished_at = null, automatic = false
    where d.team_id = ${teamId} and d.id = any(array(select id from resting where not emptied))
    returning d.id, d.lead_id as "leadId"`.execute(tx.db)
  return rows
}
