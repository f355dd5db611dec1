import type { Comment, Reaction } from '../../world/engagement.ts'
import { rowCard, type Card } from '../presentation.ts'
import { commentUrl } from '../references.ts'
import type { VendorContext } from '../vendor.ts'

const EXPIRES = 1798761600000
const NESTED_REPLIES = 5

/** Where a row stands: its post, its number in the list, and for a reply the comment above it. */
type Place = { readonly postId: string; readonly row: number; readonly parentId?: string }

/** One row of `/linkedin/post-reactions`: no time, and the actor's address has the member id, not the slug. */
export function reactionRow(
  context: VendorContext,
  reaction: Reaction,
  { postId, row }: Place,
): Record<string, unknown> {
  const card = rowCard(context, reaction.actor, row)
  const person = card.kind === 'person'
  return {
    id: `urn:li:fsd_reaction:(urn:li:${person ? 'fsd_profile' : 'fsd_company'}:${card.urn},urn:li:activity:${postId},0)`,
    reactionType: reaction.type,
    postId: `urn:li:activity:${postId}`,
    actor: {
      id: card.urn,
      name: card.name,
      linkedinUrl: person
        ? `https://www.linkedin.com/in/${card.urn}`
        : `https://www.linkedin.com/company/${card.slug}/`,
      position: card.headline,
      ...pictures(card),
    },
  }
}

/** One row of `/linkedin/post-comments` or `-replies`: the actor's address has the real slug; at most five replies are nested. */
export function commentRow(
  context: VendorContext,
  comment: Comment,
  place: Place & { readonly authorUrn: string },
): Record<string, unknown> {
  const { postId, authorUrn, row, parentId } = place
  const card = rowCard(context, comment.actor, row)
  const person = card.kind === 'person'
  const replies = comment.replies
    .slice(0, NESTED_REPLIES)
    .map((reply, index) => commentRow(context, reply, { ...place, row: row * 7 + index + 1, parentId: comment.id }))
  return {
    id: comment.id,
    linkedinUrl: commentUrl(postId, comment.id, parentId),
    commentary: comment.text,
    commentaryAttributes: [],
    createdAt: new Date(comment.atMs).toISOString(),
    createdAtTimestamp: comment.atMs,
    postId: `urn:li:activity:${postId}`,
    actor: {
      id: card.urn,
      type: person ? 'profile' : 'company',
      name: card.name,
      linkedinUrl: person
        ? `https://www.linkedin.com/in/${card.slug}`
        : `https://www.linkedin.com/company/${card.slug}/`,
      position: card.headline,
      ...pictures(card),
      author: card.urn === authorUrn,
      ...(person ? {} : { universalName: card.slug }),
    },
    engagement: {
      likes: comment.likes,
      comments: comment.replies.length,
      shares: 0,
      reactions: comment.likes > 0 ? [{ type: 'LIKE', count: comment.likes }] : [],
    },
    ...(replies.length > 0 ? { replies } : {}),
    pinned: comment.pinned,
    contributed: false,
    edited: comment.edited,
  }
}

function pictures(card: Card): Record<string, unknown> {
  return {
    pictureUrl: card.picture,
    picture: card.picture ? { url: card.picture, width: 400, height: 400, expiresAt: EXPIRES } : null,
  }
}
