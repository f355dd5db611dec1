/** Rows of a vendor page as engagements of people: company pages and the post's own author are left out (G112, G113). */
import type { Comment, Reaction } from '../../../providers/ports.ts'
import { commentKey, reactionKey, type Engagement } from '../../leads/rules/engagement.ts'

/** What a page shows. */
export type Seen = {
  readonly engagements: readonly Engagement[]
  /** Everybody on the page, company pages and the author too: the page could be read. */
  readonly engagersSeen: number
}

type AboutPost = { readonly urn: string; readonly authorUrn: string | null }

/** Reactions as engagements. */
export function fromReactions(post: AboutPost, reactions: readonly Reaction[]): Seen {
  const engagements = reactions.flatMap(({ actor, reaction }): Engagement[] => {
    if (actor.kind !== 'person' || actor.urn === post.authorUrn) return []
    return [
      {
        key: reactionKey(post.urn, actor.urn),
        person: actor,
        type: 'Like',
        reaction,
        isReply: false,
        commentText: null,
        commentPostedAt: null,
      },
    ]
  })
  return { engagements, engagersSeen: reactions.length }
}

/** Comments and replies as engagements; replies only when the source captures them (TRK-45). */
export function fromComments(post: AboutPost, comments: readonly Comment[], captureReplies: boolean): Seen {
  const engagements = comments.flatMap((comment): Engagement[] => {
    const { actor } = comment
    if (actor.kind !== 'person' || actor.urn === post.authorUrn || (comment.parentId !== null && !captureReplies))
      return []
    return [
      {
        key: commentKey(post.urn, comment.id),
        person: actor,
        type: 'Comment',
        reaction: null,
        isReply: comment.parentId !== null,
        commentText: comment.text,
        commentPostedAt: comment.postedAt,
      },
    ]
  })
  return { engagements, engagersSeen: comments.length }
}
