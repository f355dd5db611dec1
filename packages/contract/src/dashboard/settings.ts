/** Settings of a team, third-party keys and the audit log (AUT-17, AIF-02, OUT-01; DSH-01..DSH-04). */
import { z } from 'zod'
import { credits } from '../resources/index.ts'
import { integer, isoDateTime, textOrNull, uuid, choice, nameText } from '../values/index.ts'
import { cursorQuery, nextCursor, sessionOperationsOf } from './operation.ts'

const operation = sessionOperationsOf('settings')

export const credentialKind = choice(['openai', 'anthropic', 'google', 'mistral', 'outreach'])

const kindInPath = z.object({ kind: z.string().max(40) })
const stored = z.object({ kind: credentialKind, stored: z.boolean(), storedAt: isoDateTime.nullable() })
const keyMessage = 'must be a key: 1 to 4,000 letters, digits and marks, without spaces'
// Printable ASCII, since the key travels in a header or URL; anything else was pasted by mistake.
const keyText = /^[\x21-\x7e]{1,4000}$/

/** A third party's key, trimmed as it is stored. */
export const credentialKey = z
  .string({ error: keyMessage })
  .transform((text) => text.trim())
  .refine((text) => keyText.test(text), { error: keyMessage })

const auditEntry = z.object({
  id: uuid,
  at: isoDateTime,
  actor: z.object({ kind: z.enum(['user', 'key', 'operator']), name: z.string() }),
  operation: z.string(),
  target: textOrNull,
  details: z.record(z.string(), z.unknown()).describe('The data sent, without secrets.'),
})

export const settingsOperations = [
  operation('getSettings', 'GET /settings', {
    role: 'viewer',
    summary: 'Read plan, trial, limits, credits, and which third-party keys are stored',
    errors: ['not_found'],
    success: z.object({
      team: z.object({
        id: uuid,
        name: z.string(),
        plan: z.string(),
        status: z.enum(['active', 'trial', 'expired']),
        trialEndsAt: isoDateTime.nullable(),
        captureAllowed: z.boolean(),
        createdAt: isoDateTime,
        leadCap: integer.nullable(),
        keywordDailyCeiling: integer,
        limits: z.object({ reads: integer, writes: integer, untrackedPosts: integer }),
      }),
      credits,
      credentials: z.array(stored),
      signing: z.object({
        rotatingUntil: isoDateTime
          .nullable()
          .describe('Until when deliveries are also signed with the previous secret.'),
      }),
    }),
  }),
  operation('renameTeam', 'PATCH /settings', {
    role: 'owner',
    summary: 'Rename the team',
    body: z.object({ name: nameText('a name', 200) }),
    errors: ['not_found'],
    success: z.object({ name: z.string() }),
  }),
  operation('closeTeam', 'POST /close', {
    role: 'owner',
    summary: 'Close the team: access and all work stop at once, and all data is deleted 30 days later',
    body: z.object({}),
    errors: ['not_found'],
    success: z.object({
      closedAt: isoDateTime,
      endsAt: isoDateTime.describe(
        'When all data is deleted; until then, the operator of the service can restore the team.',
      ),
    }),
  }),
  operation('putCredential', 'PUT /credentials/{kind}', {
    role: 'owner',
    summary: 'Store a third-party key; it is tested first and never shown again',
    params: kindInPath,
    body: z.object({ key: credentialKey }),
    success: z.object({
      credential: stored,
      checked: z
        .boolean()
        .describe('False when the third party could not be reached: the key is stored without a test.'),
    }),
    errors: ['credential_rejected', 'not_found'],
  }),
  operation('deleteCredential', 'DELETE /credentials/{kind}', {
    role: 'owner',
    summary: 'Delete a third-party key',
    params: kindInPath,
    success: z.object({ credential: stored }),
    errors: ['not_found'],
  }),
  operation('rotateSecret', 'POST /signing-secret', {
    role: 'owner',
    summary: 'Create a new webhook signing secret; the previous one also signs for 24 hours',
    body: z.object({}),
    errors: ['not_found'],
    success: z.object({
      signingSecret: textOrNull.describe('Shown only once; null in a replayed response.'),
      rotatingUntil: isoDateTime,
    }),
  }),
  operation('listAudit', 'GET /audit', {
    role: 'viewer',
    summary: 'List all changes to the team, newest first',
    query: z.object({ ...cursorQuery }),
    success: z.object({ entries: z.array(auditEntry), nextCursor }),
  }),
] as const
