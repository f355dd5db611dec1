/** Handlers of the webhook pages: endpoints, the log of deliveries, and replays. */
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
  type WholeDelivery,
} from './delivery-store.ts'

const noDelivery = () => refuse('not_found', {}, 'No such delivery')
const findRow = async (db: Reader, teamId: string, id: string | null) =>
  (id === null ? undefined : await findDeliveryRow(db, teamId, id)) ?? noDelivery()

/** The body for the log; for an erasure only the hash of the person. */
const payloadOf = ({ event, body, subject }: WholeDelivery) =>
  event === 'person.erased' ? JSON.stringify({ event, subjectHash: subject }) : (body?.toString('utf8') ?? null)

export const deliveryLogOperations = {
  previewDestinationPush: async ({ id }, { caller, db }) =>
    (await previewDestinationPush(db, caller.teamId, id)) ?? refuse('not_found', {}, 'No such destination'),

  listEndpoints: async (_input, { caller, db, now }) => ({ endpoints: await listEndpointRows(db, caller.teamId, now) }),

  listDeliveries: async ({ cursor, limit, ...filter }, { caller, db }) => {
    const asked = { teamId: caller.teamId, filter, before: readCursor(cursor)?.id ?? null, limit: limit + 1 }
    const found = await listDeliveryRows(db, asked)
    const { rows, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
    return { deliveries: [...rows], nextCursor }
  },

  getDelivery: async ({ id }, { caller, db }) => {
    const delivery = await findRow(db, caller.teamId, id)
    const attempts = await listAttemptRows(db, caller.teamId, delivery.id)
    return { delivery, payload: payloadOf(delivery), attempts }
  },

  replayDelivery: ({ id }, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      if (id === null) return noDelivery()
      await replayDelivery(tx, caller.teamId, id)
      return { delivery: await findRow(tx.db, caller.teamId, id) }
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
} satisfies Partial<SessionHandlers>
