/** Tag `sources`: pushing captured leads to the webhook (specification «Events»; G50..G52). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { push, startedPush } from '../resources/index.ts'
import { bounds, flag, idInPath } from '../values/index.ts'
import { byCompany, byPerson, bySource, type Family } from './families.ts'

const message = `must be a list of at most ${bounds.pushLeadIds} lead ids`

/** Ids of leads in a body, lower case. */
export const leadIds = z
  .array(
    z.uuid({ error: 'must be the id of a lead, a uuid' }).transform((id) => id.toLowerCase()),
    { error: message },
  )
  .max(bounds.pushLeadIds)
  .meta({ openapi: { type: 'array', maxItems: bounds.pushLeadIds, items: { type: 'string', format: 'uuid' } } })

/** `POST …/push` of one kind. */
export const pushOf = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `POST ${family.path}/push`, {
    tag: 'sources',
    summary: `Push captured leads of a ${family.noun} to its webhook`,
    description:
      'Sends what was captured before, and what failed; a lead sent or on its way is never sent again. ' +
      'Leads still being enriched are held until that ends. Raw leads are never sent.',
    params: family.params,
    body: z.object({
      icpOnly: flag
        .optional()
        .describe("Only leads that match the ICP criteria, besides failed ones; default: the webhook's own setting."),
      leadIds: leadIds.optional().describe('Only these leads; absent: all of the source.'),
    }),
    largeBody: true,
    success: startedPush,
    errors: ['not_tracked', 'no_webhook'],
    example: {},
  })

const getPush = operation('getPush', 'GET /push/{pushId}', {
  tag: 'sources',
  summary: 'Read how far a push has come',
  description: 'Poll until finished; held leads may go later.',
  params: z.object({ pushId: idInPath }),
  success: push,
  errors: ['not_found'],
})

/** The operations about pushes. */
export const pushOperations = [
  pushOf('pushProfile', byPerson),
  pushOf('pushCompany', byCompany),
  pushOf('pushSource', bySource),
  getPush,
] as const
