/** Tag `account`: credits and API keys (specification «Account»). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { createdKey, creditUsage, credits, maskedKey } from '../resources/index.ts'
import { bounds, idInPath, instant, integer, lastInstant, uuid } from '../values/index.ts'

const getCredits = operation({
  id: 'getCredits',
  method: 'GET',
  path: '/credits',
  tag: 'account',
  summary: "Read the team's credit balance",
  description: 'Free.',
  params: z.object({}),
  query: z.object({}),
  body: null,
  success: credits,
})

const getCreditsUsage = operation({
  id: 'getCreditsUsage',
  method: 'GET',
  path: '/credits/usage',
  tag: 'account',
  summary: 'Read what was charged, by day and by source',
  description: 'Free. From the start of the billing period until now unless told otherwise; both bounds are inclusive.',
  params: z.object({}),
  query: z.object({ from: instant.optional(), to: lastInstant.optional() }).superRefine((query, context) => {
    if (query.from && query.to && query.to < query.from)
      context.addIssue({ code: 'custom', path: ['from'], message: 'must not be after to' })
  }),
  body: null,
  success: creditUsage,
})

const listKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
  tag: 'account',
  summary: 'List active API keys, masked',
  description: 'Free.',
  params: z.object({}),
  query: z.object({}),
  body: null,
  success: z.object({
    keys: z.array(maskedKey),
    quota: z.object({ used: integer, max: integer, remaining: integer }),
  }),
})

const nameMessage = `must be text of ${bounds.keyName.min} to ${bounds.keyName.max} characters`

/** Makes a key: the dashboard's exchange of a sign-in for a key takes the same name. */
export const createKey = operation({
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  tag: 'account',
  summary: 'Make an API key',
  description: 'The plaintext is in this answer and nowhere else.',
  params: z.object({}),
  query: z.object({}),
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

const revokeKey = operation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{id}',
  tag: 'account',
  summary: 'Revoke an API key',
  description: 'It stops authenticating at once, also when it is the key of this call.',
  params: z.object({ id: idInPath }),
  query: z.object({}),
  body: null,
  success: z.object({ ok: z.literal(true), id: uuid, revoked: z.literal(true) }),
  errors: ['not_found'],
})

/** The operations of this tag. */
export const accountOperations = [getCredits, getCreditsUsage, listKeys, createKey, revokeKey] as const
