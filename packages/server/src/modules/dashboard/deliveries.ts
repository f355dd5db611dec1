/** Handlers of the webhook pages: endpoints, the log of deliveries, and sending again. */
import { pageOf, readCursor } from '../../platform/keyset.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { previewDestinationPush, replayDeliveries, replayDelivery } from '../delivery/index.ts'
import {
  findDeliveryRow,
  listAttemptRows,
  listDeliveryRows,
  listEndpointRows,
  type DeliveryRow,
} from './delivery-store.ts'

const instant = (at: Date | null) => at?.toISOString() ?? null

const presentDelivery = ({ dueAt, createdAt, finishedAt, ...delivery }: DeliveryRow) => ({
  ...delivery,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: delivery.state === 'pending' ? dueAt.toISOString() : null,
  finishedAt: instant(finishedAt),
})

const noDelivery = () => refuse('not_found', {}, 'No such delivery')
const found = async (db: Reader, teamId: string, id: string | null) =>
  (id === null ? undefined : await findDeliveryRow(db, teamId, id)) ?? noDelivery()

/** What was sent, as the log shows it; of an erasure the hash of the person alone. */
const payloadOf = (event: string, { body, subject }: { readonly body: Buffer | null; readonly subject: string }) =>
  event === 'person.erased' ? JSON.stringify({ event, subjectHash: subject }) : (body?.toString('utf8') ?? null)

/** What these handlers answer. */
type DeliveryDashboardId =
  | 'listEndpoints'
  | 'listDeliveries'
  | 'getDelivery'
  | 'replayDelivery'
  | 'replayDeliveries'
  | 'previewDestinationPush'

export const deliveryLogOperations: SessionHandlers<DeliveryDashboardId> = {
  previewDestinationPush: async ({ id }, { caller, db }) =>
    (await previewDestinationPush(db, caller.teamId, id)) ?? refuse('not_found', {}, 'No such destination'),

  listEndpoints: async (_input, { caller, db, now }) => {
    const rows = await listEndpointRows(db, caller.teamId, now)
    return {
      endpoints: rows.map(
        ({ sent, waiting, failed, held, urlSetAt, failingSince, disabledAt, lastSentAt, ...rest }) => ({
          ...rest,
          urlSetAt: instant(urlSetAt),
          failingSince: instant(failingSince),
          disabledAt: instant(disabledAt),
          counts: { sent, waiting, failed, held },
          lastSentAt: instant(lastSentAt),
        }),
      ),
    }
  },

  listDeliveries: async ({ cursor, limit, ...filter }, { caller, db }) => {
    const { rows, nextCursor } = pageOf(
      await listDeliveryRows(db, {
        teamId: caller.teamId,
        filter,
        before: readCursor(cursor)?.id ?? null,
        limit: limit + 1,
      }),
      limit,
      ({ createdAt, id }) => ({ at: createdAt, id }),
    )
    return { deliveries: rows.map(presentDelivery), nextCursor }
  },

  getDelivery: async ({ id }, { caller, db }) => {
    const { url, body, subject, ...delivery } = await found(db, caller.teamId, id)
    const attempts = await listAttemptRows(db, caller.teamId, delivery.id)
    return {
      delivery: { ...presentDelivery(delivery), url },
      payload: payloadOf(delivery.event, { body, subject }),
      attempts: attempts.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })),
    }
  },

  replayDelivery: ({ id }, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      if (id === null) return noDelivery()
      await replayDelivery(tx, caller.teamId, id)
      const { url: _url, body: _body, subject: _subject, ...delivery } = await found(tx.db, caller.teamId, id)
      return { delivery: presentDelivery(delivery) }
    }),

  replayDeliveries: ({ ownerId, states, since, after }, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      const { replayed, next } = await replayDeliveries(tx, {
        teamId: caller.teamId,
        ownerId,
        states: [...new Set(states)],
        since: new Date(since),
        after: after ?? null,
      })
      return { replayed, more: next !== null, next }
    }),
}
