/** The request log: calls of a team's keys and agent tools in the last 30 days, with their answers (decision 0018). */
import { z } from 'zod'
import { idInPath, instant, integer, isoDateTime, lastInstant, textOrNull, uuid, choice } from '../values/index.ts'
import { cursorQuery, nextCursor, sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('settings')

export const requestDays = 30

export const maxRequests = 100_000

const requestRow = z.object({
  id: uuid,
  at: isoDateTime,
  surface: z.enum(['api', 'mcp']).describe('Where the call came from: HTTP API, or agent tool.'),
  operation: textOrNull.describe('Null when the endpoint does not exist.'),
  method: z.string(),
  path: z.string().describe('Path below `/api/v1`, with the query.'),
  status: integer,
  code: textOrNull,
  durationMs: integer,
  caller: z.object({
    kind: z.enum(['key', 'user']),
    id: z.string(),
    name: z.string().describe('Name and mask of a key, or the email address of a person.'),
  }),
  requestId: z.string(),
  standsFor: integer.describe('Number of calls this row represents; reads above a rate are sampled.'),
})

export const requestOperations = [
  operation('listRequests', 'GET /requests', {
    role: 'viewer',
    summary: 'List calls by keys and agent tools of the last 30 days, newest first',
    query: z.object({
      operation: z.string().max(60, { error: 'must be the id of an operation' }).optional(),
      status: z
        .string()
        .regex(/^[1-5](?:xx|\d\d)$/, { error: 'must be a status such as 409, or a class such as 4xx' })
        .optional(),
      code: z.string().max(60, { error: 'must be a code of the error table' }).optional(),
      keyId: z.guid({ error: 'must be the id of a key' }).optional(),
      requestId: z.string().max(128, { error: 'must be the id of a request' }).optional(),
      surface: choice(['api', 'mcp']).optional(),
      since: instant.optional(),
      until: lastInstant.optional(),
      ...cursorQuery,
    }),
    success: z.object({ requests: z.array(requestRow), nextCursor }),
  }),
  operation('getRequest', 'GET /requests/{id}', {
    role: 'viewer',
    summary: 'Read a call with its body, and commands to repeat it',
    params: z.object({ id: idInPath }),
    success: z.object({
      request: requestRow,
      body: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe('The body sent, without secrets and with long texts cut; null without a body.'),
      curl: z.string().describe('The call as a curl command; it reads the key from LES_API_KEY.'),
      les: z.string().describe('The call as a les command.'),
    }),
    errors: ['not_found'],
  }),
] as const
