import { shareIdOf } from '../../world/activity-id.ts'
import type { Comment, Post } from '../../world/engagement.ts'
import { slugOf } from '../../world/names.ts'
import type { Person } from '../../world/people.ts'
import type { ContentType } from '../../world/posts.ts'
import { hash32 } from '../../world/random.ts'
import type { Hit } from '../../world/search.ts'
import { ok, type Reply } from '../exchange.ts'
import {
  BadQuery,
  claimedTotal,
  known,
  listIn,
  numberIn,
  oneOf,
  pageOf,
  REACTION_WALL,
  readToken,
  tokenFor,
} from '../query.ts'
import { companyIn, personIn } from '../references.ts'
import { found } from '../search.ts'
import type { VendorContext } from '../vendor.ts'
import { commentRow, likeRow, postData } from './posts.ts'
import { companyData, fullProfile } from './profiles.ts'

/** A success in LinkdAPI's envelope. */
export function success(data: unknown): Reply {
  return ok({ success: true, statusCode: 200, message: 'Data retrieved successfully', errors: null, data })
}

/** A failure. `status` is the HTTP status, `statusCode` the one in the body (not found is 404 in an HTTP 200). */
export function failed(status: number, statusCode: number, message: string): Reply {
  return { status, body: { success: false, statusCode, message, errors: [message], data: null } }
}

/** `answer` returns undefined when nothing is found. */
type Operation = { credits: number; answer(context: VendorContext): Reply | undefined }

const FIRST_POSTS = 100
const MORE_POSTS = 20
const LIKES_PAGE = 10
const COMMENTS_MAX = 50

