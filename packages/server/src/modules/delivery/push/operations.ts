/** Handlers of `POST …/push` and `GET /push/{pushId}` (specification «Events» 1..4; G50..G52; WHK-17, WHK-18, WHK-21..WHK-26). */
import type { Answer, OperationOf } from '@les/contract'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import type { Handlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { countLeadsOf } from '../../leads/index.ts'
import { findServedSource } from '../../sources/index.ts'
import { queueLeads, smallPush } from './queueing.ts'
import { findPush } from './progress.ts'
import { countConsidered, insertPush, type Scope } from './store.ts'
import { findWebhook } from '../settings/store.ts'

/** `small` replaces `smallPush` in tests. */
type PushOperationDeps = { readonly faultPoint: FaultPointHook; readonly small?: number }

type SourceQuery = Parameters<typeof findServedSource>[2]
type Wanted = { readonly icpOnly?: boolean | undefined; readonly leadIds?: readonly string[] | undefined }

/** Queues a source's leads that have nothing sent or queued: within the request, or in the background when there are many. */
export async function startPush(
  tx: Tx,
  deps: PushOperationDeps,
  teamId: string,
  { which, wanted }: { readonly which: SourceQuery; readonly wanted: Wanted },
): Promise<Answer<OperationOf<'pushSource'>>> {
  const source = (await findServedSource(tx.db, teamId, which)) ?? refuse('not_tracked')
  const before = await findWebhook(tx.db, teamId, source.id)
  if (before?.url == null) refuse('no_webhook')
  const icpOnly = wanted.icpOnly ?? before.icpOnly
  const scope: Scope = { teamId, ownerId: source.id, leadIds: wanted.leadIds ?? null }
  const leads = scope.leadIds === null ? await countLeadsOf(tx.db, scope) : 0
  const isSmall = leads <= (deps.small ?? smallPush)
  const considered = isSmall ? await countConsidered(tx.db, scope) : leads
  const pushId = await insertPush(tx, scope, { icpOnly, considered, queueing: !isSmall })
  const answer = { pushId, sourceId: source.id, considered }
  if (!isSmall) {
    tx.enqueue('push', teamId)
    return { ...answer, queued: 0, excluded: 0, queueing: { looked: 0, considered } }
  }
  const queued = await queueLeads(tx, scope, { pushId, icpOnly })
  if (queued === 'no_webhook') return refuse('no_webhook')
  await deps.faultPoint('push.queued')
  return { ...answer, ...queued }
}

type Context = Parameters<Handlers<'pushSource'>['pushSource']>[1]

/** Makes the handlers. */
export function pushOperations(deps: PushOperationDeps) {
  const push = ({ caller: { teamId }, unitOfWork }: Context, which: SourceQuery, wanted: Wanted) =>
    unitOfWork((tx) => startPush(tx, deps, teamId, { which, wanted }))
  return {
    pushProfile: (input, context) => push(context, { type: 'person', username: input.username }, input),
    pushCompany: (input, context) => push(context, { type: 'company', username: input.username }, input),
    pushKeyword: (input, context) => push(context, { type: 'keyword', id: input.id }, input),
    pushSource: (input, context) => push(context, { id: input.id }, input),
    getPush: async (input, { caller, db }) => {
      const push = input.pushId === null ? undefined : await findPush(db, caller.teamId, input.pushId)
      if (!push) return refuse('not_found', {}, 'No such push')
      const counts = { pending: 0, sending: 0, delivered: 0, failed: 0, held: 0, excluded: 0, ...push.counts }
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        pushId: push.id,
        sourceId: push.ownerId,
        ...(push.isOfDestination ? { destinationId: push.ownerId } : {}),
        counts,
        total,
        excluded: push.excluded,
        finished: counts.pending + counts.sending === 0 && push.queueing === null,
        createdAt: push.createdAt,
        ...(push.queueing ? { queueing: push.queueing } : {}),
      }
    },
  } satisfies Partial<Handlers>
}
