/** The dashboard's webhook pages: endpoints, delivery log, replay, test event, signature debugger, and what outreach did. */
import { z } from 'zod'
import { eventNames } from '../events.ts'
import { deliveryState } from '../resources/common.ts'
import { idInPath, instant, integer, isoDateTime, textOrNull, uuid, choice } from '../values/index.ts'
import { cursorQuery, nextCursor, sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('deliveries')
const outreachOperation = sessionOperationsOf('outreach')

const eventName = z.enum(eventNames)

export const replayedStates = z
  .array(choice(['failed', 'held', 'sent']))
  .min(1, { error: 'must name at least one state' })
  .max(3)

export const deliveryRow = z.object({
  id: uuid,
  event: eventName,
  state: deliveryState,
  ownerId: uuid,
  ownerLabel: z.string(),
  leadId: uuid.nullable(),
  leadName: textOrNull,
  attempts: integer,
  lastStatus: integer.nullable(),
  lastOutcome: textOrNull,
  createdAt: isoDateTime,
  nextAttemptAt: isoDateTime.nullable(),
  finishedAt: isoDateTime.nullable(),
})

export const deliveryDashboardOperations = [
  operation('listEndpoints', 'GET /webhooks', {
    role: 'viewer',
    summary: 'List all webhook URLs of the team, with their state and last seven days',
    success: z.object({
      endpoints: z.array(
        z.object({
          ownerId: uuid,
          ownerKind: z.enum(['source', 'agent']),
          type: z.string(),
          label: z.string(),
          url: z.string(),
          icpOnly: z.boolean(),
          autoSend: z.boolean(),
          syncEvents: z.boolean(),
          urlSetAt: isoDateTime.nullable(),
          failingSince: isoDateTime.nullable(),
          disabledAt: isoDateTime.nullable(),
          disabledReason: textOrNull,
          counts: z.object({
            sent: integer,
            waiting: integer,
            failed: integer,
            held: integer,
          }),
          lastSentAt: isoDateTime.nullable(),
        }),
      ),
    }),
  }),
  operation('listDeliveries', 'GET /deliveries', {
    role: 'viewer',
    summary: 'List deliveries, newest first',
    query: z.object({
      state: z.enum(deliveryState.options, { error: 'must be a state of a delivery' }).optional(),
      event: z.enum(eventName.options, { error: 'must be the name of an event' }).optional(),
      ownerId: z.guid({ error: 'must be the id of a source or an agent' }).optional(),
      leadId: z.guid({ error: 'must be the id of a lead' }).optional(),
      leadIds: z
        .string()
        .max(740)
        .refine((text) => text.split(',').every((id) => z.guid().safeParse(id).success), {
          error: 'must be up to 20 ids of leads, with commas',
        })
        .optional(),
      ...cursorQuery,
    }),
    success: z.object({ deliveries: z.array(deliveryRow), nextCursor }),
  }),
  operation('getDelivery', 'GET /deliveries/{id}', {
    role: 'viewer',
    summary: 'Read a delivery with its payload and all attempts',
    params: z.object({ id: idInPath }),
    success: z.object({
      delivery: deliveryRow.extend({ url: textOrNull }),
      payload: textOrNull.describe('The signed and sent bytes, as text; null until they are created.'),
      attempts: z.array(
        z.object({
          number: integer,
          at: isoDateTime,
          status: integer.nullable(),
          outcome: z.string(),
          elapsedMs: integer,
          response: textOrNull,
        }),
      ),
    }),
    errors: ['not_found'],
  }),
  operation('replayDelivery', 'POST /deliveries/{id}/replay', {
    role: 'member',
    summary: 'Send a delivery again with the same bytes and id',
    params: z.object({ id: idInPath }),
    body: z.object({}),
    success: z.object({ delivery: deliveryRow }),
    errors: ['not_found', 'no_webhook', 'not_replayable'],
  }),
  operation('replayDeliveries', 'POST /deliveries/replay', {
    role: 'member',
    summary: 'Send again deliveries of a webhook that failed or were held, since a given time',
    body: z.object({
      ownerId: z.guid({ error: 'must be the id of a source or an agent' }),
      states: replayedStates,
      since: instant.describe('Only deliveries created at or after this time.'),
      after: z.guid({ error: 'must be the `next` of an answer' }).optional(),
    }),
    success: z.object({
      replayed: integer.describe('At most 10,000 per call.'),
      more: z.boolean(),
      next: uuid
        .nullable()
        .describe('Send it as `after` to continue after what this call checked; null when there is no more.'),
    }),
    errors: ['not_found', 'no_webhook'],
  }),
  operation('sendTestEvent', 'POST /webhooks/test', {
    role: 'member',
    summary: "Send a marked sample event to a source's webhook and return the response",
    body: z.object({ sourceId: z.guid({ error: 'must be the id of a source' }) }),
    success: z.object({
      id: z.string(),
      delivered: z.boolean(),
      status: integer.nullable(),
      reason: textOrNull,
      elapsedMs: integer,
      response: textOrNull,
    }),
    errors: ['not_tracked', 'no_webhook'],
  }),
  operation('debugSignature', 'POST /webhooks/verify', {
    role: 'member',
    summary: 'Check the signature of a received request and explain what is wrong',
    body: z.object({
      headers: z.string().max(20_000).describe('Headers as received, one per line.'),
      body: z.string().max(200_000),
      secret: z.string().max(200).optional().describe('A secret other than the team’s; never stored.'),
    }),
    success: z.object({ valid: z.boolean(), findings: z.array(z.object({ ok: z.boolean(), text: z.string() })) }),
  }),
  outreachOperation('listOutreachResults', 'GET /outreach/results', {
    role: 'viewer',
    summary: 'List what was sent to each campaign, and the automatic sending rules',
    success: z.object({
      campaigns: z.array(
        z.object({
          campaignId: z.string(),
          name: textOrNull,
          sent: integer,
          refused: integer,
          waiting: integer,
          unknown: integer.describe('Sent without a response; these people are looked up before they are sent again.'),
          lastSentAt: isoDateTime.nullable(),
        }),
      ),
      rules: z.array(
        z.object({
          ownerId: uuid,
          ownerKind: z.enum(['source', 'agent']),
          type: z.string(),
          label: z.string(),
          campaignId: z.string(),
          autoSend: z.boolean(),
          filters: integer,
          paused: textOrNull.describe('Why the rule is paused, as text.'),
          queued: integer,
        }),
      ),
    }),
  }),
  operation('previewDestinationPush', 'GET /destinations/{id}/push-preview', {
    role: 'viewer',
    summary: 'Preview what pushing everyone to a destination would send',
    params: z.object({ id: idInPath }),
    success: z.object({ queued: integer, considered: integer, excluded: integer }),
    errors: ['not_found'],
  }),
] as const
