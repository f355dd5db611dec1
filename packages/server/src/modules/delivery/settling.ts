/**
 * What the clock does: ends deliveries of cleared webhooks with their leads' status (G134); ends or releases those held without a
 * reason (source untracked, endpoint enabled). Reads and claims see a clearing by its generation, so nothing waits for this.
 */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { clearWebhookStatus } from '../leads/index.ts'
import { isCancelled, isHeldForEndpoint } from './deliveries.ts'
import { findWebhook, lockWebhooks, markEnded } from './settings/store.ts'
import { deleteReceiver } from './team-wide/receivers.ts'
import { endCleared, endsUntracked, endUntracked, releaseHeld } from './waiting.ts'

type Owner = { readonly teamId: string; readonly ownerId: string }

/** Per round: owners listed, and units of work per owner, so that other clock tasks get their turn. */
const ownersAtOnce = 100
const unitsPerRound = 20
/** Rows per unit of work: each lead update touches many indexes and may wait for locks. */
const endedAtOnce = 1_000

/** SQL: some cleared webhook still has deliveries to end. */
export const clearingsDue = (): Condition =>
  sql<boolean>`exists (select 1 from webhook where clearing_unfinished and team_id <> ${sampleTeamId}::uuid)`

type ClearingDeps = RoundDeps & { readonly faultPoint: FaultPointHook; readonly batch?: number }

/** Ends deliveries of cleared webhooks, a bounded number per owner; returns the units of work used. */
export function settleCleared(deps: ClearingDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'settle what waited for cleared webhooks',
    onceEach: true,
    find: async (_now, without) => {
      return queryAll<Owner>(deps.db)`
        select team_id as "teamId", owner_id as "ownerId" from webhook
        where clearing_unfinished and team_id <> all(${[...without]}::uuid[])
        order by team_id, owner_id limit ${ownersAtOnce}`
    },
    forTeam: async (teamId, its) => {
      let units = 0
      for (const { ownerId } of its)
        for (let more = true, made = 0; more && made < unitsPerRound; made++, units++)
          more = await deps.unitOfWork(async (tx) => {
            const isUnfinished = await settleNext(tx, { teamId, ownerId }, deps.batch ?? endedAtOnce)
            await deps.faultPoint('webhook.clearing')
            return isUnfinished
          })
      return units
    },
  })
}

async function settleNext(tx: Tx, owner: Owner, limit: number): Promise<boolean> {
  const { teamId, ownerId } = owner
  const deliveries = await endCleared(tx, { teamId, ownerIds: [ownerId] }, limit)
  const kind = (await findWebhook(tx.db, teamId, ownerId))?.kind
  if (kind === 'destination' || kind === 'hook') return deliveries >= limit || !(await deleteReceiver(tx, owner))
  const leads = await clearWebhookStatus(tx, owner, limit)
  if (Math.max(deliveries, leads) >= limit) return true
  await lockWebhooks(tx, teamId, [ownerId])
  await markEnded(tx, teamId, ownerId)
  return false
}

/**
 * SQL: endpoints that hold deliveries without a reason (source untracked, or endpoint enabled); skips from endpoint to endpoint.
 */
const heldWithoutReason = sql`
  with recursive holding as (
    (select team_id, owner_id from delivery where state = 'held' order by team_id, owner_id limit 1)
    union all
    select following.team_id, following.owner_id from holding h cross join lateral (
      select team_id, owner_id from delivery
      where state = 'held' and (team_id, owner_id) > (h.team_id, h.owner_id) order by team_id, owner_id limit 1) following)
  select h.team_id, h.owner_id, false as is_tracked from holding h
  join source s on s.team_id = h.team_id and s.id = h.owner_id and s.status = 'inactive'
  where exists (select 1 from delivery d
    where d.team_id = h.team_id and d.owner_id = h.owner_id and d.state = 'held' and ${endsUntracked})
  union all
  select h.team_id, h.owner_id, true from holding h
  join webhook w on w.team_id = h.team_id and w.owner_id = h.owner_id and w.url is not null and w.disabled_at is null
  left join source s on s.team_id = h.team_id and s.id = h.owner_id
  where (w.owner_kind in ('destination', 'hook') or s.status = 'active' or s.type = 'keyword') and exists (select 1 from delivery d
    where d.team_id = h.team_id and d.owner_id = h.owner_id and ${isHeldForEndpoint} and not ${isCancelled})`

/** SQL: some endpoint holds deliveries without a reason. */
export const heldDue = (): Condition =>
  sql<boolean>`exists (select 1 from (${heldWithoutReason}) e where e.team_id <> ${sampleTeamId}::uuid)`

/** Ends or releases deliveries held without a reason, some thousands per unit of work, by team; returns how many. */
export function settleHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'settle deliveries still held although their reason is over',
    find: async (_now, without) => {
      return queryAll<Owner & { isTracked: boolean }>(deps.db)`
        select e.team_id as "teamId", e.owner_id as "ownerId", e.is_tracked as "isTracked" from (${heldWithoutReason}) e
        where e.team_id <> all(${[...without]}::uuid[]) limit ${ownersAtOnce}`
    },
    forTeam: async (teamId, its) => {
      const [tracked, untracked] = [true, false].map((isTracked) =>
        its.filter((one) => one.isTracked === isTracked).map(({ ownerId }) => ownerId),
      ) as [string[], string[]]
      // Separate units of work, because of the lock order.
      const ended = untracked.length > 0 ? await deps.unitOfWork((tx) => endUntracked(tx, teamId, untracked)) : 0
      const released = tracked.length > 0 ? await deps.unitOfWork((tx) => releaseEnabled(tx, teamId, tracked)) : 0
      return ended + released
    },
  })
}

async function releaseEnabled(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<number> {
  const webhooks = await lockWebhooks(tx, teamId, ownerIds)
  const enabled = ownerIds.filter((id) => webhooks.get(id)?.url != null && webhooks.get(id)?.disabledAt === null)
  return releaseHeld(tx, { teamId, ownerIds: enabled }, 'clock')
}
