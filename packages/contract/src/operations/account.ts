/** Tags `account` and `jobs` (specification «Account», «Job»). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { createdKey, creditUsage, credits, maskedKey, job } from '../resources/index.ts'
import { bounds, idInPath, instant, integer, lastInstant, refuseReversed, uuid } from '../values/index.ts'

const operation = operationsOf('account')
const jobOperation = operationsOf('jobs')

const nameMessage = `must be text of ${bounds.keyName.min} to ${bounds.keyName.max} characters`

/** Its `name` rule also applies when the dashboard exchanges a sign-in for a key. */
export const createKey = operation('createKey', 'POST /keys', {
  summary: 'Create an API key',
  description: 'Returns the key in plain text. The plain text is shown only in this response.',
  body: z.object({
    name: z
      .string({ error: nameMessage })
      .transform((name) => name.trim())
      .refine((name) => [...name].length >= bounds.keyName.min && [...name].length <= bounds.keyName.max, {
        error: nameMessage,
      })
      .meta({ openapi: { type: 'string', minLength: bounds.keyName.min, maxLength: bounds.keyName.max } }),
  }),
  status: 201,
  success: createdKey,
  errors: ['key_limit_reached', 'not_found'],
  example: { name: 'CI' },
})

export const accountOperations = [
  operation('getCredits', 'GET /credits', {
    summary: "Read the team's credit balance",
    description: 'Free.',
    success: credits,
  }),
  operation('getCreditsUsage', 'GET /credits/usage', {
    summary: 'Read credits charged, by day and by source',
    description: 'Free. Covers the current billing period up to now by default. Both bounds are inclusive.',
    query: z.object({ from: instant.optional(), to: lastInstant.optional() }).superRefine(refuseReversed),
    success: creditUsage,
  }),
  operation('listKeys', 'GET /keys', {
    summary: 'List active API keys, masked',
    description: 'Free.',
    success: z.object({
      keys: z.array(maskedKey),
      quota: z.object({ used: integer, max: integer, remaining: integer }),
    }),
  }),
  createKey,
  operation('revokeKey', 'DELETE /keys/{id}', {
    summary: 'Revoke an API key',
    description: 'The key stops authenticating at once, even if it is the key that makes this call.',
    params: z.object({ id: idInPath }),
    success: z.object({ ok: z.literal(true), id: uuid, revoked: z.literal(true) }),
    errors: ['not_found'],
  }),
  jobOperation('getJobStatus', 'GET /jobs/{jobId}/status', {
    summary: 'Poll a job',
    description:
      'Poll until status is completed or failed. A job in one of these states never changes. No event is sent ' +
      'when a job completes.',
    params: z.object({ jobId: idInPath }),
    success: job,
    errors: ['not_found'],
  }),
] as const
