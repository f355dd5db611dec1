/** The kind `webhook` (DST-13): signed events of all sources of a team to one address, sent by the webhook loop. */
import { z } from 'zod'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import type { DestinationAdapter } from '../../../providers/destinations/port.ts'
import { addToPush, takeDeliveries } from '../push/store.ts'
import { sendAgain } from '../replay.ts'
import { lockWebhooks } from '../settings/store.ts'
import type { SampleSent } from '../troubleshoot.ts'
import { releaseHeld } from '../waiting.ts'
import { changeReceiver, type NewReceiver } from '../team-wide/receivers.ts'
import { listPushable, type LeadSelection } from './queue.ts'
import type { Destination } from './store.ts'

/** What requests need of every kind, with or without an adapter. */
export type Checked = Pick<
  DestinationAdapter,
  'settings' | 'credentials' | 'hint' | 'check' | 'prepare' | 'fields' | 'customerAddress'
>

type WebhookSettings = { readonly url: string }

const maxUrl = 2_000
const settings = z.strictObject(
  {
    url: z
      .string({ error: 'must be a public https URL' })
      .max(maxUrl, { error: `must have at most ${maxUrl} characters` }),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? 'a webhook takes `url`' : undefined) },
)
const credentials = z.strictObject(
  {},
  { error: (issue) => (issue.code === 'unrecognized_keys' ? 'a webhook takes no credentials' : undefined) },
)

/** The kind as requests check it. The check sends nothing; a sample shows whether anybody answers. */
export const webhookKind: Checked = {
  settings,
  credentials,
  hint: () => '',
  check: async (_parts, connection) => ({
    account: new URL((connection.settings as WebhookSettings).url).host,
    scopes: [],
    missing: [],
    findings: [],
  }),
  prepare: async () => {},
  fields: async () => [],
  customerAddress: (given) => (given as WebhookSettings).url,
}

type WebhookDestination = Pick<Destination, 'teamId' | 'id' | 'settings' | 'active'>

/** The receiver (a row of `webhook`) of such a destination. */
export const receiverOf = ({ teamId, id, settings: of, active }: WebhookDestination): NewReceiver => ({
  teamId,
  ownerId: id,
  kind: 'destination',
  url: (of as WebhookSettings).url,
  events: null,
  secret: null,
  isPaused: !active,
})

/** Applies a change of a locked destination; `resumed` releases what was held while paused or disabled. */
export async function changeWebhook(tx: Tx, changed: WebhookDestination, resumed: boolean): Promise<void> {
  await changeReceiver(tx, { ...receiverOf(changed), resumed })
  if (!resumed) return
  await releaseHeld(tx, { teamId: changed.teamId, ownerIds: [changed.id] })
  tx.enqueue('delivery', changed.teamId)
}

/** Queues the leads asked for that may go and were neither sent nor queued. Returns how many. */
export async function pushToWebhook(
  tx: Tx,
  destination: Destination,
  asked: LeadSelection & { readonly pushId: string },
): Promise<number> {
  const { teamId, id } = destination
  const pushable = await listPushable(tx.db, destination, asked)
  const webhook = (await lockWebhooks(tx, teamId, [id])).get(id)!
  const { disabledAt, generation } = webhook
  const leads = pushable.map((lead) => ({ ...lead, ready: true, status: 'pending' as const, excluded: false }))
  const how = { icpOnly: false, endpointDisabled: disabledAt !== null, generation }
  const taken = await takeDeliveries(tx, { teamId, ownerId: id }, { leads, ...how })
  await addToPush(tx, { teamId, pushId: asked.pushId }, { taken, excluded: 0 })
  if (taken.length > 0) tx.enqueue('delivery', teamId)
  return taken.length
}

/** Sends a refused, cancelled or excluded delivery again. */
export const retryOfWebhook = (
  tx: Tx,
  { teamId, id: ownerId }: Pick<Destination, 'teamId' | 'id'>,
  delivery: { readonly id: string; readonly leadId: string | null },
): Promise<number> =>
  sendAgain(tx, { teamId, ownerId, deliveries: [delivery], states: ['failed', 'cancelled', 'excluded'] })

/** The result of a sample as tests of destinations answer it. */
export function presentSample({ delivered, status, reason }: SampleSent) {
  const message =
    status === null
      ? `The receiver did not answer: ${reason ?? 'nobody knows why'}.`
      : `The receiver answered ${status}.`
  return {
    delivered,
    remoteId: null,
    remoteUrl: null,
    error: delivered ? null : { code: reason ?? 'bad_status', message },
  }
}
