import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { flag, integer } from '../values/index.ts'

const operation = operationsOf('privacy')

/** In days. */
const keepLeadsBounds = { least: 30, most: 3_650 } as const

const daysMessage = `must be a whole number from ${keepLeadsBounds.least} to ${keepLeadsBounds.most} days, or null for while the team is there`
const days = z.int({ error: daysMessage }).min(keepLeadsBounds.least).max(keepLeadsBounds.most).nullable()

const retention = z.object({ keepLeadsDays: integer.nullable(), keepUnfitDays: integer.nullable() })

export const privacyRetentionOperations = [
  operation('getRetention', 'GET /privacy/retention', {
    summary: 'Read how long leads are kept',
    description: 'Days since capture; null: as long as the team exists. Free.',
    success: retention,
  }),
  operation('updateRetention', 'PUT /privacy/retention', {
    summary: 'Set how long leads are kept',
    description:
      'A partial update: omitted fields stay unchanged. Once a day, older leads are permanently deleted, with ' +
      'what is known about their people, their deliveries and their scores. The ledger is kept, and later syncs ' +
      'neither capture nor charge these leads again. With dryRun: true, nothing is saved and the response ' +
      'counts what would be deleted now. Free.',
    body: z
      .object({
        keepLeadsDays: days.optional(),
        keepUnfitDays: days.optional(),
        dryRun: flag.optional().describe('True: only count what would be deleted.'),
      })
      .superRefine((body, context) => {
        if (body.keepLeadsDays === undefined && body.keepUnfitDays === undefined)
          context.addIssue({ code: 'custom', path: [], message: 'needs `keepLeadsDays` or `keepUnfitDays`' })
      }),
    strictBody: true,
    success: z.union([
      z.object({
        dryRun: z.literal(true).describe('True: nothing was saved.'),
        counts: z
          .object({
            leads: integer.describe('Leads that would be deleted.'),
            people: integer.describe('People who would have no lead left.'),
            deliveries: integer.describe('Deliveries of these leads.'),
          })
          .describe('What would be deleted now.'),
      }),
      retention,
    ]),
    errors: ['unknown_field'],
    example: { keepLeadsDays: 365, keepUnfitDays: 90 },
  }),
] as const
