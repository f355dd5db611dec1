/** Tag `posts`: posts seen by a watch, and live reads (specification «Post and engagement jobs», «Untracked posts read»). */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { networkPost, sourcePostPage } from '../resources/index.ts'
import type { Family } from './sources.ts'
import {
  bounds,
  companySlug,
  flag,
  idInPath,
  integer,
  personHandle,
  postUrnInPath,
  queryBoolean,
  queryInteger,
  refuserOf,
  pageQuery,
  uuid,
  wholeNumber,
  choice,
} from '../values/index.ts'

const operation = operationsOf('posts')
const sourceOperation = operationsOf('sources')

const postsJob = <const Id extends string, U extends z.ZodType>(
  id: Id,
  kind: { path: string; noun: string; username: U; example: string },
) =>
  operation(id, `POST ${kind.path}/posts`, {
    summary: `Fetch the newest posts of a tracked ${kind.noun}, as a job`,
    description: 'Free. Poll the job: its result is {posts, paginationToken, hasMore}.',
    body: z.object({
      username: kind.username,
      limit: wholeNumber(bounds.postsJobLimit)
        .optional()
        .describe(`Posts per page; default ${bounds.postsJobLimit.default}.`),
      paginationToken: z
        .string({ error: 'must be the paginationToken of an earlier result' })
        .max(bounds.paginationToken)
        .optional()
        .describe('The token from an earlier result; continues after that page.'),
    }),
    success: z.object({ jobId: uuid }),
    errors: ['not_tracked'],
    example: { username: kind.example },
  })

const heldPost = postUrnInPath.describe(
  'A stored post of the team: tracked, or found by a posts-only source or a keyword search.',
)
const page = wholeNumber(bounds.engagementPage).optional().describe('Zero-based; default 0.')
const engagementShared = {
  success: z.object({ jobId: uuid }),
  errors: ['not_found'],
} as const
const runsAtOnce =
  "Free. Runs at once, one after another with the team's other engagement reads: the job is completed or failed " +
  'when the response arrives. With more than 20 waiting reads, or after 30 seconds of waiting, the response is ' +
  '429 and no job is created.'

const commentsOf = <const Id extends string>(id: Id, path: string, summary: string) =>
  operation(id, `POST ${path}`, {
    ...engagementShared,
    summary,
    description: `${runsAtOnce} Result: {postUrn, page, size, comments, total, hasMore}.`,
    body: z.object({
      postUrn: heldPost,
      page,
      size: wholeNumber(bounds.commentsSize)
        .optional()
        .describe(`Comments per page; default ${bounds.commentsSize.default}.`),
      includeReplies: flag.optional().describe('Default true.'),
    }),
    example: { postUrn: 'urn:li:activity:7395000000000000001' },
  })

/** Refuses the paging parameters of earlier versions by name (UPR-11, VER-14). */
const readQuery = z
  .looseObject({
    posts: queryInteger(bounds.untrackedPosts).meta({
      description: 'Number of posts to read, newest first; no default.',
      openapi: { type: 'integer', minimum: bounds.untrackedPosts.min, maximum: bounds.untrackedPosts.max },
    }),
    confirmSpend: queryBoolean.optional().describe('True confirms the charge of one credit for each post returned.'),
  })
  .superRefine((query, context) => {
    for (const name of ['limit', 'paginationToken'])
      if (name in query)
        refuserOf(context)(name, 'is not taken here: this read has no pages, send `posts` (1 to 60) instead')
  })

const personUrl = /linkedin\.com\/(?:in|pub)\//i

const companyInRead = z
  .string()
  .superRefine((text, context) => {
    if (personUrl.test(text))
      context.addIssue({
        code: 'custom',
        continue: false,
        message:
          'must be a company page, and this is the address of a person: use GET /profile/{username}/posts with their handle',
      })
  })
  .pipe(companySlug)
  .meta({
    description: 'Slug of a company page, or its full URL.',
    openapi: { type: 'string', minLength: 1, maxLength: 2000 },
  })

const untrackedRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/posts`, {
    charges: true,
    rateBucket: 'untrackedPosts',
    summary: `Read the newest posts of any ${family.noun}, tracked or not`,
    description:
      'Costs one credit for each post returned; an empty result is free. Creates no source, sync or lead. Shares ' +
      'a limit of 10 calls per minute with the other untracked read (person or company).',
    params: family.params,
    query: readQuery,
    success: z.object({
      posts: z.array(networkPost),
      creditsCharged: integer,
      captured: z.literal(false),
      maxDepth: z.literal(bounds.untrackedPosts.max),
    }),
    errors: [
      'spend_confirmation_required',
      'insufficient_enriching_credits',
      'profile_not_found',
      'company_not_found',
      'provider_unavailable',
    ],
  })

export const postReadOperations = [
  sourceOperation('listSourcePosts', 'GET /sources/{id}/posts', {
    summary: 'List the posts a posts-only source has seen, newest first',
    description:
      'Free. Works for untracked sources too. A source in engagers mode that was never in posts-only mode is refused.',
    params: z.object({ id: idInPath }),
    query: z.object(pageQuery),
    success: sourcePostPage,
    errors: ['not_found'],
  }),
  postsJob('fetchProfilePosts', { path: '/profile', noun: 'person', username: personHandle, example: 'jane-doe' }),
  postsJob('fetchCompanyPosts', { path: '/company', noun: 'company', username: companySlug, example: 'acme' }),
  operation('fetchPostReactions', 'POST /post/reactions', {
    ...engagementShared,
    summary: "Fetch a page of a stored post's reactions",
    description: `${runsAtOnce} Result: {postUrn, page, source, reactions, total, hasMore}.`,
    body: z.object({
      postUrn: heldPost,
      page,
      source: choice(['primary', 'fallback'])
        .optional()
        .describe(
          'Omit on page 0; on later pages send the source that the previous page returned. Within an hour, the ' +
            'vendor that served page 0 also serves later pages, whatever you send.',
        ),
    }),
    example: { postUrn: 'urn:li:activity:7395000000000000001' },
  }),
  commentsOf('fetchPostComments', '/post/comments', "Fetch a page of a stored post's comments"),
  commentsOf(
    'fetchCompanyPostComments',
    '/post/company-comments',
    'Fetch a page of comments on a stored post of a company page',
  ),
  untrackedRead('readProfilePosts', {
    path: '/profile/{username}',
    params: z.object({ username: personHandle }),
    noun: 'person',
  }),
  untrackedRead('readCompanyPosts', {
    path: '/company/{username}',
    params: z.object({ username: companyInRead }),
    noun: 'company',
  }),
] as const
