/** Tag `destinations`, REST hooks: an automation platform subscribes to one event. */
import { z } from 'zod'
import { eventNames } from '../events.ts'
import { operationsOf } from '../operation.ts'
import { bounds, choice, idInPath, isoDateTime, named, uuid, deletedAnswer } from '../values/index.ts'

const operation = operationsOf('destinations')

export const hookEvents = eventNames.filter((name) => name !== 'person.erased')

const urlMessage = `must be a public https URL of at most ${bounds.webhookUrl} characters`

const hook = named('Hook', {
  id: uuid,
  targetUrl: z.string(),
  event: z.enum(hookEvents),
  state: z
    .enum(['active', 'failing', 'disabled'])
    .describe(
      'failing: the last attempt failed; disabled: nothing but failures for 5 days, delete it and subscribe anew.',
    ),
  createdAt: isoDateTime,
})

export const hookOperations = [
  operation('createHook', 'POST /hooks', {
    summary: 'Subscribe an address to an event (REST hook)',
    description:
      `The events of all sources of the team from now on, signed with a secret of its own. At most ${bounds.hooksPerTeam} a team; an ` +
      'answer 410 of the address unsubscribes it.',
    body: z.object({
      targetUrl: z
        .string({ error: urlMessage })
        .min(1, { error: urlMessage })
        .max(bounds.webhookUrl, { error: urlMessage }),
      event: choice(hookEvents),
    }),
    strictBody: true,
    status: 201,
    success: z.object({
      id: uuid,
      secret: z.string().nullable().describe('Shown once; null when this is a replayed answer.'),
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
    description: 'What waits for it goes nowhere.',
    params: z.object({ id: idInPath }),
    success: deletedAnswer,
    errors: ['not_found'],
  }),
  operation('sampleHook', 'GET /hooks/sample', {
    summary: 'Read a sample of an event',
    description: 'A list of one event as it is sent, marked as a sample and about nobody. Free.',
    query: z.object({ event: choice(hookEvents).optional().describe('Default: lead.detected.') }),
    success: z.array(
      z.looseObject({
        event: z.enum(hookEvents),
        id: uuid,
        sample: z.literal(true).describe('Invented, about nobody.'),
      }),
    ),
  }),
] as const
