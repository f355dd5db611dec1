import { shareIdOf } from '../../world/activity-id.ts'
import type { Post } from '../../world/network.ts'
import { ago, cardOf, LINKS, postUrl } from '../presentation.ts'
import type { VendorContext } from '../vendor.ts'

/** What a reader of the network could do with a post; the same for all. */
const SOCIAL_CONTENT = {
  hideCommentsCount: false,
  hideReactionsCount: false,
  hideSocialActivityCounts: false,
  hideShareAction: false,
  hideSendAction: false,
  hideRepostsCount: false,
  hideViewsCount: false,
  hideReactAction: false,
  hideCommentAction: false,
  showContributionExperience: false,
  showSocialDetail: true,
}

/** The HarvestAPI Post shape; a repost carries its original in `repost`. */
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
    contentAttributes: [],
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
    newsletterUrl: null,
    newsletterTitle: null,
    shareUrn: `urn:li:share:${shareIdOf(post.id)}`,
    shareLinkedinUrl: `https://www.linkedin.com/feed/update/urn:li:share:${shareIdOf(post.id)}`,
    socialContent: { ...SOCIAL_CONTENT, shareUrl: `${url}?` },
    engagement: {
      id: post.id,
      likes: post.declared.reactions,
      comments: post.declared.comments,
      shares: post.shares,
      reactions: post.declared.byType,
    },
    comments: [],
  }
}

/** The fields for what a post carries: a link, pictures, a video, a document, an article or a poll. */
function attachmentsOf(post: Post): Record<string, unknown> {
  return {
    ...(LINKS[post.contentType]
      ? {
          article: {
            title: 'More',
            subtitle: 'linkedin.com',
            link: `${LINKS[post.contentType]}${shareIdOf(post.id)}/`,
            linkLabel: null,
            description: null,
            image: null,
          },
        }
      : {}),
    postImages:
      post.contentType === 'image'
        ? [{ url: media(post, 'feedshare-shrink_1280'), width: 1280, height: 720, expiresAt: 1798761600000 }]
        : [],
    ...(post.contentType === 'video'
      ? { postVideo: { thumbnailUrl: media(post, 'videocover-high'), videoUrl: media(post, 'mp4-720p') } }
      : {}),
    ...(post.contentType === 'document'
      ? { document: { title: 'Slides', transcribedDocumentUrl: media(post, 'document-pdf'), totalPageCount: 9 } }
      : {}),
    ...(post.contentType === 'article'
      ? {
          article: {
            title: 'The long version',
            subtitle: 'blog.example',
            link: `https://blog.example/${post.id}`,
            linkLabel: null,
            description: null,
            image: null,
          },
        }
      : {}),
    ...(post.contentType === 'poll'
      ? {
          poll: {
            question: 'What do you think?',
            options: [{ text: 'Yes' }, { text: 'No' }],
            totalVotes: post.declared.reactions * 2,
          },
        }
      : {}),
  }
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
    avatar: card.picture ? { url: card.picture, width: 800, height: 800, expiresAt: 1798761600000 } : null,
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
