import { shareIdOf } from '../../world/activity-id.ts'
import type { Comment, Post } from '../../world/engagement.ts'
import { slugOf } from '../../world/names.ts'
import type { ContentType } from '../../world/posts.ts'
import { hash32 } from '../../world/random.ts'
import type { Hit } from '../../world/search.ts'
import { ok, type Reply } from '../exchange.ts'
import { cardOf } from '../presentation.ts'
import { known, listIn, numberIn, oneOf, REACTION_WALL, readToken, tokenFor } from '../query.ts'
import { commentIn, companyIn, personIn, postIn } from '../references.ts'
import { found } from '../search.ts'
import type { VendorContext } from '../vendor.ts'
import { list, single } from './envelope.ts'
import { commentRow, postElement, reactionRow } from './posts.ts'
import { companyElement, profileElement } from './profiles.ts'

type Operation = (context: VendorContext) => Reply | undefined

const POSTS_PAGE = 50
const ENGAGEMENT_PAGE = 100
const REPLIES_PAGE = 10
const LIMITS: Record<string, number> = {
  '1h': 1 / 24,
  '24h': 1,
  week: 7,
  month: 30,
  '3months': 91,
  '6months': 182,
  year: 365,
}

/** HarvestAPI's operations by the last part of their path; undefined: not found. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'profile-id': (context) => {
    const person = personOf(context, 'publicIdentifier', 'url')
    return person && single(context, person.id, { id: person.id, publicIdentifier: person.handle })
  },
  profile: (context) => {
    const person = personOf(context, 'query', 'url', 'publicIdentifier', 'profileId')
    return person && single(context, person.id, profileElement(person, context.query.main === 'true'))
  },
  company: (context) => {
    const { search } = context.query
    const company = search
      ? companyIn(context.network, slugOf(search))
      : companyOf(context, 'query', 'url', 'universalName', 'companyId')
    return company && single(context, company.id, companyElement(company))
  },
  'profile-posts': (context) => {
    const person = personOf(context, 'profileId', 'profilePublicIdentifier', 'profile')
    return person && posts(context, person.id, context.network.postsOf(person.handle))
  },
  'company-posts': (context) => {
    const company = companyOf(context, 'companyId', 'companyUniversalName', 'company')
    return company && posts(context, company.id, context.network.postsOf({ company: company.slug }))
  },
  post: (context) => {
    const post = postOf(context, 'url', 'post')
    return post && single(context, post.id, postElement(context, post))
  },
  'post-search': postSearch,
  'post-reactions': (context) => {
    const post = postOf(context, 'post')
    if (!post) return undefined
    const rows = post.reactions.slice(0, REACTION_WALL)
    const total = post.declared.reactions
    return list(
      context,
      { entityId: post.id, rows, total, page: pageIn(context), size: ENGAGEMENT_PAGE },
      (row, index) => reactionRow(context, row, { postId: post.id, row: index }),
    )
  },
  'post-comments': (context) => {
    const post = postOf(context, 'post')
    return post && comments(context, post)
  },
  'post-comment-replies': (context) => {
    const ids = commentIn(given(context, ['url']))
    const post = ids && context.network.post(ids.postId)
    const comment = post?.comments.find((row) => row.id === ids?.commentId)
    if (!post || !comment) return undefined
    const token = context.query.paginationToken
    const page = token ? readToken(token, comment.id) / REPLIES_PAGE + 1 : 1
    const author = cardOf(post.author).urn
    return list(
      context,
      {
        entityId: comment.id,
        rows: comment.replies,
        total: comment.replies.length,
        page,
        size: REPLIES_PAGE,
        token: (offset) => tokenFor(comment.id, offset),
      },
      (row, index) =>
        commentRow(context, row, { postId: post.id, authorUrn: author, row: index, parentId: comment.id }),
    )
  },
}

const given = (context: VendorContext, names: readonly string[]): string =>
  oneOf(context.query, names, `one of ${names.join(', ')} is required`)
const personOf = (context: VendorContext, ...names: string[]) => personIn(context.network, given(context, names))
const companyOf = (context: VendorContext, ...names: string[]) => companyIn(context.network, given(context, names))
const postOf = (context: VendorContext, ...names: string[]) => postIn(context.network, given(context, names))

const pageIn = (context: VendorContext): number => numberIn(context.query, 'page', { otherwise: 1, least: 1 })

function posts(context: VendorContext, authorId: string, all: Post[]): Reply {
  const asked = pageIn(context)
  const token = context.query.paginationToken
  if (token) readToken(token, authorId)
  const within = LIMITS[context.query.scrapePostedLimit ?? '']
  const rows = within === undefined ? all : all.filter((post) => isWithin(post.postedAtMs, within, context.now))
  const page = asked > 1 && !token ? 1 : asked
  const shown = LIMITS[context.query.postedLimit ?? '']
  const reply = list(
    context,
    {
      entityId: authorId,
      rows,
      total: rows.length,
      page,
      size: POSTS_PAGE,
      shownPage: asked,
      token: (offset) => tokenFor(authorId, offset),
    },
    (post) => ({ post }),
  )
  const body = reply.body as { elements: Array<{ post: Post }> }
  const elements = body.elements
    .filter(({ post }) => shown === undefined || isWithin(post.postedAtMs, shown, context.now))
    .map(({ post }) => postElement(context, post))
  return ok({ ...body, elements })
}

function comments(context: VendorContext, post: Post): Reply {
  const byDate = context.query.sortBy === 'date'
  const asked = pageIn(context)
  const token = context.query.paginationToken
  if (token) readToken(token, post.id)
  const within = LIMITS[context.query.postedLimit ?? '']
  const rows = sorted(post.comments, byDate).filter(
    (comment) => within === undefined || isWithin(comment.atMs, within, context.now),
  )
  const page = !byDate && asked > 1 && !token ? 1 : asked
  const author = cardOf(post.author).urn
  return list(
    context,
    {
      entityId: post.id,
      rows,
      total: rows.length,
      page,
      size: ENGAGEMENT_PAGE,
      shownPage: asked,
      ...(byDate ? {} : { token: (offset: number) => tokenFor(post.id, offset) }),
    },
    (row, index) => commentRow(context, row, { postId: post.id, authorUrn: author, row: index }),
  )
}

function sorted(rows: readonly Comment[], byDate: boolean): Comment[] {
  return [...rows].sort((a, b) => (byDate ? b.atMs - a.atMs : b.likes - a.likes))
}

function isWithin(atMs: number | null, days: number, now: Date): boolean {
  return atMs !== null && atMs > now.getTime() - days * 86_400_000
}

const SEARCH_PAGE = 50
const SEARCH_DAYS: Readonly<Record<string, number>> = { '24h': 1, week: 7, month: 30 }
const SEARCH_CONTENT: Readonly<Record<string, ContentType>> = {
  videos: 'video',
  images: 'image',
  jobs: 'job',
  live_videos: 'live_video',
  documents: 'document',
  collaborative_articles: 'collaborative_article',
}

/** `/linkedin/post-search`: fifty per page; `sortBy=date` selects the newest but leaves each page unordered. */
function postSearch(context: VendorContext): Reply {
  const { query } = context
  const byDate = known(query, 'sortBy', { relevance: false, date: true }) ?? false
  const hits = found(context, {
    term: query.search ?? '',
    byDate,
    days: known(query, 'postedLimit', SEARCH_DAYS),
    contentType: known(query, 'contentType', SEARCH_CONTENT),
    industries: listIn(query, 'authorsIndustryId'),
    employers: listIn(query, 'authorsCompanyId', 'authorsCompany'),
    authorWords: query.authorKeywords || undefined,
    fromPeople: listIn(query, 'profileId', 'profile'),
    fromPages: listIn(query, 'companyId', 'company'),
    namedPeople: listIn(query, 'mentioningMember'),
    namedPages: listIn(query, 'mentioningCompany'),
  })
  const scope = `search ${query.search ?? ''}`
  if (query.paginationToken) readToken(query.paginationToken, scope)
  const rows = byDate ? shuffledByPage(hits) : hits
  return list(
    context,
    {
      entityId: 'search',
      rows,
      total: rows.length,
      page: pageIn(context),
      size: SEARCH_PAGE,
      token: (offset) => tokenFor(scope, offset),
    },
    (hit) => foundElement(context, hit),
  )
}

