/** Handlers of `POST …/push` and `GET /push/{pushId}` (specification «Events» 1..4; G50..G52; WHK-17, WHK-18, WHK-21..WHK-26). */
import type { Answer, OperationOf } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Handlers } from '../../platform/handler.ts'
import { refuse } from '../../platform/refusal.ts'
import { markPushed } from '../leads/index.ts'
import { findServedSource } from '../sources/index.ts'
import {
  claimDeliveries,
  countConsidered,
  findPush,
  insertPush,
  lockPushable,
  widenHeld,
  type Scope,
} from './push-store.ts'
import { findWebhook, shareWebhook } from './settings-store.ts'

/** The operations this module serves. */
export type PushOperationId = 'pushProfile' | 'pushCompany' | 'pushKeyword' | 'pushSource' | 'getPush'

type Which = Parameters<typeof findServedSource>[2]
type Wanted = { readonly icpOnly?: boolean | undefined; readonly leadIds?: readonly string[] | undefined }

/** Queues the captured leads of a source that have nothing sent or on its way; set-based, so that 100,000 are a few statements. */
async function startPush(
  tx: Tx,
  teamId: string,
  which: Which,
  wanted: Wanted,
  faultPoint: FaultPointHook,
): Promise<Answer<OperationOf<'pushSource'>>> {
  const source = (await findServedSource(tx.db, teamId, which)) ?? refuse('not_tracked')
  const before = await findWebhook(tx.db, teamId, source.id)
  if (before?.url == null) refuse('no_webhook')
  const icpOnly = wanted.icpOnly ?? before.icpOnly
  const scope: Scope = { teamId, ownerId: source.id, leadIds: wanted.leadIds ?? null }
  const considered = await countConsidered(tx.db, scope)
  const leads = await lockPushable(tx, scope, icpOnly)
  // Read again under a lock: a PUT that clears the URL or revives the endpoint comes wholly before or after.
  const webhook = await shareWebhook(tx, teamId, source.id)
  if (webhook?.url == null) return refuse('no_webhook')
  if (!icpOnly) await widenHeld(tx, scope)
  const claimed = await claimDeliveries(tx, scope, leads, { icpOnly, endpointDisabled: webhook.disabledAt !== null })
  await markPushed(
    tx,
    teamId,
    claimed.map((delivery) => delivery.leadId),
  )
  const pushId = await insertPush(tx, scope, {
    icpOnly,
    considered,
    deliveryIds: claimed.map((delivery) => delivery.id),
  })
  if (claimed.length > 0) tx.enqueue('delivery', teamId)
  await faultPoint('push.queued')
  return { pushId, sourceId: source.id, queued: claimed.length, considered }
}

/** Makes the handlers. */
export function pushOperations({ faultPoint }: { readonly faultPoint: FaultPointHook }): Handlers<PushOperationId> {
  return {
    pushProfile: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) => startPush(tx, caller.teamId, { type: 'person', username: input.username }, input, faultPoint)),
    pushCompany: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) =>
        startPush(tx, caller.teamId, { type: 'company', username: input.username }, input, faultPoint),
      ),
    pushKeyword: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) => startPush(tx, caller.teamId, { id: input.id, type: 'keyword' }, input, faultPoint)),
    pushSource: (input, { caller, unitOfWork }) =>
      unitOfWork((tx) => startPush(tx, caller.teamId, { id: input.id }, input, faultPoint)),
    getPush: async (input, { caller, db }) => {
      const push = input.pushId === null ? undefined : await findPush(db, caller.teamId, input.pushId)
      if (!push) return refuse('not_found', {}, 'No such push')
      const counts = { pending: 0, sending: 0, delivered: 0, failed: 0, held: 0, ...push.counts }
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        pushId: push.id,
        sourceId: push.ownerId,
        counts,
        total,
        finished: counts.pending + counts.sending === 0,
        createdAt: push.createdAt.toISOString(),
      }
    },
  }
}
