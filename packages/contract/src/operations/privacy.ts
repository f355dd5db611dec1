import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { erasure, exclusion, pageFields, personExport, privacyPerson } from '../resources/index.ts'
import { idInPath, isUuid, profileUrl, pageQuery } from '../values/index.ts'

const operation = operationsOf('privacy')

const longestQuery = 2_000
const longestReason = 500

const personId = z
  .string({ error: 'must be the id of a person' })
  .refine(isUuid, { error: 'must be the id of a person' })
  .transform((text) => text.toLowerCase())
  .meta({ openapi: { type: 'string', format: 'uuid' } })

export const erasureBody = z
  .object({
    personId: personId.optional().describe('Id of a person, from GET /privacy/people; or profileUrl.'),
    profileUrl: profileUrl.optional(),
    reason: z
      .string({ error: 'must be text' })
      .max(longestReason, { error: `must be at most ${longestReason} characters` })
      .nullable()
      .optional()
      .describe('Why, for the list of erasures. Say nothing in it that names the person.'),
  })
  .superRefine((body, context) => {
    if ((body.personId === undefined) === (body.profileUrl === undefined))
      context.addIssue({ code: 'custom', path: ['personId'], message: 'send either personId or profileUrl' })
  })

export const privacyOperations = [
  operation('searchPeople', 'GET /privacy/people', {
    summary: 'Find whom the team holds something of',
    description:
      'By the address of a profile, a handle, a member id, a mail address or a part of the name; at most 50. ' +
      'Somebody erased is found by exact address, handle or member id alone. Free.',
    query: z.object({
      query: z
        .string({ error: 'must be an address, a handle, a member id, a mail address or a name' })
        .trim()
        .min(1, { error: 'must be an address, a handle, a member id, a mail address or a name' })
        .max(longestQuery, { error: `must be at most ${longestQuery} characters` })
        .describe('An address, a handle, a member id, a mail address, or a part of a name.'),
    }),
    success: z.object({ people: z.array(privacyPerson) }),
  }),
  operation('exportPerson', 'GET /privacy/people/{personId}/export', {
    summary: 'Read everything that is held of a person',
    description: 'Each fact with where it comes from and when it was recorded. Free.',
    params: z.object({ personId: idInPath }),
    success: personExport,
    errors: ['not_found'],
  }),
  operation('createErasure', 'POST /privacy/erasures', {
    summary: 'Erase a person for good',
    description:
      'Everything that is held of them goes: leads, facts, deliveries, stored answers and logs; a tracked source that is them is untracked. ' +
      'From then on nothing of them is captured or charged. The ledger keeps its amounts. It cannot be undone. ' +
      'Somebody never seen is blocked all the same. Again: 200 with the same erasure. Free.',
    body: erasureBody,
    strictBody: true,
    status: 201,
    otherStatus: { status: 200, when: 'repeated' },
    success: erasure.extend({
      repeated: z.boolean().describe('True when the person was erased before: nothing was done.'),
    }),
    errors: ['not_found', 'provider_unavailable'],
    example: { profileUrl: 'https://www.linkedin.com/in/jane-doe', reason: 'asked by mail' },
  }),
  operation('createObjection', 'POST /privacy/objections', {
    summary: 'Stop every delivery of a person at once',
    description:
      'For somebody who objects without asking to be erased: an entry of the list `do_not_contact`, with the reason `objection`. ' +
      'Who is on another list moves there. It is lifted like any other entry. Again: 200 with the same entry. Free.',
    // As a handle a mail address would keep nobody out.
    body: z.object({
      profileUrl: profileUrl.refine((name) => !name.includes('@'), {
        error: 'must be the address of a profile, a handle or a member id, not an email address',
      }),
    }),
    strictBody: true,
    status: 201,
    otherStatus: { status: 200, when: 'repeated' },
    success: exclusion.extend({
      repeated: z
        .boolean()
        .describe('True when the person has objected before, or a result has said so: nothing was done.'),
    }),
    example: { profileUrl: 'https://www.linkedin.com/in/jane-doe' },
  }),
  operation('listErasures', 'GET /privacy/erasures', {
    summary: 'List erasures, newest first',
    description: 'Free.',
    query: z.object(pageQuery),
    success: z.object({
      erasures: z.array(erasure),
      ...pageFields,
    }),
  }),
  operation('getErasure', 'GET /privacy/erasures/{id}', {
    summary: 'Read an erasure, with its receipt as it is now',
    description: 'The receipt is signed anew when somebody downstream has been told, or could not be. Free.',
    params: z.object({ id: idInPath }),
    success: erasure,
    errors: ['not_found'],
  }),
] as const