/** By path below `/api/v1/`. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'profile/username-to-urn': of(
    (context) => personIn(context.network, given(context, 'username')),
    (person) => success({ urn: person.id, username: person.handle }),
  ),
  'profile/full': of(
    (context) => personIn(context.network, given(context, 'username', 'urn')),
    (person, { network }) => success(fullProfile(network, person)),
  ),
  'companies/company/universal-name-to-id': of(
    (context) => companyIn(context.network, given(context, 'universalName')),
    (company) => success({ id: company.id, universalName: company.slug }),
  ),
  'companies/company/info': {
    ...of(
      (context) => companyIn(context.network, context.query.id ?? slugOf(given(context, 'name'))),
      (company) => success(companyData(company)),
    ),
    credits: 2,
  },
  'companies/company/info-v2': of(
    (context) => companyIn(context.network, given(context, 'id')),
    (company) => success({ company: companyData(company) }),
  ),
  'companies/company/posts': {
    credits: 1,
    answer: (context) => {
      const id = given(context, 'id')
      if (!/^\d+$/.test(id)) return failed(422, 422, 'id must be numeric')
      const company = companyIn(context.network, id)
      return company && companyPosts(context, context.network.postsOf({ company: company.slug }))
    },
  },
  'search/posts': { credits: 1, answer: searchPosts },
  'posts/all': of((context) => personIn(context.network, given(context, 'urn')), personPosts),
  'posts/info': of(postNumbered, (post, context) =>
    success({
      post: postData(context, post),
      comments: flat(post)
        .slice(0, 10)
        .map(({ comment, parentId }, row) => commentRow(context, comment, { postId: post.id, row, parentId })),
    }),
  ),
  'posts/likes': of(postNumbered, likes),
  'posts/comments': of(postNumbered, comments),
}

function of<T>(find: (context: VendorContext) => T | undefined, answer: (found: T, context: VendorContext) => Reply) {
  return {
    credits: 1,
    answer(context: VendorContext): Reply | undefined {
      const found = find(context)
      return found && answer(found, context)
    },
  }
}

const given = (context: VendorContext, ...names: string[]): string =>
  oneOf(context.query, names, `${names.join(' or ')} is required`)

function personPosts(person: Person, context: VendorContext): Reply {
  const cursor = context.query.cursor
  const offset = cursor ? readToken(cursor, person.id) : numberIn(context.query, 'start')
  const all = context.network.postsOf(person.handle)
  const size = offset === 0 ? FIRST_POSTS : MORE_POSTS
  const { rows, more } = pageOf(all, { offset, size }, context.fault)
  return success({
    cursor: more ? tokenFor(person.id, offset + size) : null,
    // A third of the posts lack their text, as at the vendor.
    posts: rows.map((post) => postData(context, post, { withText: hash32(post.id, 95) % 3 !== 0 })),
  })
}

function companyPosts(context: VendorContext, all: Post[]): Reply {
  const { rows } = pageOf(all, { offset: numberIn(context.query, 'start'), size: MORE_POSTS }, context.fault)
  return success({ posts: rows.map((post) => postData(context, post)) })
}

function likes(post: Post, context: VendorContext): Reply {
  const window = { offset: numberIn(context.query, 'start'), size: LIKES_PAGE }
  const { rows } = pageOf(post.reactions.slice(0, REACTION_WALL), window, context.fault)
  const totalLikes = claimedTotal(post.declared.reactions, window, context.fault)
  return success({
    currentPage: Math.floor(window.offset / LIKES_PAGE) + 1,
    pages: Math.ceil(totalLikes / LIKES_PAGE),
    totalLikes,
    likes: rows.map((row, index) => likeRow(context, row, window.offset + index)),
  })
}

function comments(post: Post, context: VendorContext): Reply {
  const cursor = context.query.cursor
  const count = Math.min(COMMENTS_MAX, numberIn(context.query, 'count', { otherwise: 10, least: 1 }))
  const offset = cursor ? readToken(cursor, post.id) : numberIn(context.query, 'start')
  const { rows, more } = pageOf(flat(post), { offset, size: count }, context.fault)
  return success({
    cursor: more ? tokenFor(post.id, offset + count) : null,
    comments: rows.map(({ comment, parentId }, index) =>
      commentRow(context, comment, { postId: post.id, row: offset + index, parentId }),
    ),
  })
}

function flat(post: Post): Array<{ comment: Comment; parentId?: string }> {
  return post.comments.flatMap((comment) => [
    { comment },
    ...comment.replies.map((reply) => ({ comment: reply, parentId: comment.id })),
  ])
}

function postNumbered(context: VendorContext): Post | undefined {
  const urn = given(context, 'urn')
  if (!/^\d+$/.test(urn)) throw new BadQuery('urn must be a numeric activity id')
  return context.network.post(urn)
}

const SEARCH_PAGE = 10
const DAYS: Readonly<Record<string, number>> = { 'past-24h': 1, 'past-week': 7, 'past-month': 30, 'past-year': 365 }
const CONTENT: Readonly<Record<string, ContentType>> = {
  videos: 'video',
  photos: 'image',
  jobs: 'job',
  liveVideos: 'live_video',
  documents: 'document',
  collaborativeArticles: 'collaborative_article',
}

/** `/search/posts`: ten per page from `start`; filters by current job title, not by headline. */
function searchPosts(context: VendorContext): Reply {
  const { query } = context
  const window = { offset: numberIn(query, 'start'), size: SEARCH_PAGE }
  const hits = found(context, {
    term: query.keyword ?? '',
    byDate: known(query, 'sortBy', { relevance: false, date_posted: true }) ?? false,
    days: known(query, 'datePosted', DAYS),
    contentType: known(query, 'contentType', CONTENT),
    industries: single(query.authorIndustry),
    employers: single(query.authorCompany),
    authorWords: query.authorJobTitle || undefined,
    fromPeople: single(query.fromMember),
    fromPages: listIn(query, 'fromOrganization'),
    namedPeople: single(query.mentionsMember),
    namedPages: listIn(query, 'mentionsOrganization'),
  })
  const { rows, more } = pageOf(hits, window, context.fault)
  return success({
    posts: rows.map((hit) => foundPost(context, hit)),
    total: claimedTotal(hits.length, window, context.fault),
    start: window.offset,
    count: rows.length,
    hasMore: more,
  })
}

function foundPost(context: VendorContext, hit: Hit): unknown {
  const post = context.network.post(hit.id)
  if (!post) return null
  const { url, ...made } = postData(context, post)
  if (!hit.facts.inGroup) return { ...made, postID: hit.id, postURL: url }
  const urn = `urn:li:groupPost:8765432-${shareIdOf(hit.id)}`
  return { ...made, urn, postID: shareIdOf(hit.id), postURL: `https://www.linkedin.com/feed/update/${urn}` }
}

/** A single value: a comma is part of it, so a list finds nothing. */
const single = (value: string | undefined): string[] => (value === undefined || value === '' ? [] : [value.trim()])
