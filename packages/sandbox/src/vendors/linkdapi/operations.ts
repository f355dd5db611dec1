import type { Comment } from '../../world/engagement.ts'
import type { Post } from '../../world/network.ts'
import type { Person } from '../../world/people.ts'
import { hash32 } from '../../world/random.ts'
import { slugOf } from '../../world/names.ts'
import { claimedTotal, numberIn, pageOf, REACTION_WALL, readToken, tokenFor } from '../paging.ts'
import { companyIn, personIn } from '../references.ts'
import { BadQuery, type Reply, type VendorContext } from '../vendor.ts'
import { companyData } from './company.ts'
import { failed, success } from './envelope.ts'
import { commentRow, likeRow, postData } from './post.ts'
import { fullProfile, overviewProfile } from './profile.ts'
import { searchPosts } from './search.ts'

/** One operation: its price in credits and its answer (undefined: the thing asked for does not exist). */
export type Operation = { credits: number; answer(context: VendorContext): Reply | undefined }

const FIRST_POSTS = 100
const MORE_POSTS = 20
const LIKES_PAGE = 10
const COMMENTS_MAX = 50

/** LinkdAPI's operations by their path after `/api/v1/`. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'profile/username-to-urn': {
    credits: 1,
    answer: (context) => {
      const person = personIn(context.network, oneOf(context, 'username'))
      return person && success({ urn: person.id, username: person.handle })
    },
  },
  'profile/full': {
    credits: 1,
    answer: (context) => {
      const person = personIn(context.network, oneOf(context, 'username', 'urn'))
      return person && success(fullProfile(context.network, person))
    },
  },
  'profile/overview': {
    credits: 2,
    answer: (context) => {
      const person = personIn(context.network, oneOf(context, 'username'))
      return person && success(overviewProfile(person))
    },
  },
  'companies/company/universal-name-to-id': {
    credits: 1,
    answer: (context) => {
      const company = companyIn(context.network, oneOf(context, 'universalName'))
      return company && success({ id: company.id, universalName: company.slug })
    },
  },
  'companies/company/info': {
    credits: 2,
    answer: (context) => {
      const company = companyIn(context.network, context.query.id ?? slugOf(oneOf(context, 'name')))
      return company && success(companyData(company))
    },
  },
  'companies/company/info-v2': {
    credits: 1,
    answer: (context) => {
      const company = companyIn(context.network, oneOf(context, 'id'))
      return company && success({ company: companyData(company) })
    },
  },
  'companies/company/posts': {
    credits: 1,
    answer: (context) => {
      const id = oneOf(context, 'id')
      if (!/^\d+$/.test(id)) return failed(422, 422, 'id must be numeric')
      const company = companyIn(context.network, id)
      return company && companyPosts(context, context.network.postsOf({ company: company.slug }))
    },
  },
  'search/posts': { credits: 1, answer: searchPosts },
  'posts/all': {
    credits: 1,
    answer: (context) => {
      const person = personIn(context.network, oneOf(context, 'urn'))
      return person && personPosts(context, person)
    },
  },
  'posts/info': {
    credits: 1,
    answer: (context) => {
      const post = postNumbered(context)
      return (
        post &&
        success({
          post: postData(context, post),
          comments: flat(post)
            .slice(0, 10)
            .map((row, index) =>
              commentRow(context, row.comment, { postId: post.id, row: index, parentId: row.parentId }),
            ),
        })
      )
    },
  },
  'posts/likes': {
    credits: 1,
    answer: (context) => {
      const post = postNumbered(context)
      return post && likes(context, post)
    },
  },
  'posts/comments': {
    credits: 1,
    answer: (context) => {
      const post = postNumbered(context)
      return post && comments(context, post)
    },
  },
}

function personPosts(context: VendorContext, person: Person): Reply {
  const cursor = context.query.cursor
  const offset = cursor ? readToken(cursor, person.id) : numberIn(context.query, 'start')
  const all = context.network.postsOf(person.handle)
  const size = offset === 0 ? FIRST_POSTS : MORE_POSTS
  const { rows, more } = pageOf(all, { offset, size }, context.fault)
  return success({
    cursor: more ? tokenFor(person.id, offset + size) : null,
    posts: rows.map((post) => postData(context, post, { withText: hasText(post) })),
  })
}

function companyPosts(context: VendorContext, all: Post[]): Reply {
  const { rows } = pageOf(all, { offset: numberIn(context.query, 'start'), size: MORE_POSTS }, context.fault)
  return success({ posts: rows.map((post) => postData(context, post)) })
}

function likes(context: VendorContext, post: Post): Reply {
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

function comments(context: VendorContext, post: Post): Reply {
  const cursor = context.query.cursor
  const count = Math.min(COMMENTS_MAX, numberIn(context.query, 'count', { otherwise: 10, least: 1 }))
  const offset = cursor ? readToken(cursor, post.id) : numberIn(context.query, 'start')
  const { rows, more } = pageOf(flat(post), { offset, size: count }, context.fault)
  return success({
    cursor: more ? tokenFor(post.id, offset + count) : null,
    comments: rows.map((row, index) =>
      commentRow(context, row.comment, { postId: post.id, row: offset + index, parentId: row.parentId }),
    ),
  })
}

function flat(post: Post): Array<{ comment: Comment; parentId?: string }> {
  return post.comments.flatMap((comment) => [
    { comment },
    ...comment.replies.map((reply) => ({ comment: reply, parentId: comment.id })),
  ])
}

function hasText(post: Post): boolean {
  return hash32(post.id, 95) % 3 !== 0
}

function postNumbered(context: VendorContext): Post | undefined {
  const urn = oneOf(context, 'urn')
  if (!/^\d+$/.test(urn)) throw new BadQuery('urn must be a numeric activity id')
  return context.network.post(urn)
}

function oneOf(context: VendorContext, ...names: string[]): string {
  for (const name of names) {
    const value = context.query[name]
    if (value !== undefined && value !== '') return value
  }
  throw new BadQuery(`${names.join(' or ')} is required`)
}
