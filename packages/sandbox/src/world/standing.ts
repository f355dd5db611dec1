import type { Actor } from './directory.ts'
import type { Comment, Engagement, Reaction } from './engagement.ts'
import type { PostFacts } from './posts.ts'

/** A post as it stands at one moment: `declared` is what the network claims, the lists are what exists. */
export type Post = PostFacts & {
  author: Actor
  declared: { reactions: number; comments: number; byType: Array<{ type: string; count: number }> }
  /** Reactions so far, newest first. */
  reactions: readonly Reaction[]
  /** Comments so far, newest first (seeded ones in the order given), each with its replies so far. */
  comments: readonly Comment[]
}

/** A post with all the engagement it will ever have, and the counts it declares where they are overridden. */
type WholePost = {
  facts: PostFacts
  engagement: Engagement
  declaredReactions?: number | undefined
  declaredComments?: number | undefined
}

/** A post as it stands at the moment `nowMs`. */
export function standing({ facts, engagement, ...overridden }: WholePost, author: Actor, nowMs: number): Post {
  const reactions = engagement.reactions.filter((reaction) => reaction.atMs <= nowMs)
  const comments = engagement.comments
    .filter((comment) => comment.atMs <= nowMs)
    .map((comment) => soFar(comment, nowMs))
  const declaredReactions = overridden.declaredReactions ?? reactions.length
  return {
    ...facts,
    author,
    reactions,
    comments,
    shares:
      facts.postedAtMs !== null && facts.finalReactions > 0
        ? Math.floor(facts.shares * (reactions.length / facts.finalReactions))
        : facts.shares,
    declared: {
      reactions: declaredReactions,
      comments: overridden.declaredComments ?? comments.reduce((sum, comment) => sum + 1 + comment.replies.length, 0),
      byType: byType(reactions, declaredReactions),
    },
  }
}

const soFar = (comment: Comment, nowMs: number): Comment =>
  comment.replies.length === 0
    ? comment
    : { ...comment, replies: comment.replies.filter((reply) => reply.atMs <= nowMs) }

/** The declared counts by type, most first; all are likes where the declared count is not the true one. */
function byType(reactions: readonly Reaction[], declared: number): Array<{ type: string; count: number }> {
  if (declared !== reactions.length) return declared > 0 ? [{ type: 'LIKE', count: declared }] : []
  const counts = new Map<string, number>()
  for (const reaction of reactions) counts.set(reaction.type, (counts.get(reaction.type) ?? 0) + 1)
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count)
}
