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
import {
  bounds,
  choice,
  doNotContact,
  exclusionKinds,
  flag,
  idInPath,
  nameText,
  pageQuery,
  textUpTo,
  deletedAnswer,
} from '../values/index.ts'

const operation = operationsOf('exclusions')

const entry = z.strictObject(
  {
    kind: textUpTo(60, `one of ${exclusionKinds.join(', ')}`).meta({
      openapi: { type: 'string', enum: [...exclusionKinds] },
    }),
    value: textUpTo(bounds.exclusionValue, 'what is excluded').describe(
      'person: profile URL, handle or member id; company: page URL, slug or number; domain: also matches its ' +
        'subdomains; email: email address; title: its words, as whole words in any case; country: name or code.',
    ),
    reason: textUpTo(bounds.exclusionReason, 'a reason').nullable().optional(),
  },
  { error: 'takes kind, value and reason' },
)

const entriesMessage = `must be a list of 1 to ${bounds.exclusionEntries} entries {kind, value, reason}`

const replacesMessage = `must be a list of at most ${bounds.exclusionEntries} ids of entries`

const exclusionListName = nameText('the name of a list', bounds.exclusionList)

export const exclusionOperations = [
  operation('addExclusions', 'POST /exclusions', {
    summary: 'Exclude people, companies, domains, titles or countries',
    description:
      'Takes effect at once everywhere: excluded people are still captured and charged, but delivered nowhere. ' +
      'Each kind and value has one entry across all lists. For people who are sent by address only and were ' +
      'never captured, the employer, title and country are known only from the request. With dryRun: true, ' +
      'nothing is stored.',
    body: z.object({
      entries: z.array(entry, { error: entriesMessage }).min(1).max(bounds.exclusionEntries),
      list: exclusionListName
        .default(doNotContact)
        .describe('do_not_contact, customers, competitors, own_team, or a custom name; default do_not_contact.'),
      origin: choice(['api', 'csv'])
        .optional()
        .describe('csv: the entries come from a file; omitted: from the caller.'),
      replaces: z
        .array(z.uuid({ error: replacesMessage }).toLowerCase(), { error: replacesMessage })
        .max(bounds.exclusionEntries)
        .optional()
        .describe(
          'Ids of entries to replace where a new entry has the same kind and value. The swap happens in one ' +
            'step, so a person moved to another list or given another reason stays excluded throughout. Listed ' +
            'entries without a match stay.',
        ),
      dryRun: flag.optional().describe('True: only return the leads that would match.'),
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
    summary: 'List exclusions, newest first',
    description: 'All filters combine with AND.',
    query: z.object({
      ...pageQuery,
      list: z.string().max(200).optional().describe('The name of a list.'),
      kind: choice(exclusionKinds).optional(),
      query: z
        .string()
        .max(bounds.filterText)
        .optional()
        .describe('Part of the value or the reason, case-insensitive.'),
    }),
    success: z.object({
      entries: z.array(exclusion),
      ...pageFields,
    }),
  }),
  operation('removeExclusion', 'DELETE /exclusions/{id}', {
    summary: 'Remove an exclusion',
    description:
      'The people can be delivered again from now on. Leads held back in the meantime are sent only if you start ' +
      'a push.',
    params: z.object({ id: idInPath }),
    success: deletedAnswer.extend({
      heldBy: z
        .string()
        .optional()
        .describe(
          'The id of the excluded person or company, when the value no longer leads to them because they changed ' +
            'their name. To undo the removal, add both the id and the value.',
        ),
    }),
    errors: ['not_found'],
  }),
  operation('getExclusionSettings', 'GET /exclusions/settings', {
    summary: 'Read the exclusion settings',
    description: 'Returns the rules that exclude people without an entry. Free.',
    success: exclusionSettings,
  }),
  operation('updateExclusionSettings', 'PUT /exclusions/settings', {
    summary: 'Update the exclusion settings',
    description:
      'Sets the rules that exclude people without an entry. A partial update: omitted fields stay unchanged. ' +
      'With dryRun: true, nothing is stored.',
    body: z.object({
      worksAtSource: flag.optional(),
      repliedElsewhere: flag.optional(),
      dryRun: flag.optional().describe('True: only return how many leads entries and these settings would exclude.'),
    }),
    strictBody: true,
    success: z.union([exclusionSettings, triedExclusionSettings]),
    errors: ['unknown_field'],
    example: { worksAtSource: true },
  }),
] as const
