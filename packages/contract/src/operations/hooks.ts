/** Tag `destinations`, REST hooks: an automation platform subscribes to one event. */
import { z } from 'zod'
import { eventNames } from '../events.ts'
import { operationsOf } from '../operation.ts'
import { bounds, choice, idInPath, isoDateTime, named, uuid, deletedAnswer } from '../values/index.ts'

const operation = operationsOf('destinations')

export const hookEvents = eventNames.filter((name) => name !== 'person.erased')

const hook = named('Hook', {
  id: uuid,
  targetUrl: z.string(),
  event: z.enum(hookEvents),
  state: z
    .enum(['active', 'failing', 'disabled'])
    .describe(
      'failing: the last attempt failed; disabled: only failures for 5 days, so delete the hook and subscribe again.',
    ),
  createdAt: isoDateTime,
})

export const hookOperations = [
  operation('createHook', 'POST /hooks', {
    summary: 'Subscribe a URL to an event (REST hook)',
    description:
      "Sends the event for all sources of the team from now on, signed with the hook's own secret. At most " +
      `${bounds.hooksPerTeam} hooks per team. A 410 response from the URL unsubscribes it.`,
    body: z.object({
      targetUrl: z
        .string({ error: `must be a public https URL of at most ${bounds.webhookUrl} characters` })
        .min(1)
        .max(bounds.webhookUrl),
      event: choice(hookEvents),
    }),
    strictBody: true,
    status: 201,
    success: z.object({
      id: uuid,
      secret: z.string().nullable().describe('Shown once; null in a replayed response.'),
    }),
    errors: ['hook_limit_reached'],
    example: { targetUrl: 'https://hooks.example.com/catch/1', event: 'lead.detected' },
  }),
  operation('listHooks', 'GET /hooks', {
    summary: 'List REST hooks, oldest first',
    description: 'Free.',
    success: z.object({ hooks: z.array(hook) }),
  }),
  operation('deleteHook', 'DELETE /hooks/{id}', {
    summary: 'Unsubscribe a REST hook',
    description: 'Waiting deliveries are dropped.',
    params: z.object({ id: idInPath }),
    success: deletedAnswer,
    errors: ['not_found'],
  }),
  operation('sampleHook', 'GET /hooks/sample', {
    summary: 'Read a sample of an event',
    description:
      'Returns a list with one event in the format of a real delivery. It is marked as a sample and describes no ' +
      'real person. Free.',
    query: z.object({ event: choice(hookEvents).optional().describe('Default: lead.detected.') }),
    success: z.array(
      z.looseObject({
        event: z.enum(hookEvents),
        id: uuid,
        sample: z.literal(true).describe('Always true: the event is invented and describes no real person.'),
      }),
    ),
  }),
] as const
