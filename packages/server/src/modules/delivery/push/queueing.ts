/**
 * Queues the leads of a push, oldest first: a small one within its request, a large one in the background, one batch per unit
 * of work. Leads captured after the push was requested are not part of it.
 *
 *   requested --few leads---> queued when the request is answered
 *       `------many leads---> queueing when the request is answered --a lane, batch by batch--> queued
 *                                `-- URL cleared or source untracked --> over: leads not queued yet stay as they are
 */
import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import {
  claimOne,
  defineRows,
  defineWork,
  endLease,
  noteTaskContext,
  leaseOf,
  rescheduleForEver,
  type WorkDeps,
} from '../../../platform/work/index.ts'
import { setWebhookStatus } from '../../leads/index.ts'
import { findServedSource } from '../../sources/index.ts'
import { addToPush, countConsidered, lockPushable, takeDeliveries, dropIcpCondition, type Scope } from './store.ts'
import { lockSameEngagements, withoutDelivered } from '../same-engagement.ts'
import { shareWebhook } from '../settings/store.ts'

/** The most leads of an owner that a push queues within its request. */
export const smallPush = 5_000

const pushRows = defineRows({
  kind: 'push',
  rowKind: 'push',
  table: 'push',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.queueing`,
  dueAt: sql<Date>`coalesce(w.due_at, w.created_at)`,
  fence: 'counted',
})

/** A push, or an agent (`agentId`) other than the one whose webhook the source carries. */
type QueueOptions = {
  readonly icpOnly: boolean
  readonly pushId: string | null
  readonly agentId?: string | undefined
}

/** Queues leads without anything sent or queued; counts those, and the excluded ones left out. `no_webhook` without a URL. */
export async function queueLeads(
  tx: Tx,
  scope: Scope,
  { icpOnly, pushId, agentId }: QueueOptions,
): Promise<{ readonly queued: number; readonly excluded: number } | 'no_webhook'> {
  const { teamId } = scope
  const locked = await lockPushable(tx, { scope, icpOnly })
  const pushable = locked.filter((lead) => !lead.excluded)
  const excluded = locked.length - pushable.length
  const ids = pushable.map(({ id }) => id)
  await lockSameEngagements(tx, teamId, ids)
  // Read under a lock, so that a PUT that clears the URL or revives the endpoint comes entirely before or after.
  const webhook = await shareWebhook(tx, teamId, scope.ownerId)
  if (webhook?.url == null) return 'no_webhook'
  const { url, origin, disabledAt, generation } = webhook
  const ofAgent = agentId ?? origin.agentId
  const toSend = ofAgent === null ? new Set(ids) : await withoutDelivered(tx.db, { teamId, agentId: ofAgent, url }, ids)
  const leads = pushable.filter(({ id }) => toSend.has(id))
  if (!icpOnly) await dropIcpCondition(tx, scope)
  const taken = await takeDeliveries(tx, scope, { leads, icpOnly, endpointDisabled: disabledAt !== null, generation })
  const takenLeads = taken.map(({ leadId }) => leadId)
  await setWebhookStatus(tx, { teamId, leadIds: takenLeads, status: 'pending' })
  if (pushId !== null) await addToPush(tx, { teamId, pushId }, { taken, excluded })
  if (taken.length > 0) tx.enqueue('delivery', teamId)
  return { queued: taken.length, excluded }
}

/** Queues named leads, whether they match the source's ICP criteria or not; queues nothing when the URL is gone. */
export async function pushLeads(
  tx: Tx,
  { agentId, ...scope }: Scope & { readonly agentId?: string },
): Promise<{ considered: number; queued: number; excluded: number }> {
  const considered = await countConsidered(tx.db, scope)
  const queued = await queueLeads(tx, scope, { icpOnly: false, pushId: null, agentId })
  return { considered, ...(queued === 'no_webhook' ? { queued: 0, excluded: 0 } : queued) }
}

type PushRow = {
  team_id: string
  id: string
  owner_id: string
  icp_only: boolean
  created_at: Date
  cursor_at: Date | null
  cursor_id: string | null
  fence: number
  unexpected_failures: number
}

async function nextLeads(db: Reader, push: PushRow, limit: number): Promise<{ id: string; at: Date }[]> {
  const behind =
    push.cursor_at === null
      ? sql`true`
      : sql`(l.created_at, l.id) > (${push.cursor_at}::timestamptz, ${push.cursor_id}::uuid)`
  return queryAll<{ id: string; at: Date }>(db)`
    select l.id, l.created_at as at from lead l
    where l.team_id = ${push.team_id} and l.owner_id = ${push.owner_id} and l.enrichment <> 'raw'
      and l.created_at <= ${push.created_at} and ${behind}
    order by l.created_at, l.id limit ${limit}`
}

type QueueingDeps = Omit<WorkDeps, 'db'> & { readonly batch?: number }

const defaultBatch = 2_000

async function queueNext(tx: Tx, push: PushRow, limit: number): Promise<void> {
  const [teamId, ownerId] = [push.team_id, push.owner_id]
  const isServed = (await findServedSource(tx.db, teamId, { id: ownerId })) !== undefined
  const leads = isServed ? await nextLeads(tx.db, push, limit) : []
  const scope: Scope = { teamId, ownerId, leadIds: leads.map(({ id }) => id) }
  const queued = await queueLeads(tx, scope, { pushId: push.id, icpOnly: push.icp_only })
  const last = leads.at(-1)
  await endLease(
    tx,
    pushRows,
    { teamId, id: push.id },
    sql`, unexpected_failures = 0, due_at = null, looked = looked + ${leads.length}::integer,
      queueing = ${queued !== 'no_webhook' && leads.length === limit},
      cursor_at = ${last?.at ?? push.cursor_at}::timestamptz, cursor_id = ${last?.id ?? push.cursor_id}::uuid`,
  )
}

/** Queues one batch of a push; `idle` when none is being queued. `batch` replaces the batch size in tests. */
export function queueingStep(deps: QueueingDeps): () => Promise<'worked' | 'idle'> {
  return () =>
    deps.unitOfWork(async (tx) => {
      const push = await claimOne<PushRow>(tx, pushRows, leaseOf(deps.processId, deps.system.nowMs()))
      if (!push) return 'idle'
      addLogContext({ teamId: push.team_id, ownerId: push.owner_id, pushId: push.id })
      noteTaskContext(tx, pushRows, push)
      await queueNext(tx, push, deps.batch ?? defaultBatch)
      await deps.faultPoint('push.queued')
      return 'worked'
    })
}

export const pushWork = defineWork({
  kind: 'push',
  rows: [pushRows],
  step: queueingStep,
  // A push is retried for ever: its answer promised that all its leads would be sent.
  unexpected: { push: (tx, work, dueAt) => rescheduleForEver(tx, pushRows, work, dueAt) },
})
