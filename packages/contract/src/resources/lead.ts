import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { companyFields } from './company.ts'

/** How a person engaged, as `/leads` spells it: any reaction is a Like, a reply is a Comment (G116). */
export const engagementType = z.enum(['Like', 'Comment', 'Author'])

/** A lead's webhook delivery state (WHK-20). */
export const webhookStatus = z.enum(['pending', 'sent', 'failed', 'no_webhook'])

/** How far enrichment of a lead has come (G39); raw leads are never shown as leads. */
export const enrichmentStatus = z.enum(['pending', 'processing', 'completed', 'failed', 'skipped'])

/** Why leads were not enriched: their source was untracked before their turn (TRK-33). */
export const skippedReason = z.enum(['source_untracked'])

/** One engagement of one person with one post of a source (specification «Lead», G39, G111). */
export const lead = named('Lead', {
  id: uuid,
  name: textOrNull,
  engagementType,
  commentText: textOrNull,
  postPostedAt: isoDateTime.nullable().describe("The post's time."),
  commentPostedAt: isoDateTime.nullable().describe("The comment's own time; null for Likes and when unobtainable."),
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
  createdAt: isoDateTime.describe('When it was stored.'),
})

/** The paging that every list of leads carries (G37). */
export const paging = {
  total: integer.describe('Exact up to 10,000 matches and always when nothing is filtered.'),
  totalExact: z.literal(false).optional().describe('Present when total is a lower bound.'),
  limit: integer,
  offset: integer,
  hasMore: z.boolean(),
}

/** A page of leads. */
export const leadPage = named('LeadPage', { leads: z.array(lead), ...paging })
