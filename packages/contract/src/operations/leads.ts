/** Tag `leads` (specification «Leads»). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { engagementType, engagerPage, leadPage, leadWhy, rawLeadPage, webhookStatus } from '../resources/index.ts'
import {
  bounds,
  choice,
  foldText,
  idInPath,
  instant,
  lastInstant,
  queryBoolean,
  pageQuery,
  readSourceNaming,
  refuserOf,
} from '../values/index.ts'

const operation = operationsOf('leads')

const contains = (what: string) =>
  z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(bounds.filterText, { error: `must be at most ${bounds.filterText} characters` })
    .refine((text) => text === '' || foldText(text).trim() !== '', { error: 'must hold something that can be seen' })
    .transform((text) => text.normalize('NFC'))
    .optional()
    .describe(`Part of ${what}, case-insensitive; leads without a value never match.`)

type Combined = { since?: Date | undefined; until?: Date | undefined } & {
  [K in 'profileId' | 'username' | 'sourceKind']?: unknown
}

/** Field combinations (LED-02, LED-12, G41). */
function judgeCombination({ profileId, username, sourceKind, since, until }: Combined, context: z.RefinementCtx): void {
  const refuse = refuserOf(context)
  if (profileId !== undefined && username !== undefined)
    refuse('profileId', 'cannot be combined with username: send one of the two')
  if (sourceKind !== undefined && (profileId !== undefined || username !== undefined))
    refuse('sourceKind', 'cannot be combined with profileId or username')
  if (since && until && until < since) refuse('until', 'must not be before since')
}

/** Absent: excluded people are shown. */
export const excludedFilter = choice(['include', 'exclude', 'only'])
  .optional()
  .describe('`exclude` hides excluded people, `only` returns only excluded people; default include.')

const sourceNaming = {
  profileId: idInPath.optional().describe('Id of a source; cannot be combined with username.'),
  username: z
    .string()
    .transform(readSourceNaming)
    .optional()
    .describe('Handle, member id or slug of a source; cannot be combined with profileId.'),
}

export const listFilters = z
  .object({
    ...pageQuery,
    ...sourceNaming,
    engagementType: choice(engagementType.options).optional(),
    isIcp: queryBoolean.optional(),
    webhookStatus: choice(webhookStatus.options).optional(),
    since: instant.optional().describe('Stored at or after this time.'),
    until: lastInstant.optional().describe('Stored at or before this time; a date alone means the end of that day.'),
    name: contains('the name'),
    jobTitle: contains('the job title'),
    company: contains("the company's name"),
    companyDomain: contains("the company's domain"),
    country: contains('the country'),
    companyIndustry: contains("the company's industry"),
    includeSyncing: queryBoolean
      .optional()
      .describe('Include leads of sources that are syncing now; ignored with profileId or username.'),
    includeInactive: queryBoolean.optional().describe('Include kept leads of untracked sources; default false.'),
    sourceKind: choice(['keyword', 'post', 'profile', 'all']).optional(),
    excluded: excludedFilter,
  })
  .superRefine(judgeCombination)

export const leadOperations = [
  operation('listLeads', 'GET /leads', {
    summary: 'List leads, newest first',
    description:
      'All filters combine with AND. Raw leads never appear here. Leads of a source that is syncing appear when ' +
      'the sync ends, with the time at which they were stored. To poll with `since`, also send ' +
      '`includeSyncing=true`, start each poll a few minutes before the previous one, and skip leads whose `id` ' +
      'you have already seen.',
    query: listFilters,
    success: leadPage,
    errors: ['not_found'],
  }),
  operation('listRawLeads', 'GET /leads/raw', {
    summary: 'List raw leads, newest first',
    description: 'Returns leads of sources in raw mode. They appear in no other list.',
    query: z
      .object({
        ...pageQuery,
        ...sourceNaming,
        action: choice(engagementType.options).optional(),
        since: instant.optional().describe('Detected at or after this time.'),
        until: lastInstant
          .optional()
          .describe('Detected at or before this time; a date alone means the end of that day.'),
        includeInactive: queryBoolean.optional().describe('Include raw leads of untracked sources; default false.'),
      })
      .superRefine(judgeCombination),
    success: rawLeadPage,
    errors: ['not_found'],
  }),
  operation('explainLead', 'GET /leads/{leadId}/why', {
    summary: 'Explain why a lead was not delivered',
    description:
      "Free. Returns why the lead was not sent to its source's webhook, in the dashboard's wording, and what " +
      'would change it. Raw leads are never delivered and cannot be looked up here.',
    params: z.object({ leadId: idInPath.describe('Id of a lead.') }),
    success: leadWhy,
    errors: ['not_found'],
  }),
  operation('listEngagers', 'GET /engagers', {
    summary: 'List people who engaged, most recent first',
    description:
      'Takes the same filters as the list of leads. The matching lead rows are grouped by person; counts, types ' +
      'and times cover only the matching rows.',
    query: listFilters,
    success: engagerPage,
    errors: ['not_found'],
  }),
] as const
