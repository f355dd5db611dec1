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
  judged: integer.describe('Stored leads judged by the new criteria so far.'),
  leads: integer.describe('Leads of the source.'),
})

/** ICP criteria of a source (specification «ICP criteria», G56); without rules nobody is judged. */
export const icp = named('Icp', {
  ...owner,
  ...criteria,
  rescoring: rescoring
    .optional()
    .describe(
      'Present only while stored leads are judged again in the background. Until then, lists show the result of ' +
        'the previous criteria. A push of ICP leads only already uses the new criteria.',
    ),
})

export const savedIcp = icp
  .extend({
    rescored: integer.describe(
      'Leads judged again before this response. Leads still being enriched are judged when enrichment ends. For ' +
        'a source with more than 5,000 leads, the rest continues in the background (`rescoring`).',
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
        'Present only without rules. Then no lead is judged, isIcp is null on all these leads and icpOnly has no ' +
          'effect.',
      ),
  }),
  sample: z.array(lead).describe('At most ten matching leads, newest first.'),
  icp: z.object(criteria).describe('The criteria used: the values of this call, on top of the stored ones.'),
})
