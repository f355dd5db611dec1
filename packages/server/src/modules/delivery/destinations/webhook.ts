/**
 * The kind `webhook` (DST-13): the signed events of all sources of a team to one address. It has no platform to ask: its deliveries stand in
 * the table `delivery` and are sent by the loop of webhooks, and this is what differs from a kind with an adapter.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { DestinationAdapter } from '../../../providers/destinations/port.ts'
import { isUnderWay } from '../deliveries.ts'
import { addToPush, takeDeliveries } from '../push/store.ts'
import { sendAgain } from '../replay.ts'
import { lockWebhooks } from '../settings/store.ts'
import type { SampleSent } from '../troubleshoot.ts'
import { changeReceiver, dropReceiver, insertReceiver } from '../team-wide/receivers.ts'
import { stateShown, type DeliveryRow } from './present.ts'
import { listPushable, type Asked } from './queue.ts'
import type { DeliveryState } from './schema.ts'
import type { Destination } from './store.ts'

/** What requests ask of every kind, whether it has an adapter or not. */
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

/** The kind as requests check it. Nothing is sent: whether somebody is there is found out by a sample. */
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

const urlOf = ({ settings: { url } }: Pick<Destination, 'settings'>): string => url as string

/** Makes the row that its deliveries are sent by. */
export const makeWebhook = (
  tx: Tx,
  { teamId, id, settings: of, active }: Pick<Destination, 'teamId' | 'id' | 'settings' | 'active'>,
): Promise<void> =>
  insertReceiver(tx, {
    teamId,
    ownerId: id,
    kind: 'destination',
    url: urlOf({ settings: of }),
    events: null,
    secret: null,
    isPaused: !active,
  })

/** The same after a change of a locked destination; `resumed` sends what waited while it was paused, or its address was gone. */
export const changeWebhook = (
  tx: Tx,
  { teamId, id, settings: of, active }: Pick<Destination, 'teamId' | 'id' | 'settings' | 'active'>,
  resumed: boolean,
): Promise<void> =>
  changeReceiver(tx, { teamId, ownerId: id, url: urlOf({ settings: of }), isPaused: !active, resumed })

/** Takes it away: what waits goes nowhere. */
export const dropWebhook = (tx: Tx, { teamId, id }: Pick<Destination, 'teamId' | 'id'>): Promise<void> =>
  dropReceiver(tx, { teamId, ownerId: id })

/** Queues what is asked for, may go and has neither gone nor is on its way; answers how many. */
export async function pushToWebhook(
  tx: Tx,
  destination: Destination,
  asked: Asked & { readonly pushId: string },
): Promise<number> {
  const { teamId, id } = destination
  const pushable = await listPushable(tx.db, destination, asked)
  const webhook = (await lockWebhooks(tx, teamId, [id])).get(id)!
  const taken = await takeDeliveries(tx, {
    scope: { teamId, ownerId: id, leadIds: null },
    leads: pushable.map((lead) => ({ ...lead, ready: true, status: 'pending', excluded: false })),
    how: { icpOnly: false, endpointDisabled: webhook.disabledAt !== null, generation: webhook.generation },
  })
  await addToPush(tx, teamId, { pushId: asked.pushId, deliveryIds: taken.map((one) => one.id) })
  if (taken.length > 0) tx.enqueue('delivery', teamId)
  return taken.length
}

/** Sends again what was refused, or left out because its person was excluded then. */
export const retryOfWebhook = (
  tx: Tx,
  { teamId, id, deliveryId, leadId }: { teamId: string; id: string; deliveryId: string; leadId: string | null },
): Promise<number> =>
  sendAgain(tx, {
    teamId,
    ownerId: id,
    deliveries: [{ id: deliveryId, leadId }],
    states: ['failed', 'cancelled', 'excluded'],
  })

const statesOf: Readonly<Partial<Record<DeliveryState, readonly string[]>>> = {
  delivered: ['sent'],
  waiting: ['pending', 'held'],
  refused: ['failed', 'cancelled'],
  excluded: ['excluded'],
}

const shown = sql`d.id, d.lead_id as "leadId", p.id as "personId", ${stateShown} as state, d.attempts,
  null as "remoteId", null as "remoteUrl",
  case when d.state <> 'sent' and a.outcome is not null and not ${isUnderWay} then jsonb_build_object('code', a.outcome, 'message',
    case when a.status is null then 'The receiver did not answer.' else 'The receiver answered ' || a.status || '.' end) end as error,
  coalesce(d.finished_at, a.at, d.created_at) as at`
const joined = sql`left join lead l on l.team_id = d.team_id and l.id = d.lead_id
  left join person p on p.team_id = l.team_id and p.urn = l.person_urn
  left join lateral (select status, outcome, at from delivery_attempt
    where team_id = d.team_id and delivery_id = d.id order by number desc limit 1) a on true`

type Of = { readonly teamId: string; readonly id: string }

/** Deliveries to a webhook, newest first, one more than asked when there is more, and how many there are. */
export async function pageOfWebhook(
  db: Reader,
  { teamId, id }: Of,
  {
    state,
    limit,
    offset,
  }: { readonly state?: DeliveryState | undefined; readonly limit: number; readonly offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const which = sql`d.team_id = ${teamId} and d.owner_id = ${id}
    and ${state === undefined ? sql`true` : sql`d.state = any(${[...(statesOf[state] ?? [])]}::text[])`}`
  const { rows } = await sql<DeliveryRow>`
    select ${shown} from (select * from delivery d where ${which} order by d.id desc limit ${limit + 1} offset ${offset}) d
    ${joined} order by d.id desc`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from delivery d where ${which}`.execute(db)
  return { rows, total: counted[0]!.total }
}

/** One of them; undefined when there is none. */
export async function findOfWebhook(
  db: Reader,
  { teamId, id, deliveryId }: Of & { readonly deliveryId: string },
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${shown} from delivery d ${joined}
    where d.team_id = ${teamId} and d.owner_id = ${id} and d.id = ${deliveryId}`.execute(db)
  return rows[0]
}

/** What a receiver made of a sample, as tests of destinations say it. */
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
