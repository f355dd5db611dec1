import { integer, isoDateTime, textOrNull, named, uuid } from '../values/index.ts'
import { z } from 'zod'
import { leadResults } from './result.ts'

/** Company fields of every lead and engager; null when unknown (specification «Lead», LED-17..LED-21). */
export const companyFields = {
  companyName: textOrNull,
  company: textOrNull.describe('Same as companyName.'),
  companyUrl: textOrNull.describe("The company's own website; never a URL on the network."),
  companyDomain: textOrNull.describe('Hostname of the website.'),
  companyLinkedinUrl: textOrNull.describe('The company page on the network.'),
  companyDescription: textOrNull,
  companyIndustry: textOrNull,
  companyLocation: textOrNull.describe('Headquarters.'),
  companyEmployeeCount: integer
    .nullable()
    .describe('Number of employees the company reports; can differ from companyStaffRange.'),
  companyStaffRange: textOrNull.describe('Size bucket, for example 51-200.'),
  companyEnrichedAt: isoDateTime
    .nullable()
    .describe('Null until the company is resolved. After that, a null company field means that no value exists.'),
}

/** As `/leads` spells it: any reaction is a Like, a reply is a Comment (G116). */
export const engagementType = z.enum(['Like', 'Comment', 'Author'])

/** WHK-20. */
export const webhookStatus = z.enum(['pending', 'sent', 'failed', 'no_webhook'])

/** Raw leads are never shown as leads (G39). */
export const enrichmentStatus = z.enum(['pending', 'processing', 'completed', 'failed', 'skipped'])

/** The source was untracked before its leads were enriched (TRK-33). */
export const skippedReason = z.enum(['source_untracked'])

/** Null unless the person is excluded (EXC-05). */
const excluded = z
  .object({
    list: z.string().describe('The list of the entry. `own_team` and `replied` also occur without an entry.'),
    entryId: uuid.nullable().describe('Null when the exclusion comes from a setting instead of an entry.'),
    reason: textOrNull,
  })
  .nullable()
  .describe('Set when the person is excluded: such people are captured and charged as usual, but not delivered.')

export const exclusionFields = {
  excluded,
  worksAtSource: z
    .boolean()
    .nullable()
    .describe(
      "True when the person works at the tracked company or at the tracked person's employer; null while an " +
        'employer is unknown.',
    ),
}

/** One engagement of one person with one post of a source (specification «Lead», G39, G111). */
export const lead = named('Lead', {
  id: uuid,
  name: textOrNull,
  engagementType,
  commentText: textOrNull,
  postPostedAt: isoDateTime.nullable().describe('When the post was published.'),
  commentPostedAt: isoDateTime
    .nullable()
    .describe('When the comment was written; null for Likes and when the time is unavailable.'),
  isIcp: z.boolean().nullable().describe('Null while the source has no ICP criteria.'),
  webhookStatus,
  linkedinUrl: z.string(),
  avatarUrl: textOrNull,
  headline: textOrNull,
  jobTitle: textOrNull,
  country: textOrNull,
  ...companyFields,
  sourceId: uuid.nullable(),
  sourceKind: z.enum(['keyword', 'post', 'profile', 'company', 'discover']),
  sourceLabel: textOrNull,
  postUrl: textOrNull,
  postUrn: textOrNull,
  enrichmentStatus,
  skippedReason: skippedReason.optional(),
  createdAt: isoDateTime.describe('When the lead was stored.'),
  ...exclusionFields,
  results: leadResults,
})

/** Paging fields of every list of leads (G37). */
export const paging = {
  total: integer.describe('Exact up to 10,000 matches; always exact without filters.'),
  totalExact: z.literal(false).optional().describe('Present when total is a lower bound.'),
  limit: integer,
  offset: integer,
  hasMore: z.boolean(),
}

export const leadPage = named('LeadPage', { leads: z.array(lead), ...paging })

/** One person, with all of their engagements that match the filters (G38, G133). */
export const engager = named('Engager', {
  id: uuid.describe("The person's newest matching lead row."),
  name: textOrNull,
  linkedinUrl: z.string(),
  avatarUrl: textOrNull,
  jobTitle: textOrNull,
  country: textOrNull,
  ...companyFields,
  isIcp: z
    .boolean()
    .nullable()
    .describe('True if any matching row is an ICP match; null while no row has been judged.'),
  engagementCount: integer.describe("Number of the person's matching lead rows."),
  engagementTypes: z.array(engagementType),
  lastEngagedAt: isoDateTime.describe('When the newest matching row was stored.'),
  sourceIds: z.array(uuid),
  ...exclusionFields,
  results: leadResults,
})

/** Engaged last comes first. `total` counts people: exact up to 10,000, above that a lower bound with `totalExact: false`. */
export const engagerPage = named('EngagerPage', { engagers: z.array(engager), ...paging })

const whyCodes = [
  'excluded',
  'not_fit',
  'waiting_for_enrichment',
  'not_enriched',
  'source_untracked',
  'no_source',
  'no_address',
  'captured_before',
  'sending_off',
  'webhook_off',
  'agent_leaves_out',
  'waiting',
  'held',
  'failed',
  'called_off',
  'settings_then',
] as const

export const leadWhyReason = z.object({
  code: z
    .enum(whyCodes)
    .describe(
      'captured_before: captured before the webhook got its current settings; no_address: the source has no ' +
        'webhook URL; waiting: a delivery is on its way or being retried; settings_then: the cause at that time ' +
        'can no longer be determined.',
    ),
  message: z.string().describe('The reason as a sentence.'),
  remedy: textOrNull.describe(
    'What would change it, as a sentence; null when nothing needs to be done or can be done.',
  ),
})

/** Whether a lead was delivered to its source's webhook, and if not, why. */
export const leadWhy = named('LeadWhy', {
  leadId: uuid.describe('The requested lead.'),
  delivered: z.boolean(),
  reasons: z.array(leadWhyReason).describe('All reasons; empty when the lead was delivered.'),
})

/** A lead captured in raw mode: never enriched, and only in the list of raw leads (specification «Raw lead»). */
export const rawLead = named('RawLead', {
  id: uuid,
  sourceId: uuid.nullable(),
  linkedinUrl: z.string(),
  linkedinUrn: textOrNull.describe('Member id; null when unknown.'),
  name: textOrNull.describe('Null when capture recorded only an id.'),
  action: engagementType,
  commentText: textOrNull,
  post: z.object({ url: textOrNull, urn: textOrNull, postedAt: isoDateTime.nullable() }),
  detectedAt: isoDateTime,
  ...exclusionFields,
  results: leadResults,
})

/** Newest first. */
export const rawLeadPage = named('RawLeadPage', { leads: z.array(rawLead), ...paging })
