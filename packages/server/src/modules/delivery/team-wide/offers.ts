import { queryAll } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { isExcluded } from '../../leads/index.ts'
import { insertLeadDetected, type LeadOffer } from '../deliveries.ts'
import { listAllowed } from '../destinations/queue.ts'
import { listTargets, type Target } from '../destinations/store.ts'
import { shareReceivers, type Receiver } from './receivers.ts'

type OfferedLead = { readonly id: string; readonly sourceId: string; readonly createdAt: Date }

const listOffered = (db: Reader, teamId: string, leadIds: readonly string[]) =>
  queryAll<OfferedLead>(db)`
    select l.id, l.source_id as "sourceId", l.created_at as "createdAt"
    from lead l join source s on s.team_id = l.team_id and s.id = l.source_id and s.status = 'active'
    where l.team_id = ${teamId} and l.id = any(${[...leadIds]}::uuid[]) and l.enrichment = 'completed'
      and not ${isExcluded(teamId)}
    order by l.id`

type Webhooks = ReadonlyMap<string, Target>

const webhooksOf = async (db: Reader, teamId: string): Promise<Webhooks> =>
  new Map((await listTargets(db, teamId)).map((one) => [one.id, one]))

async function takenBy(
  db: Reader,
  { ownerId, since }: Receiver,
  { destinations, offered }: { destinations: Webhooks; offered: readonly OfferedLead[] },
): Promise<OfferedLead[]> {
  const recent = offered.filter(({ createdAt }) => createdAt >= since)
  const destination = destinations.get(ownerId)
  if (destination === undefined || recent.length === 0) return recent
  const ids = recent.map(({ id }) => id)
  const allowed = await listAllowed(db, destination, ids)
  return recent.filter(({ id }) => allowed.has(id))
}

/** Queues a `lead.detected` for each lead and receiver that takes it, once per lead and receiver for ever. */
export async function offerToReceivers(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  const receivers = await shareReceivers(tx, teamId, 'lead.detected')
  if (receivers.length === 0) return
  const offered = await listOffered(tx.db, teamId, leadIds)
  if (offered.length === 0) return
  const destinations = await webhooksOf(tx.db, teamId)
  const offers: LeadOffer[] = []
  for (const receiver of receivers) {
    const { ownerId, generation } = receiver
    for (const { id: leadId, sourceId } of await takenBy(tx.db, receiver, { destinations, offered }))
      offers.push({ leadId, ownerId, sourceId, generation, agent: null })
  }
  if ((await insertLeadDetected(tx, teamId, offers)) > 0) tx.enqueue('delivery', teamId)
}

/** The receivers that take an event of a source that is not about a lead; a destination may be limited to some sources. */
export async function receiversOfSource(
  tx: Tx,
  { teamId, sourceId, event }: { readonly teamId: string; readonly sourceId: string; readonly event: string },
): Promise<Receiver[]> {
  const receivers = await shareReceivers(tx, teamId, event)
  if (receivers.length === 0) return []
  const destinations = await webhooksOf(tx.db, teamId)
  return receivers.filter(({ ownerId }) => destinations.get(ownerId)?.sourceIds?.includes(sourceId) ?? true)
}
