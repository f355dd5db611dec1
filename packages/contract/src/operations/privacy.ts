import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { erasure, exclusion, pageFields, personExport, privacyPerson } from '../resources/index.ts'
import { idInPath, profileUrl, pageQuery } from '../values/index.ts'

const operation = operationsOf('privacy')

const longestQuery = 2_000
const longestReason = 500

const personId = z
  .guid({ error: 'must be the id of a person' })
  .toLowerCase()
  .meta({ openapi: { type: 'string', format: 'uuid' } })
const queryMessage = 'must be an address, a handle, a member id, a mail address or a name'

const erasureBody = z
  .object({
    personId: personId
      .optional()
      .describe('Id of a person, from GET /privacy/people. Send either personId or profileUrl.'),
    profileUrl: profileUrl.optional(),
    reason: z
      .string({ error: 'must be text' })
      .max(longestReason, { error: `must be at most ${longestReason} characters` })
      .nullable()
      .optional()
      .describe('Reason shown in the list of erasures. Do not include anything that identifies the person.'),
  })
  .superRefine((body, context) => {
    if ((body.personId === undefined) === (body.profileUrl === undefined))
      context.addIssue({ code: 'custom', path: ['personId'], message: 'send either personId or profileUrl' })
  })

export const privacyOperations = [
  operation('searchPeople', 'GET /privacy/people', {
    summary: 'Find people the team holds data about',
    description:
      'Searches by profile URL, handle, member id, email address or part of the name; returns at most 50. An ' +
      'erased person is found only by exact profile URL, handle or member id. Free.',
    query: z.object({
      query: z
        .string({ error: queryMessage })
        .trim()
        .min(1)
        .max(longestQuery, { error: `must be at most ${longestQuery} characters` })
        .describe('A profile URL, handle, member id, email address or part of a name.'),
    }),
    success: z.object({ people: z.array(privacyPerson) }),
  }),
  operation('exportPerson', 'GET /privacy/people/{personId}/export', {
    summary: 'Read all data held about a person',
    description: 'Returns each fact with its origin and the time it was recorded. Free.',
    params: z.object({ personId: idInPath }),
    success: personExport,
    errors: ['not_found'],
  }),
  operation('createErasure', 'POST /privacy/erasures', {
    summary: 'Erase a person permanently',
    description:
      'Deletes all data about the person: leads, facts, deliveries, stored responses and logs. A tracked source ' +
      'that is this person is untracked. From then on, nothing about the person is captured or charged. The ' +
      'ledger keeps its amounts. This cannot be undone. A person the team has never seen is blocked too. ' +
      'Repeated calls return 200 with the same erasure. Free.',
    body: erasureBody,
    strictBody: true,
    status: 201,
    otherStatus: { status: 200, when: 'repeated' },
    success: erasure.extend({
      repeated: z.boolean().describe('True when the person was already erased; nothing was done.'),
    }),
    errors: ['not_found', 'provider_unavailable'],
    example: { profileUrl: 'https://www.linkedin.com/in/jane-doe', reason: 'asked by mail' },
  }),
  operation('createObjection', 'POST /privacy/objections', {
    summary: 'Stop all deliveries of a person at once',
    description:
      'For a person who objects but does not ask to be erased. Adds an entry to the list `do_not_contact` with ' +
      'the reason `objection`. An entry of this person on another list moves there. Remove it like any other ' +
      'entry. Repeated calls return 200 with the same entry. Free.',
    // An email address would be taken for a handle that nobody has.
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
        .describe('True when the person had already objected, or a result had recorded it; nothing was done.'),
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
    summary: 'Read an erasure with its current receipt',
    description: 'The receipt is signed again each time a downstream receiver was notified or could not be. Free.',
    params: z.object({ id: idInPath }),
    success: erasure,
    errors: ['not_found'],
  }),
] as const
