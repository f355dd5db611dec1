/** Tag `exclusions`: excluded people are captured and charged as usual but delivered nowhere (EXC-01..EXC-09). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import {
  addedExclusions,
  exclusion,
  exclusionSettings,
  pageFields,
  triedExclusions,
  triedExclusionSettings,
} from '../resources/index.ts'
import { bounds, choice, exclusionKinds, flag, idInPath, nameText, pageQuery, deletedAnswer } from '../values/index.ts'

const operation = operationsOf('exclusions')

const text = (what: string, longest: number) =>
  z
    .string({ error: `must be ${what}, as text` })
    .max(longest, { error: `must be ${what}, at most ${longest} characters` })

const entry = z.strictObject(
  {
    kind: text(`one of ${exclusionKinds.join(', ')}`, 60).meta({
      openapi: { type: 'string', enum: [...exclusionKinds] },
    }),
    value: text('what is excluded', bounds.exclusionValue).describe(
      'person: profile address, handle or member id; company: page address, slug or number; domain: also every host below it; ' +
        'email; title: its words, whole and in any case; country: a name or a code.',
    ),
    reason: text('a reason', bounds.exclusionReason).nullable().optional(),
  },
  { error: 'takes kind, value and reason' },
)

const entriesMessage = `must be a list of 1 to ${bounds.exclusionEntries} entries {kind, value, reason}`

const replacesMessage = `must be a list of at most ${bounds.exclusionEntries} ids of entries`

export const exclusionListName = nameText('the name of a list', bounds.exclusionList)

export const exclusionOperations = [
  operation('addExclusions', 'POST /exclusions', {
    summary: 'Exclude people, companies, domains, titles or countries',
    description:
      'Effective at once and everywhere: who is excluded is captured and charged as ever, and delivered nowhere. ' +
      'One entry for each kind and value, on whatever list. Of somebody who is sent by an address alone and was never captured, no ' +
      'employer, title or country is known but what the request says. With dryRun: true nothing is stored.',
    body: z.object({
      entries: z
        .array(entry, { error: entriesMessage })
        .min(1, { error: entriesMessage })
        .max(bounds.exclusionEntries, { error: entriesMessage }),
      list: exclusionListName
        .default('do_not_contact')
        .describe('do_not_contact, customers, competitors, own_team, or a name of your own; default do_not_contact.'),
      origin: choice(['api', 'csv'])
        .optional()
        .describe('csv: the entries come from a file; left out: from the caller.'),
      replaces: z
        .array(z.uuid({ error: replacesMessage }).toLowerCase(), { error: replacesMessage })
        .max(bounds.exclusionEntries, { error: replacesMessage })
        .optional()
        .describe(
          'Ids of entries that give way where one of these is the same, in one step: what moves to another list, or gets another ' +
            'reason, is excluded all along. Others of them stay.',
        ),
      dryRun: flag.optional().describe('True: only say which leads they would meet.'),
    }),
    strictBody: true,
    largeBody: true,
    status: 201,
    otherStatus: { status: 200, when: 'dryRun' },
    success: z.union([addedExclusions, triedExclusions]),
    errors: ['unknown_field'],
    example: { entries: [{ kind: 'domain', value: 'acme.example', reason: 'Customer since 2024' }], list: 'customers' },
  }),
  operation('listExclusions', 'GET /exclusions', {
    summary: 'List the entries, newest first',
    description: 'All filters combine with AND.',
    query: z.object({
      ...pageQuery,
      list: z.string().max(200).optional().describe('The name of a list.'),
      kind: choice(exclusionKinds).optional(),
      query: z.string().max(bounds.filterText).optional().describe('Part of the value or the reason, in any case.'),
    }),
    success: z.object({
      entries: z.array(exclusion),
      ...pageFields,
    }),
  }),
  operation('removeExclusion', 'DELETE /exclusions/{id}', {
    summary: 'Remove an entry',
    description:
      'Its people can be delivered again from now on. What would have gone meanwhile goes only by a push that you start.',
    params: z.object({ id: idInPath }),
    success: deletedAnswer.extend({
      heldBy: z
        .string()
        .optional()
        .describe(
          'The id of the person or company that it meant, where its value leads to them no more since they took another name: ' +
            'to take the removal back, add both.',
        ),
    }),
    errors: ['not_found'],
  }),
  operation('getExclusionSettings', 'GET /exclusions/settings', {
    summary: 'Read what excludes people besides entries',
    description: 'Free.',
    success: exclusionSettings,
  }),
  operation('updateExclusionSettings', 'PUT /exclusions/settings', {
    summary: 'Set what excludes people besides entries',
    description: 'A partial update: what is absent stays. With dryRun: true nothing is stored.',
    body: z.object({
      worksAtSource: flag.optional(),
      repliedElsewhere: flag.optional(),
      dryRun: flag
        .optional()
        .describe('True: only say how many leads would be excluded, by entries and these settings.'),
    }),
    strictBody: true,
    success: z.union([exclusionSettings, triedExclusionSettings]),
    errors: ['unknown_field'],
    example: { worksAtSource: true },
  }),
] as const
