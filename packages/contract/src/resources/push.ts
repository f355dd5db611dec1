import { z } from 'zod'
import { integer, isoDateTime, named, uuid } from '../values/index.ts'

const queueing = z
  .object({
    looked: integer.describe('Leads that were looked at so far.'),
    considered: integer.describe('Leads that will have been looked at in the end.'),
  })
  .optional()
  .describe('Only while leads are still being queued in the background, as those of a source with more than 5,000 are.')

/** The answer to starting a push (G50). */
export const startedPush = named('StartedPush', {
  pushId: uuid,
  sourceId: uuid,
  queued: integer.describe(
    'Leads that this push sends, as far as they are queued; those sent or on their way before are not among them.',
  ),
  considered: integer.describe('Captured leads that were looked at, or will be.'),
  excluded: integer.describe(
    'Of those considered, how many were left out because they are excluded, as far as they were looked at.',
  ),
  queueing,
})

/** Progress of a push (G51, G52). */
export const push = named('Push', {
  pushId: uuid,
  sourceId: uuid.describe('The source; of a push to a destination, the destination.'),
  destinationId: uuid.optional().describe('Only of a push to a destination.'),
  counts: z.object({
    pending: integer,
    sending: integer,
    delivered: integer,
    failed: integer.describe('Given up, or the source was untracked or its URL cleared before they went.'),
    held: integer.describe('Waiting for enrichment, or for a disabled endpoint to be set again.'),
    excluded: integer.describe('Excluded after they were queued, so that they were not sent.'),
  }),
  total: integer,
  excluded: integer.describe('Leads that were not queued because they were excluded already; not in total.'),
  finished: z.boolean().describe('Nothing is pending, sending or still to be queued.'),
  createdAt: isoDateTime,
  queueing,
})
