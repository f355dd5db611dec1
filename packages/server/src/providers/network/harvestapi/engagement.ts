import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, Comment, NetworkProvider, RepliesRef } from '../../ports.ts'
import { canBeKept, readRows } from '../normal/lenient.ts'
import { readActor, showsNobody } from '../normal/people.ts'
import { commentKeysInUrl, commentNumber, commentUrl, instant, postAddress, readReaction } from '../normal/posts.ts'
import { cursorNumber, cursorText, pageOf } from '../paging.ts'
import type { HarvestClient } from './client.ts'
import { numberedPage } from './posts.ts'
import { comment, type HarvestActor, type HarvestReply, reaction } from './schemas.ts'

/** HarvestAPI's reactions, comments and replies. */
export function harvestEngagement(client: HarvestClient): Pick<NetworkProvider, 'reactions' | 'comments' | 'replies'> {
  return {
    reactions: async (post, cursor, options) => {
      const operation = 'reactions'
      const query = { post: postAddress(post), page: cursorNumber(cursor, 'page') ?? 1 }
      const call = { operation, path: '/linkedin/post-reactions', query }
      const { rows, pagination } = await client.elements(call, options)
      const items = readRows(rows, reaction, {
        who: (row) => row.actor,
        normalise: (row) => {
          const actor = readWho(row.actor, row.id)
          return actor && { actor, reaction: readReaction(row.reactionType) }
        },
        unreadable: () => client.malformed(operation, 'no row is a reaction'),
      })
      return numberedPage(items, rows.length, cursor, pagination)
    },
    comments: async (post, cursor, options) => {
      const operation = 'comments'
      const page = cursorNumber(cursor, 'page') ?? 1
      const query = { post: postAddress(post), sortBy: 'date', page, paginationToken: cursorText(cursor, 'token') }
      const { rows, pagination } = await client.elements({ operation, path: '/linkedin/post-comments', query }, options)
      const moreReplies: RepliesRef[] = []
      const items = readRows(rows, comment, {
        who: (row) => row.actor,
        normalise: (row) => {
          const id = commentNumber(row.id) ?? commentKeysInUrl(row.linkedinUrl)?.id ?? null
          if (id === null) return null
          if ((row.engagement?.comments ?? 0) > row.replies.length)
            moreReplies.push({ commentId: id, cursor: { url: addressOf(row, post, id), page: 1 } })
          // Keep the replies to a comment whose author cannot be identified.
          return [readComment(row, null), ...row.replies.map((nested) => readComment(nested, id))].filter(
            (made) => made !== null,
          )
        },
        unreadable: () => client.malformed(operation, 'no row is a comment'),
      })
      return { ...numberedPage(items, rows.length, cursor, pagination), moreReplies }
    },
    replies: async (_post, ref, options) => {
      const operation = 'replies'
      const url = cursorText(ref.cursor, 'url')
      if (url === null) throw client.malformed(operation, 'the cursor names no comment')
      const page = cursorNumber(ref.cursor, 'page') ?? 1
      const token = cursorText(ref.cursor, 'token')
      const query = { url, page: page === 1 ? null : page, paginationToken: token }
      const call = { operation, path: '/linkedin/post-comment-replies', query }
      const { rows, pagination } = await client.elements(call, options)
      const items = readRows(rows, comment, {
        who: (row) => row.actor,
        normalise: (row) => readComment(row, ref.commentId),
        unreadable: () => client.malformed(operation, 'no row is a reply'),
      })
      const made = numberedPage(items, rows.length, ref.cursor, pagination)
      const nextToken = pagination?.paginationToken ?? null
      // This list continues by token only; without a new token there is no next page.
      if (made.next === null || nextToken === null || nextToken === token)
        return pageOf(items, { next: null, total: made.total, cutShort: made.cutShort })
      return { ...made, next: { url, page: page + 1, token: nextToken } }
    },
  }
}

const addressOf = ({ linkedinUrl: url }: HarvestReply, post: { urn: string }, id: string): string =>
  url !== null && canBeKept(url) ? url : commentUrl(post.urn, id)

function readComment(row: HarvestReply, parentId: string | null): Comment | null {
  const keys = commentKeysInUrl(row.linkedinUrl)
  const id = commentNumber(row.id) ?? keys?.id ?? null
  const actor = readWho(row.actor, null)
  if (id === null || actor === null) return null
  return {
    id,
    actor,
    text: cleanTextOrNull(row.commentary, TEXT_LIMITS.text),
    postedAt: instant(row.createdAtTimestamp, row.createdAt),
    parentId: parentId ?? keys?.parentId ?? null,
  }
}

function readWho(actor: HarvestActor | null | undefined, rowId: string | null): Actor | null {
  if (!actor || showsNobody(actor)) return null
  return readActor({
    type: actor.type,
    ids: [actor.id, rowId],
    name: actor.name,
    headline: actor.position,
    url: actor.linkedinUrl,
    avatar: actor.pictureUrl ?? actor.picture,
  })
}
