import { shareIdOf } from '../../world/activity-id.ts'
import type { Comment, Post } from '../../world/engagement.ts'
import type { ContentType } from '../../world/posts.ts'
import { hash32 } from '../../world/random.ts'
import type { Hit } from '../../world/search.ts'
import type { Reply } from '../exchange.ts'
import { cardOf } from '../presentation.ts'
import { known, listIn, oneOf, REACTION_WALL, readToken } from '../query.ts'
import { commentIn, companyIn, personIn, postIn } from '../references.ts'
import { found } from '../search.ts'
import type { VendorContext } from '../vendor.ts'
import { list, pageByToken, single } from './envelope.ts'
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
    const company = companyOf(context, 'query', 'url', 'universalName', 'companyId')
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
    return list(context, { entityId: post.id, rows, total, size: ENGAGEMENT_PAGE }, (row, index) =>
      reactionRow(context, row, { postId: post.id, row: index }),
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
    const { id, replies } = comment
    const token = context.query.paginationToken
    const page = token ? readToken(token, id) / REPLIES_PAGE + 1 : 1
    const authorUrn = cardOf(post.author).urn
    return list(context, { entityId: id, rows: replies, page, size: REPLIES_PAGE, scope: id }, (row, index) =>
      commentRow(context, row, { postId: post.id, authorUrn, row: index, parentId: id }),
    )
  },
}

const given = (context: VendorContext, names: readonly string[]): string =>
  oneOf(context.query, names, `one of ${names.join(', ')} is required`)
const personOf = (context: VendorContext, ...names: string[]) => personIn(context.network, given(context, names))
const companyOf = (context: VendorContext, ...names: string[]) => companyIn(context.network, given(context, names))
const postOf = (context: VendorContext, ...names: string[]) => postIn(context.network, given(context, names))

/** `scrapePostedLimit` ends the list, `postedLimit` leaves out rows of its pages. */
function posts(context: VendorContext, authorId: string, all: Post[]): Reply {
  const isInList = isWithin(context, 'scrapePostedLimit')
  const isShown = isWithin(context, 'postedLimit')
  const rows = all.filter(({ postedAtMs }) => isInList(postedAtMs))
  const page = pageByToken(context, authorId)
  return list(context, { entityId: authorId, rows, page, size: POSTS_PAGE, scope: authorId }, (post) =>
    isShown(post.postedAtMs) ? postElement(context, post) : undefined,
  )
}

function comments(context: VendorContext, { id, author, comments: all }: Post): Reply {
  const isShown = isWithin(context, 'postedLimit')
  const byDate = context.query.sortBy === 'date'
  const rows = sorted(all, byDate).filter(({ atMs }) => isShown(atMs))
  const paging = byDate ? {} : { page: pageByToken(context, id), scope: id }
  const authorUrn = cardOf(author).urn
  return list(context, { entityId: id, rows, size: ENGAGEMENT_PAGE, ...paging }, (row, index) =>
    commentRow(context, row, { postId: id, authorUrn, row: index }),
  )
}

function sorted(rows: readonly Comment[], byDate: boolean): Comment[] {
  return [...rows].sort((a, b) => (byDate ? b.atMs - a.atMs : b.likes - a.likes))
}

/** Whether an instant is within the span of a parameter; every instant is without one. */
function isWithin({ query, now }: VendorContext, name: string): (atMs: number | null) => boolean {
  const days = LIMITS[query[name] ?? '']
  return (atMs) => days === undefined || (atMs !== null && atMs > now.getTime() - days * 86_400_000)
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
  return list(context, { entityId: 'search', rows, size: SEARCH_PAGE, scope }, (hit) => foundElement(context, hit))
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
