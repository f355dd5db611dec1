import { shareIdOf } from '../../world/activity-id.ts'
import type { Comment, Post, Reaction } from '../../world/engagement.ts'
import { ago, cardOf, LINKS, postUrl, rowCard, type Card } from '../presentation.ts'
import { commentUrl } from '../references.ts'
import type { VendorContext } from '../vendor.ts'
import unchanging from './unchanging.json' with { type: 'json' }

const EXPIRES = 1798761600000

/** HarvestAPI's post; a repost contains its original in `repost`. */
export function postElement(
  context: Pick<VendorContext, 'network' | 'now'>,
  post: Post,
  nested = false,
): Record<string, unknown> {
  const original = post.repostOf && !nested ? context.network.post(post.repostOf) : undefined
  const author = cardOf(post.author)
  const url = postUrl(post)
  return {
    id: post.id,
    entityId: post.id,
    linkedinUrl: url,
    content: post.text,
    author: authorOf(post),
    postedAt: postedAt(post, context.now),
    ...attachmentsOf(post),
    repostId: original?.id ?? null,
    ...(original
      ? {
          repost: postElement(context, original, true),
          repostedBy: {
            name: author.name,
            publicIdentifier: author.kind === 'person' ? author.slug : null,
            linkedinUrl: profileUrl(post),
          },
        }
      : {}),
    header: { text: original && post.text === '' ? `${author.name} reposted this` : null },
    shareUrn: `urn:li:share:${shareIdOf(post.id)}`,
    shareLinkedinUrl: `https://www.linkedin.com/feed/update/urn:li:share:${shareIdOf(post.id)}`,
    socialContent: { ...unchanging.socialContent, shareUrl: `${url}?` },
    engagement: {
      id: post.id,
      likes: post.declared.reactions,
      comments: post.declared.comments,
      shares: post.shares,
      reactions: post.declared.byType,
    },
    ...unchanging.post,
  }
}

const article = (title: string, subtitle: string, link: string) => ({
  article: { title, subtitle, link, linkLabel: null, description: null, image: null },
})

function attachmentsOf(post: Post): Record<string, unknown> {
  const { contentType } = post
  const postImages =
    contentType === 'image'
      ? [{ url: media(post, 'feedshare-shrink_1280'), width: 1280, height: 720, expiresAt: EXPIRES }]
      : []
  if (LINKS[contentType])
    return { ...article('More', 'linkedin.com', `${LINKS[contentType]}${shareIdOf(post.id)}/`), postImages }
  if (contentType === 'article')
    return { postImages, ...article('The long version', 'blog.example', `https://blog.example/${post.id}`) }
  if (contentType === 'video')
    return {
      postImages,
      postVideo: { thumbnailUrl: media(post, 'videocover-high'), videoUrl: media(post, 'mp4-720p') },
    }
  if (contentType === 'document') {
    const document = { title: 'Slides', transcribedDocumentUrl: media(post, 'document-pdf'), totalPageCount: 9 }
    return { postImages, document }
  }
  if (contentType !== 'poll') return { postImages }
  const options = [{ text: 'Yes' }, { text: 'No' }]
  return { postImages, poll: { question: 'What do you think?', options, totalVotes: post.declared.reactions * 2 } }
}

function authorOf(post: Post): Record<string, unknown> {
  const card = cardOf(post.author)
  const person = card.kind === 'person'
  return {
    id: card.urn,
    profileId: person ? card.urn : null,
    urn: person ? String(card.memberNumber) : card.urn,
    publicIdentifier: person ? card.slug : null,
    universalName: person ? null : card.slug,
    type: person ? 'profile' : 'company',
    name: card.name,
    linkedinUrl: profileUrl(post),
    info: card.headline,
    website: null,
    websiteLabel: null,
    avatar: card.picture ? { url: card.picture, width: 800, height: 800, expiresAt: EXPIRES } : null,
  }
}

function profileUrl(post: Post): string {
  const card = cardOf(post.author)
  return card.kind === 'person'
    ? `https://www.linkedin.com/in/${card.slug}?miniProfileUrn=urn%3Ali%3Afsd_profile%3A${card.urn}`
    : `https://www.linkedin.com/company/${card.slug}/posts`
}

function postedAt(post: Post, now: Date): Record<string, unknown> | null {
  if (post.postedAtMs === null) return null
  const { short, long } = ago(post.postedAtMs, now)
  return {
    timestamp: post.postedAtMs,
    date: new Date(post.postedAtMs).toISOString(),
    postedAgoShort: short,
    postedAgoText: `${long} • Visible to anyone on or off LinkedIn`,
  }
}

function media(post: Post, kind: string): string {
  return `https://media.network.example/dms/image/v2/D5622AQ${post.id}/${kind}/0/${post.postedAtMs ?? 0}?e=1798761600&v=beta`
}

const NESTED_REPLIES = 5

type Place = { readonly postId: string; readonly row: number; readonly parentId?: string }

/** A row of `/linkedin/post-reactions`: without a time; the actor's address contains the member id, not the slug. */
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

/** A row of `/linkedin/post-comments` or `-replies`: the actor's address contains the slug; at most five replies are nested. */
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
    ...unchanging.comment,
    pinned: comment.pinned,
    edited: comment.edited,
  }
}

function pictures(card: Card): Record<string, unknown> {
  return {
    pictureUrl: card.picture,
    picture: card.picture ? { url: card.picture, width: 400, height: 400, expiresAt: EXPIRES } : null,
  }
}
