/**
 * Moves waiting deliveries by reason (`movesOf`), some thousands per unit of work, because a million would exceed the statement
 * timeout; called by claims (`holdBack`) and the clock (`settling.ts`). An attempt under way keeps its lease and still becomes
 * `sent` if it is accepted. Lock order: lead, webhook, delivery, each by id.
 */
import { sql, type RawBuilder } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { endLeases } from '../../platform/work/index.ts'
import { isExcluded, setWebhookStatus } from '../leads/index.ts'
import {
  bodyOnceOver,
  hasFailedTooOften,
  isAutoSendOff,
  isCancelled,
  isHeldForEndpoint,
  hasLease,
  isUnsent,
  lockLeads,
} from './deliveries.ts'
import { listOfExcludedPosts } from './excluded-posts.ts'
import { offerToWebhooks } from './offers.ts'
import { tellsErased } from './person-erased.ts'
import type { Verdict } from './rules/endpoint.ts'
import { listOthers } from './same-engagement.ts'
import { deliveryRows, type LeasedDelivery } from './sending/claim.ts'
import { lockWebhooks } from './settings/store.ts'

/** The most deliveries that one unit of work moves. */
export const movedAtOnce = 5_000

/** SQL: delivery `d` ends when source `s` is untracked (WHK-19, G52, FIX-04); ready pushes of a deleted search go on (C3). */
export const endsUntracked = sql<boolean>`(${isUnsent} and not ${isCancelled} and not ${tellsErased}
  and s.status = 'inactive' and (s.type <> 'keyword' or d.awaits_enrichment or not exists (select 1 from push_lead p
    where p.team_id = d.team_id and p.delivery_id = d.id)))`

type Move = {
  readonly which: RawBuilder<boolean>
  readonly to: 'cancelled' | 'failed' | 'excluded' | 'held' | 'pending'
  /** SQL: the new webhook status of the lead of `d`; null leaves it. */
  readonly leadStatus: RawBuilder<unknown> | null
}

type Reason = 'cleared' | 'auto_send_off' | 'untracked' | 'excluded' | 'disabled' | 'failed_too_often' | 'enabled'

const movesOf = (teamId: string, ofPosts: readonly string[]): Readonly<Record<Reason, Move>> => ({
  /** The URL was cleared after they were queued (G134). */
  cleared: { which: isCancelled, to: 'cancelled', leadStatus: sql`'no_webhook'` },
  /** autoSend was switched off and neither a push nor a person asked for them (G160); a push can still send their leads. */
  auto_send_off: { which: isAutoSendOff, to: 'cancelled', leadStatus: null },
  /** Their source is untracked; only a push sends them once it is tracked again. */
  untracked: {
    which: sql<boolean>`exists (select 1 from source s where s.team_id = d.team_id and s.id = d.owner_id and ${endsUntracked})`,
    to: 'failed',
    leadStatus: sql`'failed'`,
  },
  /** Their person was excluded after they were queued; the leads get their earlier status, and only a push queues them again. */
  excluded: {
    which: sql<boolean>`(d.state = 'pending' and (d.id = any(${[...ofPosts]}::uuid[]) or exists (
      select 1 from lead l where l.team_id = d.team_id and l.id = d.lead_id and ${isExcluded(teamId)})))`,
    to: 'excluded',
    leadStatus: sql`d.lead_status`,
  },
  /** Their endpoint, which is locked, is disabled. */
  disabled: {
    which: sql<boolean>`(d.state = 'pending' and not ${tellsErased} and not ${hasLease} and exists (
      select 1 from webhook w where w.team_id = d.team_id and w.owner_id = d.owner_id and w.disabled_at is not null))`,
    to: 'held',
    leadStatus: null,
  },
  /** A person had the locked endpoint enabled; the service itself had failed at them too often. */
  failed_too_often: {
    which: sql<boolean>`(${hasFailedTooOften} and not ${isCancelled})`,
    to: 'pending',
    leadStatus: null,
  },
  /** Their endpoint, which is locked, is enabled again. */
  enabled: {
    which: sql<boolean>`(${isHeldForEndpoint} and not ${isCancelled})`,
    to: 'pending',
    leadStatus: null,
  },
})

const changesOf = (tx: Tx, to: Move['to']) => {
  if (to === 'held') return sql``
  if (to === 'pending') return sql`, attempts = 0, unexpected_failures = 0, due_at = ${tx.now}`
  return sql`, finished_at = ${tx.now}, awaits_enrichment = false, body = ${bodyOnceOver}`
}

type Owners = {
  readonly teamId: string
  readonly ownerIds: readonly string[]
  readonly ids?: readonly string[] | undefined
}

type Moved = { readonly found: number; readonly leadIds: readonly string[] }

