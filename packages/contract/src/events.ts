/** Events sent to webhooks: payloads and headers (specification «Events», «Authentication» 6; G47, G48). */
import { z } from 'zod'
import examples from './event-examples.json' with { type: 'json' }
import { agentSignal, lead, sourcePost, sourceType } from './resources/index.ts'
import { integer, isoDateTime, named, textOrNull, uuid } from './values/index.ts'

export const deliveryHeaders = {
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  standardId: 'webhook-id',
  standardTimestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
} as const

/** How far, in seconds, a delivery's timestamp may differ from the receiver's clock. */
export const timestampToleranceSeconds = 300

const common = {
  id: uuid.describe('Stays the same for this event, subject and destination over all attempts.'),
  sentAt: isoDateTime.describe('When the event was created; the same in every attempt.'),
  source: z.object({ id: uuid, type: sourceType, username: z.string() }),
  sample: z
    .literal(true)
    .optional()
    .describe('Present only on a test event, which is invented and describes no real person.'),
}

const syncEnding = named('SyncEnding', {
  syncId: uuid,
  state: z.enum(['completed', 'failed']),
  stoppedBy: textOrNull.describe(
    'Same as capture.stoppedBy in the sync status, null on a failed run; for a keyword search same as ' +
      'lastRun.stoppedBy.',
  ),
  creditsSpent: integer,
  leadRowsCaptured: integer,
  finishedAt: isoDateTime,
  errorCode: textOrNull,
  error: z.string().optional().describe('Error message; absent when there was no error.'),
})

/** An agent's lead also carries the agent's verdict (G48). */
const detectedLead = lead
  .extend({
    icp: integer.nullable().optional().describe("Leads of an agent: the person's ICP %."),
    signal: agentSignal.nullable().optional().describe('Leads of an agent: strength of the engagement signal.'),
  })
  .meta({ id: 'DetectedLead' })

export const leadDetected = z
  .object({ event: z.literal('lead.detected'), ...common, lead: detectedLead })
  .meta({ id: 'LeadDetectedEvent' })
/** `post.detected`: a posts-only watch has found a new post. */
export const postDetected = z
  .object({ event: z.literal('post.detected'), ...common, post: sourcePost })
  .meta({ id: 'PostDetectedEvent' })
export const syncCompleted = z
  .object({ event: z.literal('sync.completed'), ...common, sync: syncEnding })
  .meta({ id: 'SyncCompletedEvent' })
export const syncFailed = z
  .object({ event: z.literal('sync.failed'), ...common, sync: syncEnding })
  .meta({ id: 'SyncFailedEvent' })

/** `person.erased`: a person this receiver was sent data about was erased; sent whatever the webhook's settings are. */
export const personErased = z
  .object({
    event: z.literal('person.erased'),
    id: common.id,
    sentAt: common.sentAt,
    sample: common.sample,
    person: z.object({
      linkedinUrl: textOrNull.describe("Profile URL, to find the person's data by."),
      externalKeys: z
        .array(z.string())
        .describe('Identifiers this receiver was sent for the person: ids of leads, and URNs of their posts.'),
    }),
  })
  .meta({ id: 'PersonErasedEvent' })

export const events = {
  'lead.detected': leadDetected,
  'post.detected': postDetected,
  'sync.completed': syncCompleted,
  'sync.failed': syncFailed,
  'person.erased': personErased,
} as const

export type EventName = keyof typeof events

export const eventNames = Object.keys(events) as readonly EventName[]

export const eventExamples = examples as unknown as { readonly [E in EventName]: z.input<(typeof events)[E]> }
