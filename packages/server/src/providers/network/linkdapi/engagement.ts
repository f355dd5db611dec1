import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, NetworkProvider } from '../../ports.ts'
import { readRows } from '../normal/lenient.ts'
import { readActor, showsNobody } from '../normal/people.ts'
import { commentKeysInUrl, instant, parentsFirst, readReaction } from '../normal/posts.ts'
import { cursorNumber, cursorText, decideEnd, pageOf } from '../paging.ts'
import type { LinkdClient } from './client.ts'
import { actorOf, numberOf } from './posts.ts'
import { comment, commentsPage, like, likesPage, type LinkdAuthor } from './schemas.ts'

const pageSize = 10

/** LinkdAPI's reactions, and comments with their replies in one flat list. */
export function linkdEngagement(client: LinkdClient): Pick<NetworkProvider, 'reactions' | 'comments' | 'replies'> {
  return {
    reactions: async (post, cursor, options) => {
      const operation = 'reactions'
      const start = cursorNumber(cursor, 'start') ?? 0
      const query = { urn: numberOf(operation, post.urn), start }
      const read = likesPage.safeParse(await client.data({ operation, path: '/posts/likes', query }, options))
      if (!read.success) throw client.malformed(operation, 'the answer has no likes')
      const { likes: rows, pages: totalPages, totalLikes: total } = read.data
      const items = readRows(rows, like, {
        who: (row) => row.actor,
        normalise: (row) => {
          const actor = readWho(row.actor)
          return actor && { actor, reaction: readReaction(row.reactionType) }
        },
        unreadable: () => client.malformed(operation, 'no row is a reaction'),
      })
      const page = Math.floor(start / pageSize) + 1
      const { last, cutShort } = decideEnd({ page, served: rows.length, total, totalPages, pageSize })
      return pageOf(items, { next: last ? null : { start: start + pageSize }, total, cutShort })
    },
    comments: async (post, cursor, options) => {
      const operation = 'comments'
      const start = cursorNumber(cursor, 'start') ?? 0
      const token = cursorText(cursor, 'cursor')
      const query = { urn: numberOf(operation, post.urn), start, count: pageSize, cursor: token }
      const read = commentsPage.safeParse(await client.data({ operation, path: '/posts/comments', query }, options))
      if (!read.success) throw client.malformed(operation, 'the answer has no comments')
      const { comments: rows, cursor: nextToken } = read.data
      const total = read.data.total ?? read.data.totalComments
      const items = readRows(rows, comment, {
        who: (row) => row.author,
        normalise: (row) => {
          const keys = commentKeysInUrl(row.permalink)
          const actor = readWho(row.author)
          if (keys === null || actor === null) return null
          const text = cleanTextOrNull(row.comment, TEXT_LIMITS.text)
          return { id: keys.id, actor, text, postedAt: instant(row.createdAt, null), parentId: keys.parentId }
        },
        unreadable: () => client.malformed(operation, 'no row is a comment'),
      })
      const claimsMore = nextToken !== null && nextToken !== '' && nextToken !== token
      const cutShort = rows.length === 0 && (claimsMore || (total !== null && start < total))
      const next = rows.length > 0 && claimsMore ? { start: start + rows.length, cursor: nextToken } : null
      return {
        ...pageOf(parentsFirst(items), { next, total, cutShort }),
        moreReplies: [],
        ...(total === null ? {} : { countsReplies: true }),
      }
    },
    // No page of this vendor lists `moreReplies`.
    replies: async () => {
      throw client.malformed('replies', 'replies come with the comments')
    },
  }
}

function readWho(raw: LinkdAuthor | null | undefined): Actor | null {
  return !raw || showsNobody(raw) ? null : readActor(actorOf(raw))
}
