import { z } from 'zod'
import { eventNames } from '../events.ts'
import { operationsOf } from '../operation.ts'
import { deliveryState, paging } from '../resources/index.ts'
import { choice, idInPath, integer, isoDateTime, named, pageQuery, textOrNull, uuid } from '../values/index.ts'

const operation = operationsOf('sources')

const delivery = named('Delivery', {
  id: uuid,
  event: z.enum(eventNames),
  leadId: uuid.nullable(),
  sourceId: uuid.nullable().describe('The source of the event; null when the event belongs to no source.'),
  state: deliveryState.describe('excluded: the person was excluded before the delivery was sent.'),
  attempts: integer,
  url: textOrNull.describe('The current webhook URL, where the delivery goes.'),
  responseStatus: integer.nullable().describe('HTTP status of the last attempt; null when there was no response.'),
  error: textOrNull.describe('Why the last attempt failed; null when it succeeded or none was made.'),
  at: isoDateTime.describe(
    'When the delivery ended; otherwise when it was last attempted; otherwise when it was queued.',
  ),
})

/** `GET /deliveries` (EXC-10). */
export const listWebhookDeliveries = operation('listWebhookDeliveries', 'GET /deliveries', {
  summary: 'List deliveries to webhooks, newest first',
  description:
    'Includes deliveries that are queued, sent, given up, and not sent because the person was excluded in the ' +
    'meantime.',
  query: z.object({
    ...pageQuery,
    state: choice(deliveryState.options).optional(),
    sourceId: idInPath.optional().describe('Id of a source.'),
    leadId: idInPath.optional().describe('Id of a lead.'),
  }),
  success: z.object({ deliveries: z.array(delivery), ...paging }),
})
