import { z } from 'zod'
import { filterRow, integer, matchMode, named, uuid } from '../values/index.ts'
import { lead } from './lead.ts'
import { sourceType } from './common.ts'

const criteria = {
  rules: z.array(filterRow),
  matchMode: matchMode.describe('all: every rule must match; any: one is enough.'),
}
const owner = { sourceId: uuid, type: sourceType, username: z.string() }

/** Progress of judging a source's leads by saved criteria. */
export const rescoring = z.object({
  judged: integer.describe('Stored leads that were judged by the new criteria so far.'),
  leads: integer.describe('Leads of the source.'),
})

/** ICP criteria of a source (specification «ICP criteria», G56); without rules nobody is judged. */
export const icp = named('Icp', {
  ...owner,
  ...criteria,
  rescoring: rescoring
    .optional()
    .describe(
      'Only while stored leads are being judged again in the background: until then lists show the verdict of the ' +
        'criteria before. A push of ICP leads only goes by the new criteria already.',
    ),
})

export const savedIcp = icp
  .extend({
    rescored: integer.describe(
      'Leads that were judged again before this answer; those still being enriched are judged when that ends, ' +
        'and of a source with more than 5,000 leads the rest goes on in the background (`rescoring`).',
    ),
  })
  .meta({ id: 'SavedIcp' })

/** A dry run: nothing was saved, scored or sent. */
export const triedIcp = named('TriedIcp', {
  ...owner,
  dryRun: z.literal(true),
  counts: z.object({
    matching: integer,
    notMatching: integer,
    unjudged: integer
      .optional()
      .describe(
        'Only without rules: nobody is judged then, isIcp is null on all these leads and icpOnly restricts nothing.',
      ),
  }),
  sample: z.array(lead).describe('At most ten matching leads, newest first.'),
  icp: z.object(criteria).describe("The criteria that were judged by: this call's values over the stored ones."),
})