/** Returns how many deliveries it found, and the leads whose status changed. */
async function moveWaiting(
  tx: Tx,
  { teamId, ownerIds, ids }: Owners,
  { reason, limit = movedAtOnce }: { readonly reason: Reason; readonly limit?: number | undefined },
): Promise<Moved> {
  if (ownerIds.length === 0) return { found: 0, leadIds: [] }
  const ofPosts = reason === 'excluded' ? await listOfExcludedPosts(tx.db, teamId, ids ?? []) : []
  const { which, to, leadStatus } = movesOf(teamId, [...ofPosts])[reason]
  const { rows: found } = await sql<{ id: string; leadId: string | null }>`
    select d.id, d.lead_id as "leadId" from delivery d
    where d.team_id = ${teamId} and d.owner_id = any(${[...ownerIds]}::uuid[]) and ${which}
      and ${ids ? sql`d.id = any(${[...ids]}::uuid[])` : sql`true`}
    limit ${limit}`.execute(tx.db)
  if (found.length === 0) return { found: 0, leadIds: [] }
  if (leadStatus) await lockLeads(tx, teamId, found)
  // Checked again under the lock, since a push may have taken some meanwhile.
  const moved = await queryAll<{ leadId: string | null; isOwn: boolean; status: LeadStatus }>(tx.db)`
    update delivery d set state = ${to} ${changesOf(tx, to)}
    where d.team_id = ${teamId} and d.id = any(array(
      select d.id from delivery d
      where d.team_id = ${teamId} and d.id = any(${found.map(({ id }) => id)}::uuid[]) and ${which}
      order by d.id for update of d))
    returning d.lead_id as "leadId", d.source_id is null as "isOwn", ${leadStatus ?? sql`null`} as status`
  // A delivery to a receiver of the whole team does not change its lead's webhook status.
  const own = leadStatus ? moved.filter(({ isOwn }) => isOwn) : []
  for (const [status, theirs] of Map.groupBy(own, (row) => row.status))
    await setWebhookStatus(tx, { teamId, leadIds: theirs.flatMap(({ leadId }) => leadId ?? []), status })
  if (to === 'excluded') tx.count('deliveries', 'excluded', moved.length)
  return { found: found.length, leadIds: own.flatMap(({ leadId }) => leadId ?? []) }
}

type LeadStatus = 'pending' | 'sent' | 'failed' | 'no_webhook'

/** Cancels some deliveries queued before their webhook's URL was cleared; returns how many it found. */
export const endCleared = async (tx: Tx, owners: Owners, limit?: number): Promise<number> =>
  (await moveWaiting(tx, owners, { reason: 'cleared', limit })).found

/** Cancels some automatic deliveries of owners whose autoSend is off. */
export const cancelAutoSendOff = async (tx: Tx, owners: Owners): Promise<void> =>
  void (await moveWaiting(tx, owners, { reason: 'auto_send_off' }))

/** Holds some deliveries of locked, disabled endpoints. */
export const holdWaiting = async (tx: Tx, owners: Owners): Promise<void> =>
  void (await moveWaiting(tx, owners, { reason: 'disabled' }))

/**
 * Releases some deliveries of locked, enabled endpoints, with a fresh schedule; returns how many. A person's request also
 * releases all that the service failed at too often: the clock could not tell failures before it from later ones.
 */
export async function releaseHeld(tx: Tx, owners: Owners, by: 'person' | 'clock' = 'person'): Promise<number> {
  const failed = by === 'person' ? (await moveWaiting(tx, owners, { reason: 'failed_too_often' })).found : 0
  const { found } = await moveWaiting(tx, owners, { reason: 'enabled' })
  if (failed + found > 0) tx.enqueue('delivery', owners.teamId)
  return failed + found
}

/**
 * Ends some deliveries of untracked sources; returns how many. What another tracked source of the agent captured too is then
 * offered to the agent's webhook; other receivers were offered that row at its enrichment.
 */
export async function endUntracked(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<number> {
  await endAwaitedSyncs(tx, teamId, sourceIds)
  const { found, leadIds } = await moveWaiting(tx, { teamId, ownerIds: sourceIds }, { reason: 'untracked' })
  await offerToWebhooks(tx, teamId, await listOthers(tx.db, teamId, leadIds))
  return found
}

/** Ends the team receivers' `sync.completed` of untracked sources, whose enrichment will not end. */
async function endAwaitedSyncs(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<void> {
  await sql`
    update delivery set state = 'failed', finished_at = ${tx.now}, awaits_enrichment = false
    where team_id = ${teamId} and id = any(array(
      select d.id from delivery d join source s on s.team_id = d.team_id and s.id = d.source_id and s.status = 'inactive'
      where d.team_id = ${teamId} and d.source_id = any(${[...sourceIds]}::uuid[]) and d.event = 'sync.completed'
        and d.state = 'held' and d.awaits_enrichment
      order by d.id for update of d))`.execute(tx.db)
}

/** Ends the deliveries of one source that is being untracked. */
export const endDeliveries = async (tx: Tx, source: { readonly teamId: string; readonly id: string }): Promise<void> =>
  void (await endUntracked(tx, source.teamId, [source.id]))

/** Moves one endpoint's leased deliveries, and thousands like them. Checks the condition again; the rest is claimed again. */
export async function holdBack(
  tx: Tx,
  verdict: Exclude<Verdict, 'send'>,
  leased: readonly LeasedDelivery[],
): Promise<void> {
  const { teamId, ownerId } = leased[0]!
  const owners = { teamId, ownerIds: [ownerId] }
  if (verdict === 'disabled') {
    await lockWebhooks(tx, teamId, [ownerId])
    await endLeases(tx, deliveryRows, leased)
    return holdWaiting(tx, owners)
  }
  const ids = verdict === 'excluded' ? leased.map(({ id }) => id) : undefined
  if (verdict === 'untracked') await endUntracked(tx, teamId, [ownerId])
  else await moveWaiting(tx, { ...owners, ids }, { reason: verdict })
  await endLeases(tx, deliveryRows, leased)
}
