import { z } from 'zod'
import { integer, isoDateTime, named, uuid } from '../values/index.ts'

const queueing = z
  .object({
    looked: integer.describe('Leads checked so far.'),
    considered: integer.describe('Leads to check in total.'),
  })
  .optional()
  .describe(
    'Present only while leads are still being queued in the background, as for a source with more than 5,000 leads.',
  )

/** The answer to starting a push (G50). */
export const startedPush = named('StartedPush', {
  pushId: uuid,
  sourceId: uuid,
  queued: integer.describe(
    'Leads queued by this push so far. Does not include leads that were already sent or on their way.',
  ),
  considered: integer.describe('Captured leads that were or will be checked.'),
  excluded: integer.describe('Considered leads left out because they are excluded, counted so far.'),
  queueing,
})

/** Progress of a push (G51, G52). */
export const push = named('Push', {
  pushId: uuid,
  sourceId: uuid.describe('The source; for a push to a destination, the destination.'),
  destinationId: uuid.optional().describe('Present only for a push to a destination.'),
  counts: z.object({
    pending: integer,
    sending: integer,
    delivered: integer,
    failed: integer.describe('Given up, or not sent because the source was untracked or its URL was cleared first.'),
    held: integer.describe('Waiting for enrichment, or until a disabled endpoint is set again.'),
    excluded: integer.describe('Not sent because they were excluded after being queued.'),
  }),
  total: integer,
  excluded: integer.describe('Leads not queued because they were already excluded; not counted in total.'),
  finished: z.boolean().describe('True when nothing is pending, sending or still to be queued.'),
  createdAt: isoDateTime,
  queueing,
})
