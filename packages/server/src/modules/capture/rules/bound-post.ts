/** The bounds that a run holds against each of its posts (KRN-07, KRN-08). */
import type { PostPlace, Run, RunPost } from '../../runs/index.ts'
import { firstPhase } from './next-step.ts'

/** Where a post stands after a page; `seen`: entries of its present phase; `reached`: a bound has cut it short. */
export interface BoundedPost {
  readonly after: PostPlace
  readonly seen: number
  readonly reached: boolean
}

/**
 * Where the post of a page stands when the bounds of its run are held against it: done when it has given all it may (KRN-07),
 * on to the next kind of engagement when enough of this one was seen (KRN-08).
 */
export function boundPost(
  perPost: Run['policy']['perPost'],
  { post, after, entries }: { readonly post: RunPost; readonly after: PostPlace; readonly entries: number },
  { stop, rows }: { readonly stop: string | null; readonly rows: number },
): BoundedPost {
  const seen = post.seen + entries
  const done = { phase: 'done', provider: null, cursor: null, replies: [] } as const
  if (stop === 'post' || (perPost.rows !== null && post.rowsTaken + rows >= perPost.rows))
    return { after: done, seen, reached: false }
  // The rest of the page waits for the post's next turn, and the post stays where it is until then.
  if (stop === 'turn')
    return {
      after: { phase: post.phase, provider: post.provider, cursor: post.cursor, replies: post.replies },
      seen,
      reached: false,
    }
  if (after.phase !== post.phase || after.phase === 'done' || perPost.entries === null || seen < perPost.entries)
    return { after, seen, reached: false }
  if (post.phase === 'reactions')
    return {
      after: { ...done, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) },
      seen,
      reached: true,
    }
  // Comments left unread: the replies that the read ones named are still asked for.
  return {
    after: post.phase === 'comments' && after.replies.length > 0 ? { ...after, phase: 'replies', cursor: null } : done,
    seen,
    reached: true,
  }
}
