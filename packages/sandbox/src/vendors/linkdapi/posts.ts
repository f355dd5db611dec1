import { shareIdOf } from '../../world/activity-id.ts'
import type { Comment, Post, Reaction } from '../../world/engagement.ts'
import { ago, cardOf, LINKS, postUrl, rowCard, type Card } from '../presentation.ts'
import { commentUrl } from '../references.ts'
import type { VendorContext } from '../vendor.ts'

/** LinkdAPI's post; `withText: false` simulates the vendor's missing texts. A repost contains its original. */
export function postData(
  context: Pick<VendorContext, 'network' | 'now'>,
  post: Post,
  { withText = true, nested = false }: { withText?: boolean; nested?: boolean } = {},
): Record<string, unknown> {
  const original = post.repostOf && !nested ? context.network.post(post.repostOf) : undefined
  const author = cardOf(post.author)
  return {
    text: withText ? post.text : '',
    url: postUrl(post),
    urn: `urn:li:activity:${post.id}`,
    ...(original && post.text === '' ? { header: `${author.name} reposted this` } : {}),
    author: authorOf(author),
    postedAt:
      post.postedAtMs === null
        ? null
        : {
            timestamp: post.postedAtMs,
            fullDate: fullDate(post.postedAtMs),
            relativeDay: ago(post.postedAtMs, context.now).short,
          },
    edited: post.edited,
    engagements: {
      totalReactions: post.declared.reactions,
      commentsCount: post.declared.comments,
      repostsCount: post.shares,
      reactions: post.declared.byType.map(({ type, count }) => ({ reactionType: type, reactionCount: count })),
    },
    mediaContent: mediaOf(post),
    resharedPostContent: original ? postData(context, original, { nested: true }) : null,
  }
}

function mediaOf({ id, contentType, postedAtMs }: Post): [{ type: string; url: string }] | null {
  if (LINKS[contentType]) {
    const type = contentType === 'live_video' ? 'video' : 'article'
    return [{ type, url: `${LINKS[contentType]}${shareIdOf(id)}/` }]
  }
  if (!['image', 'video', 'article', 'document'].includes(contentType)) return null
  const url = `https://media.network.example/dms/image/v2/D5622AQ${id}/${contentType}/0/${postedAtMs ?? 0}`
  return [{ type: contentType, url }]
}

export function likeRow(context: VendorContext, reaction: Reaction, row: number): Record<string, unknown> {
  const card = rowCard(context, reaction.actor, row)
  return {
    actor: {
      ...personOf(card),
      url:
        card.kind === 'person'
          ? `https://www.linkedin.com/in/${card.urn}`
          : `https://www.linkedin.com/company/${card.slug}/`,
    },
    reactionType: reaction.type,
  }
}

/** A row of `/posts/comments`: ids occur only in `permalink`, which for a reply also names the parent. */
export function commentRow(
  context: VendorContext,
  comment: Comment,
  { postId, row, parentId }: { postId: string; row: number; parentId?: string | undefined },
): Record<string, unknown> {
  const card = rowCard(context, comment.actor, row)
  return {
    author: {
      ...personOf(card),
      url:
        card.kind === 'person'
          ? `https://www.linkedin.com/in/${card.slug}`
          : `https://www.linkedin.com/company/${card.slug}/`,
    },
    comment: comment.text,
    createdAt: comment.atMs,
    permalink: commentUrl(postId, comment.id, parentId),
    edited: comment.edited,
    isPinned: comment.pinned,
    engagements: {
      totalReactions: comment.likes,
      commentsCount: comment.replies.length,
      reactions: comment.likes > 0 ? [{ reactionType: 'LIKE', reactionCount: comment.likes }] : [],
    },
  }
}

/** A page's id appears in two forms; without a picture the key is absent. */
function authorOf(card: Card): Record<string, unknown> {
  const { profilePictureURL, ...shown } = personOf(card)
  const pictured = profilePictureURL === '' ? shown : { ...shown, profilePictureURL }
  return card.kind === 'person'
    ? { ...pictured, url: `https://www.linkedin.com/in/${card.slug}` }
    : {
        ...pictured,
        urn: `urn:li:fsd_company:${card.urn}`,
        id: card.urn,
        url: `https://www.linkedin.com/company/${card.slug}/posts`,
        type: 'COMPANY',
      }
}

function personOf(card: Card): Record<string, unknown> {
  return {
    name: card.name,
    headline: card.headline ?? '',
    urn: card.urn,
    id: card.kind === 'person' ? `urn:li:member:${card.memberNumber}` : `urn:li:company:${card.urn}`,
    profilePictureURL: card.picture ?? '',
  }
}

function fullDate(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`
}
