import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, NetworkProvider } from '../../ports.ts'
import { commentKeysInUrl, parentsFirst } from '../normal/comments.ts'
import { readRows } from '../normal/lenient.ts'
import { readActor, showsNobody } from '../normal/people.ts'
import { readReaction } from '../normal/posts.ts'
import { instant } from '../normal/times.ts'
import { cursorNumber, cursorText, decideEnd, pageOf } from '../paging.ts'
import type { LinkdClient } from './client.ts'
import { numberOf } from './posts.ts'
import { comment, commentsPage, like, likesPage, type LinkdAuthor } from './schemas.ts'

/** Rows of every list of engagement. */
const PAGE_SIZE = 10

/** A page of reactions. */
const reactionsOf =
  (client: LinkdClient): NetworkProvider['reactions'] =>
  async (post, cursor, options) => {
    const operation = 'reactions'
    const start = cursorNumber(cursor, 'start') ?? 0
    const read = likesPage.safeParse(
      await client.data(
        { operation, path: '/posts/likes', query: { urn: numberOf(operation, post.urn), start } },
        options,
      ),
    )
    if (!read.success) throw client.malformed(operation, 'the answer has no likes')
    const { likes: rows, pages: totalPages, totalLikes: total } = read.data
    const { items, unreadable } = readRows(rows, like, {
      who: (row) => row.actor,
      normalise: (row) => {
        const actor = readWho(row.actor)
        return actor && { actor, reaction: readReaction(row.reactionType) }
      },
    })
    if (unreadable) throw client.malformed(operation, 'no row is a reaction')
    const { last, cutShort } = decideEnd({
      page: Math.floor(start / PAGE_SIZE) + 1,
      served: rows.length,
      total,
      totalPages,
      pageSize: PAGE_SIZE,
    })
    return pageOf(items, { next: last ? null : { start: start + PAGE_SIZE }, total, cutShort })
  }

/** A page of comments and their replies, parents first. */
const commentsOf =
  (client: LinkdClient): NetworkProvider['comments'] =>
  async (post, cursor, options) => {
    const operation = 'comments'
    const start = cursorNumber(cursor, 'start') ?? 0
    const token = cursorText(cursor, 'cursor')
    const query = { urn: numberOf(operation, post.urn), start, count: PAGE_SIZE, cursor: token }
    const read = commentsPage.safeParse(await client.data({ operation, path: '/posts/comments', query }, options))
    if (!read.success) throw client.malformed(operation, 'the answer has no comments')
    const { comments: rows, cursor: nextToken } = read.data
    const total = read.data.total ?? read.data.totalComments
    const { items, unreadable } = readRows(rows, comment, {
      who: (row) => row.author,
      normalise: (row) => {
        const keys = commentKeysInUrl(row.permalink)
        const actor = readWho(row.author)
        return (
          keys &&
          actor && {
            id: keys.id,
            actor,
            text: cleanTextOrNull(row.comment, TEXT_LIMITS.text),
            postedAt: instant(row.createdAt, null),
            parentId: keys.parentId,
          }
        )
      },
    })
    if (unreadable) throw client.malformed(operation, 'no row is a comment')
    const claimsMore = nextToken !== null && nextToken !== '' && nextToken !== token
    const cutShort = rows.length === 0 && (claimsMore || (total !== null && start < total))
    return {
      ...pageOf(parentsFirst(items), {
        next: rows.length > 0 && claimsMore ? { start: start + rows.length, cursor: nextToken } : null,
        total,
        cutShort,
      }),
      moreReplies: [],
      ...(total === null ? {} : { countsReplies: true }),
    }
  }

/** Replies come with the comments; no page of this vendor ever names more of them. */
const repliesOf =
  (client: LinkdClient): NetworkProvider['replies'] =>
  async () => {
    throw client.malformed('replies', 'replies come with the comments')
  }

/** Reactions, and comments with their replies in one flat list. */
export function linkdEngagement(client: LinkdClient): Pick<NetworkProvider, 'reactions' | 'comments' | 'replies'> {
  return { reactions: reactionsOf(client), comments: commentsOf(client), replies: repliesOf(client) }
}

function readWho(raw: LinkdAuthor | null | undefined): Actor | null {
  if (!raw || showsNobody(raw)) return null
  return readActor({
    type: raw.type,
    ids: [raw.urn, raw.id],
    name: raw.name,
    headline: raw.headline,
    url: raw.url,
    avatar: raw.profilePictureURL,
  })
}