/** Some rows carry the share's id, with the activity's id only in `engagement.id`; a post in a group has no activity id. */
function foundElement(context: VendorContext, hit: Hit): unknown {
  const post = context.network.post(hit.id)
  const made = post && postElement(context, post)
  if (!made) return null
  if (hit.facts.inGroup) {
    const urn = `urn:li:groupPost:8765432-${shareIdOf(hit.id)}`
    return {
      ...made,
      id: urn,
      entityId: urn,
      linkedinUrl: `https://www.linkedin.com/feed/update/${urn}`,
      shareUrn: null,
      shareLinkedinUrl: null,
      engagement: { ...(made.engagement as object), id: urn },
    }
  }
  if (hash32(hit.id, 97) % 50 !== 0) return made
  const share = shareIdOf(hit.id)
  return {
    ...made,
    id: share,
    entityId: share,
    linkedinUrl: String(made.linkedinUrl).replace(`activity-${hit.id}`, `share-${share}`),
  }
}

function shuffledByPage(hits: readonly Hit[]): Hit[] {
  return hits
    .map((hit, at) => ({ hit, page: Math.floor(at / SEARCH_PAGE), turn: hash32(hit.id, 98) }))
    .sort((a, b) => a.page - b.page || a.turn - b.turn)
    .map(({ hit }) => hit)
}
