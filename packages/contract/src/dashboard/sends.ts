/** Sends started at the dashboard: a preview, a send that begins ten seconds later, and undoing it. */
import { z } from 'zod'
import { campaignErrors, sendBody } from '../operations/outreach.ts'
import { listFilters } from '../operations/leads.ts'
import { bounds, idInPath, instant, integer, isoDateTime, textOrNull, uuid, choice } from '../values/index.ts'
import { replayedStates } from './deliveries.ts'
import { sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('deliveries')

const id = (what: string) => z.guid({ error: `must be the id of ${what}` })
const manyIds = z.array(id('a lead'), { error: 'must be a list of 1 to 5000 ids of leads' }).min(1).max(5_000)

/** Which leads: by id (all of one source), a whole source, or all that match the list's filters. */
const chosenLeads = z.discriminatedUnion(
  'by',
  [
    z.strictObject({ by: z.literal('ids'), ids: manyIds }),
    z.strictObject({ by: z.literal('source'), sourceId: id('a source') }),
    z.strictObject({
      by: z.literal('filters'),
      filters: listFilters.describe('As in the query of GET /leads.'),
    }),
  ],
  { error: 'must say `by` ids, source or filters' },
)

const campaignId = sendBody.shape.campaignId
const send = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('push'),
      leads: chosenLeads,
      fit: choice(['webhook', 'fits', 'all'])
        .default('webhook')
        .describe('webhook: as each webhook is set; fits: only people who fit; all: everyone.'),
    }),
    z.strictObject({ kind: z.literal('agent'), agentId: id('an agent'), ids: manyIds.optional() }),
    z.strictObject({
      kind: z.literal('campaign'),
      campaignId,
      leads: chosenLeads,
      agentId: id('an agent').optional(),
    }),
    z.strictObject({ kind: z.literal('people'), campaignId, people: sendBody.shape.people.unwrap() }),
    z.strictObject({
      kind: z.literal('replay'),
      ownerId: id('a source or an agent'),
      states: replayedStates,
      since: instant,
    }),
    z.strictObject({ kind: z.literal('delivery'), deliveryId: id('a delivery') }),
  ],
  { error: 'must say a `kind`: push, agent, campaign, people, replay or delivery' },
)

/** Why a lead is sent or not; only the first three are sent. */
export const sendReason = z.enum([
  'now',
  'after_enrichment',
  'endpoint_off',
  'delivered',
  'on_the_way',
  'excluded',
  'not_fit',
  'raw',
  'no_source',
  'no_webhook',
  'untracked',
  'in_campaign',
  'undecided',
  'same_person',
  'not_enriched',
  'no_address',
  'gone',
])

export type SendReason = z.output<typeof sendReason>

const line = z.object({ reason: sendReason, count: integer })
const preview = z.object({
  total: integer.describe('Number of leads, people or deliveries checked.'),
  goes: integer.describe('Number to be sent; shown on the button.'),
  lines: z.array(line),
  groups: z
    .array(
      z.object({
        ownerId: uuid,
        label: textOrNull,
        type: z.string(),
        destination: textOrNull.describe('Host that receives the requests.'),
        goes: integer,
        lines: z.array(line),
      }),
    )
    .describe('By source, largest first; at most 100. Empty for campaigns.'),
  campaign: z.object({ id: z.string(), name: z.string() }).nullable(),
})

const planned = z.object({
  id: uuid,
  kind: z.enum(['push', 'agent', 'campaign', 'people', 'replay', 'delivery']),
  label: z.string().describe('Name of the target.'),
  goes: integer,
  state: z.enum(['planned', 'sending', 'done', 'failed', 'cancelled']),
  counts: z.object({
    sent: integer.describe('On the way to a webhook, or accepted by the campaign.'),
    already: integer.describe('Already there when processed.'),
    undecided: integer.describe('The platform did not confirm; looked up before they are sent again.'),
    failed: integer,
  }),
  failure: textOrNull,
  requestedBy: z.string(),
  createdAt: isoDateTime,
  startsAt: isoDateTime,
  finishedAt: isoDateTime.nullable(),
  pushIds: z.array(uuid),
})

const refusals = [
  'not_found',
  'agent_not_found',
  'no_webhook',
  'not_replayable',
  ...campaignErrors,
  'too_many_to_send',
] as const

export const sendDashboardOperations = [
  operation('previewSend', 'POST /sends/preview', {
    role: 'member',
    summary: 'Preview who would be sent, who is already there, and who is held back and why; changes nothing',
    body: z.object({ send }),
    largeBody: true,
    success: preview,
    errors: refusals,
  }),
  operation('planSend', 'POST /sends', {
    role: 'member',
    summary: 'Send a preview; sending starts ten seconds later and can be cancelled until then',
    body: z.object({
      send,
      goes: z
        .number({ error: 'must be the `goes` of the preview' })
        .int()
        .min(1, { error: 'must be at least 1: the preview has nothing to send' })
        .max(bounds.plannedSend),
    }),
    largeBody: true,
    status: 201,
    success: z.object({ send: planned }),
    errors: [...refusals, 'preview_outdated'],
  }),
  operation('cancelSend', 'POST /sends/{id}/cancel', {
    role: 'member',
    summary: 'Cancel a send that has not started',
    params: z.object({ id: idInPath }),
    body: z.object({}),
    success: z.object({ send: planned }),
    errors: ['not_found', 'send_begun'],
  }),
  operation('listSends', 'GET /sends', {
    role: 'viewer',
    summary: 'List sends that people started in the last day, newest first; at most 20',
    success: z.object({ sends: z.array(planned), now: isoDateTime }),
  }),
] as const
