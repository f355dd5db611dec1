import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'

/** How far the leads of a push are queued, while that goes on in the background. */
const queueing = z
  .object({
    looked: z.number().int().meta({ description: 'Leads that were looked at so far.' }),
    considered: z.number().int().meta({ description: 'Leads that will have been looked at in the end.' }),
  })
  .optional()
  .meta({
    description:
      'Only while leads are still being queued in the background, as those of a source with more than 5,000 are.',
  })

/** The answer to a push (G50). */
export const startedPush = z
  .object({
    pushId: uuid,
    sourceId: uuid,
    queued: z.number().int().meta({
      description:
        'Leads that this push sends, as far as they are queued; those sent or on their way before are not among them.',
    }),
    considered: z.number().int().meta({ description: 'Captured leads that were looked at, or will be.' }),
    queueing,
  })
  .meta({ id: 'StartedPush' })

/** How far a push has come (G51, G52). */
export const push = z
  .object({
    pushId: uuid,
    sourceId: uuid,
    counts: z.object({
      pending: z.number().int(),
      sending: z.number().int(),
      delivered: z.number().int(),
      failed: z
        .number()
        .int()
        .meta({ description: 'Given up, or the source was untracked or its URL cleared before they went.' }),
      held: z
        .number()
        .int()
        .meta({ description: 'Waiting for enrichment, or for a disabled endpoint to be set again.' }),
    }),
    total: z.number().int(),
    finished: z.boolean().meta({ description: 'Nothing is pending, sending or still to be queued.' }),
    createdAt: isoDateTime,
    queueing,
  })
  .meta({ id: 'Push' })
