import type { Post } from '../world/network.ts'

/** A post as the control addresses show it: counts instead of lists. */
export type PostSummary = {
  id: string
  urn: string
  author: { kind: 'person' | 'company'; id: string; name: string; slug: string }
  postedAt: string | null
  text: string
  contentType: string
  repostOf: string | null
  reactions: number
  comments: number
  replies: number
  declared: Post['declared']
}

/** Sums a post up. */
export function summaryOf(post: Post): PostSummary {
  const author =
    post.author.kind === 'person'
      ? {
          kind: post.author.kind,
          id: post.author.person.id,
          name: post.author.person.name,
          slug: post.author.person.handle,
        }
      : {
          kind: post.author.kind,
          id: post.author.company.id,
          name: post.author.company.name,
          slug: post.author.company.slug,
        }
  return {
    id: post.id,
    urn: `urn:li:activity:${post.id}`,
    author,
    postedAt: post.postedAtMs === null ? null : new Date(post.postedAtMs).toISOString(),
    text: post.text,
    contentType: post.contentType,
    repostOf: post.repostOf,
    reactions: post.reactions.length,
    comments: post.comments.length,
    replies: post.comments.reduce((sum, comment) => sum + comment.replies.length, 0),
    declared: post.declared,
  }
}
