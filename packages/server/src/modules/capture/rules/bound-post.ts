/** The bounds that a run holds against each of its posts (KRN-07, KRN-08). */
import type { PostPlace, Run, RunPost } from '../../sources/index.ts'
import { firstPhase } from './next-step.ts'

/**
 * Where a post stands after a page; `seen`: entries of its present phase; `reached`: a bound has cut it short; `endless`: the one of
 * a list that does not end.
 */
export interface BoundedPost {
  readonly after: PostPlace
  readonly seen: number
  readonly reached: boolean
  readonly endless: boolean
}

const done = { phase: 'done', provider: null, cursor: null, replies: [] } as const

const mostUndeclared = 50_000
const mostOfAny = 100_000

/**
 * Entries of one kind of engagement that any run reads of a post at most: clearly more than it declares to have. A vendor that never
 * says which page is the last, or serves the same ones again and again, would else be asked, and paid, for ever.
 */
export const mostEntries = (declared: number | null): number =>
  declared === null ? mostUndeclared : Math.min(2 * declared + 1_000, mostOfAny)

/**
 * Where the post of a page stands when the bounds of its run are held against it: done when it has given all it may (KRN-07),
 * on to the next kind of engagement when enough of this one was seen (KRN-08), or more than there can be.
 */
export function boundPost(
  perPost: Run['policy']['perPost'],
  { post, after, entries }: { readonly post: RunPost; readonly after: PostPlace; readonly entries: number },
  { stop, rows }: { readonly stop: string | null; readonly rows: number },
): BoundedPost {
  const seen = post.seen + entries
  const [reached, endless] = [false, false]
  if (stop === 'post' || (perPost.rows !== null && post.rowsTaken + rows >= perPost.rows))
    return { after: done, seen, reached, endless }
  // The rest of the page waits for the post's next turn, and the post stays where it is until then.
  if (stop === 'turn') {
    const { phase, provider, cursor, replies } = post
    return { after: { phase, provider, cursor, replies }, seen, reached, endless }
  }
  const goesOn = after.phase === post.phase && after.phase !== 'done'
  const most = mostEntries(post.phase === 'reactions' ? post.reactionsDeclared : post.commentsDeclared)
  if (!goesOn || seen < Math.min(most, perPost.entries ?? most)) return { after, seen, reached, endless }
  return { after: nextKind(post, after), seen, reached: true, endless: seen >= most }
}

/** Where a post goes on of whose present kind of engagement enough was seen. */
function nextKind(post: RunPost, after: PostPlace): PostPlace {
  if (post.phase === 'reactions')
    return { ...done, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) }
  // Comments left unread: the replies that the read ones named are still asked for.
  return post.phase === 'comments' && after.replies.length > 0 ? { ...after, phase: 'replies', cursor: null } : done
}
