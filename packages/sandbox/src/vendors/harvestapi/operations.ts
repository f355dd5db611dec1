import { slugOf } from '../../world/names.ts'
import type { Comment } from '../../world/engagement.ts'
import type { Post } from '../../world/network.ts'
import { cardOf } from '../presentation.ts'
import { numberIn, REACTION_WALL, readToken, tokenFor } from '../paging.ts'
import { commentIn, companyIn, personIn, postIn } from '../references.ts'
import { BadQuery, type Reply, type VendorContext } from '../vendor.ts'
import { companyElement } from './company.ts'
import { commentRow, reactionRow } from './engagement.ts'
import { list, single } from './envelope.ts'
import { postElement } from './post.ts'
import { profileElement } from './profile.ts'
import { postSearch } from './search.ts'

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

/** HarvestAPI's operations by the last part of their path; undefined means the thing asked for does not exist. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'profile-id': (context) => {
    const person = personIn(context.network, oneOf(context, 'publicIdentifier', 'url'))
    return person && single(context, person.id, { id: person.id, publicIdentifier: person.handle })
  },
  profile: (context) => {
    const person = personIn(context.network, oneOf(context, 'query', 'url', 'publicIdentifier', 'profileId'))
    return person && single(context, person.id, profileElement(person, context.query.main === 'true'))
  },
  company: (context) => {
    const search = context.query.search
    const company = companyIn(
      context.network,
      search ? slugOf(search) : oneOf(context, 'query', 'url', 'universalName', 'companyId'),
    )
    return company && single(context, company.id, companyElement(company))
  },
  'profile-posts': (context) => {
    const person = personIn(context.network, oneOf(context, 'profileId', 'profilePublicIdentifier', 'profile'))
    return person && posts(context, person.id, context.network.postsOf(person.handle))
  },
  'company-posts': (context) => {
    const company = companyIn(context.network, oneOf(context, 'companyId', 'companyUniversalName', 'company'))
    return company && posts(context, company.id, context.network.postsOf({ company: company.slug }))
  },
  post: (context) => {
    const post = postIn(context.network, oneOf(context, 'url', 'post'))
    return post && single(context, post.id, postElement(context, post))
  },
  'post-search': postSearch,
  'post-reactions': (context) => {
    const post = postIn(context.network, oneOf(context, 'post'))
    const rows = post?.reactions.slice(0, REACTION_WALL) ?? []
    return (
      post &&
      list(
        context,
        {
          entityId: post.id,
          rows,
          total: post.declared.reactions,
          page: pageIn(context),
          size: ENGAGEMENT_PAGE,
        },
        (row, index) => reactionRow(context, row, { postId: post.id, row: index }),
      )
    )
  },
  'post-comments': (context) => {
    const post = postIn(context.network, oneOf(context, 'post'))
    return post && comments(context, post)
  },
  'post-comment-replies': (context) => {
    const ids = commentIn(oneOf(context, 'url'))
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
  return { status: 200, body: { ...body, elements } }
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

function oneOf(context: VendorContext, ...names: string[]): string {
  for (const name of names) {
    const value = context.query[name]
    if (value !== undefined && value !== '') return value
  }
  throw new BadQuery(`one of ${names.join(', ')} is required`)
}
