import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { networkPost } from './post.ts'

/** A background job (specification «Job», G19). */
export const job = named('Job', {
  jobId: uuid,
  type: z.enum([
    'enrich_profile',
    'enrich_company',
    'profile_posts',
    'company_posts',
    'post_reactions',
    'post_comments',
    'post_company_comments',
    'sync',
  ]),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  result: z.record(z.string(), z.unknown()).optional().describe('Present only when the job is completed.'),
  error: z
    .looseObject({ status: integer, error: z.string(), code: z.string().optional() })
    .optional()
    .describe('Present only when the job failed.'),
  createdAt: isoDateTime,
  finishedAt: isoDateTime.nullable(),
})

const text = textOrNull
const whole = integer
const actor = z.object({ name: text, linkedinUrl: text, linkedinUrn: text, headline: text })
const postsResult = z
  .object({ posts: z.array(networkPost), paginationToken: text, hasMore: z.boolean() })
  .meta({ id: 'PostsResult' })
const commentsResult = named('PostCommentsResult', {
  postUrn: z.string(),
  page: whole,
  size: whole,
  comments: z.array(
    z.object({
      id: z.string(),
      author: actor,
      text,
      postedAt: isoDateTime.nullable(),
      isReply: z.boolean(),
      parentId: text,
    }),
  ),
  total: whole.nullable(),
  hasMore: z.boolean(),
})

/**
 * Results by job type (G21, G22, G32, G81), published as types of `Job.result`. Answers are not checked against them, so that
 * a result stored by an older version stays readable.
 */
export const jobResults = {
  enrich_profile: named('EnrichProfileResult', {
    creditsCharged: whole.describe('0 when every matching lead was already enriched.'),
    entityUrn: z.string(),
    leadsUpdated: whole,
    name: text,
    headline: text,
    jobTitle: text,
    company: text,
    country: text,
    linkedinUrl: z.string(),
    avatarUrl: text,
  }),
  enrich_company: named('EnrichCompanyResult', {
    creditsCharged: z.literal(0),
    leadsUpdated: whole,
    name: z.string(),
    username: z.string(),
    urn: z.string(),
    linkedinUrl: z.string(),
    website: text,
    industry: text,
    employeeCount: whole.nullable(),
    staffRange: text,
    headquarters: text,
    description: text,
    foundedYear: whole.nullable(),
    followerCount: whole.nullable(),
    specialties: z.array(z.string()),
    images: z.object({ logo: text, cover: text }),
  }),
  profile_posts: postsResult,
  company_posts: postsResult,
  post_reactions: named('PostReactionsResult', {
    postUrn: z.string(),
    page: whole,
    source: z.enum(['primary', 'fallback']),
    reactions: z.array(actor.extend({ reactionType: z.string() })),
    total: whole.nullable(),
    hasMore: z.boolean(),
  }),
  post_comments: commentsResult,
  post_company_comments: commentsResult,
  sync: named('SyncJobResult', {
    syncId: uuid,
    sourceId: uuid,
    stoppedBy: text,
    creditsSpent: whole,
    leadRowsCaptured: whole,
  }),
} as const

export type JobType = keyof typeof jobResults
