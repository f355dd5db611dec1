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
  sourceId: uuid.nullable().describe('The source whose event it is; null where the event is of none.'),
  state: deliveryState.describe('excluded: the person was excluded before it was sent.'),
  attempts: integer,
  url: textOrNull.describe('Where it goes: the webhook as it is set now.'),
  responseStatus: integer.nullable().describe('What the last attempt was answered; null without an answer.'),
  error: textOrNull.describe('Why the last attempt did not arrive; null when it did, or there was none.'),
  at: isoDateTime.describe('When it ended, else when it was last tried, else when it was queued.'),
})

/** `GET /deliveries` (EXC-10). */
export const listWebhookDeliveries = operation('listWebhookDeliveries', 'GET /deliveries', {
  summary: 'List deliveries to webhooks, newest first',
  description: 'What was queued, sent, given up, and left unsent because somebody was excluded meanwhile.',
  query: z.object({
    ...pageQuery,
    state: choice(deliveryState.options).optional(),
    sourceId: idInPath.optional().describe('Id of a source.'),
    leadId: idInPath.optional().describe('Id of a lead.'),
  }),
  success: z.object({ deliveries: z.array(delivery), ...paging }),
})
