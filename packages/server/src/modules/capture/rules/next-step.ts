/** What a run does next, where its posts go on, when a failed page is asked for again, and how a run ends. */
import { askedWait } from '../../../platform/rules/asked-wait.ts'
import type { PageAt, RepliesRef } from '../../../providers/ports.ts'
import type { PageRest, PostPlace, Run, RunPost } from '../../sources/index.ts'

/** One vendor page to ask for, or the end. */
export type Step =
  | { readonly kind: 'posts'; readonly at: PageAt | null }
  /** The post's author, known already: nothing is asked for. */
  | { readonly kind: 'author'; readonly post: RunPost }
  /** The rest of a page that was paid for: nothing is asked for. */
  | { readonly kind: 'rest'; readonly post: RunPost; readonly rest: PageRest }
  | { readonly kind: 'reactions'; readonly post: RunPost; readonly at: PageAt | null }
  | { readonly kind: 'comments'; readonly post: RunPost; readonly at: PageAt | null }
  | { readonly kind: 'replies'; readonly post: RunPost; readonly ref: RepliesRef }
  | { readonly kind: 'end' }

/** Decides the next step of a run at its current post. */
export function nextStep(run: Pick<Run, 'cursor'>, post: RunPost | undefined): Step {
  if (run.cursor.phase === 'posts') return { kind: 'posts', at: run.cursor.at }
  if (run.cursor.phase === 'search') throw new Error('a run that still searches is not for capture')
  if (!post) return { kind: 'end' }
  if (post.phase === 'author') return { kind: 'author', post }
  if (post.pageRest) return { kind: 'rest', post, rest: post.pageRest }
  if (post.phase === 'replies') return { kind: 'replies', post, ref: post.replies[0]! }
  const at = post.cursor === null || post.provider === null ? null : { from: post.provider, cursor: post.cursor }
  return { kind: post.phase === 'comments' ? 'comments' : 'reactions', post, at }
}

/** Where a post's engagement begins; a kind that it declares to have none of is skipped, as an empty page costs money. */
export function firstPhase(
  post: { reactions: number | null; comments: number | null },
  captureEngagers = true,
): RunPost['phase'] {
  if (!captureEngagers) return 'done'
  if (post.reactions !== 0) return 'reactions'
  return post.comments !== 0 ? 'comments' : 'done'
}

/** Where a post goes on without its current page, which cannot be read. */
export function placeWithout(post: Pick<RunPost, 'phase' | 'commentsDeclared' | 'replies' | 'provider'>): PostPlace {
  const replies = post.phase === 'replies' ? post.replies.slice(1) : post.replies
  const onward = { provider: post.provider, cursor: null, replies }
  if (post.phase === 'reactions')
    return { ...onward, provider: null, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) }
  return { ...onward, phase: replies.length > 0 ? 'replies' : 'done' }
}

/**
 * Lead rows of a post in its turn (G148): an equal share of the rest, at least one, so that each post gets one before any a
 * second.
 */
export const shareOf = (left: number, waiting: number): number => Math.max(1, Math.floor(left / Math.max(1, waiting)))

/** True when the posts declare engagement and nobody was shown: something did not read them (G114, G151). */
const isEmpty = ({ policy, declared, engagersSeen, cursor }: Ended): boolean =>
  policy.stores === 'leads' &&
  policy.engagers &&
  declared > 0 &&
  engagersSeen === 0 &&
  !(cursor.phase === 'engagement' && cursor.shown)

type Ended = Pick<Run, 'providerLimited' | 'engagersSeen' | 'declared' | 'policy' | 'cursor'>

/**
 * How a run ends that has read everything it could (G114, G115, G151). A keyword search names why it stopped, `post_limit` when
 * cut short (KRN-12, KRN-13), and shows an empty result only as its error; other sources show whether the vendor served less than
 * there is.
 */
export function endingOf(run: Ended): {
  stoppedBy: 'exhausted' | 'provider_limit' | 'capture_empty' | 'post_limit'
  errorCode: 'capture_empty' | null
} {
  if (run.policy.endings === 'cause')
    return {
      stoppedBy: run.cursor.phase === 'engagement' && run.cursor.limited ? 'post_limit' : 'exhausted',
      errorCode: isEmpty(run) ? 'capture_empty' : null,
    }
  if (isEmpty(run)) return { stoppedBy: 'capture_empty', errorCode: 'capture_empty' }
  return { stoppedBy: run.providerLimited ? 'provider_limit' : 'exhausted', errorCode: null }
}

/** Most reactions a vendor serves of one post; when it serves fewer, the rest may be hidden for other reasons. */
const maxReactionsServed = 1_000

/** True when the vendor stopped serving reactions although the post declares clearly more. */
export function hitProviderLimit(reactions: { seen: number; declared: number | null; cutShort: boolean }): boolean {
  if (reactions.declared === null || reactions.seen >= reactions.declared) return false
  return reactions.cutShort || (reactions.seen >= maxReactionsServed && reactions.seen < reactions.declared * 0.95)
}

/** `seen`: entries of its phase; `reached`: a bound cut it short; `endless`: that bound was `maxEntries`. */
interface BoundedPost {
  readonly after: PostPlace
  readonly seen: number
  readonly reached: boolean
  readonly endless: boolean
}

const done = { phase: 'done', provider: null, cursor: null, replies: [] } as const

const maxUndeclared = 50_000
const maxOfAny = 100_000

/** Most entries read of one list, clearly more than it declares: a vendor whose list never ends must not be paid for ever. */
export const maxEntries = (declared: number | null): number =>
  declared === null ? maxUndeclared : Math.min(2 * declared + 1_000, maxOfAny)

/**
 * Where a post goes on under the run's bounds: done when it gave all it may (KRN-07), the next kind of engagement when enough was
 * seen (KRN-08), or more than there can be.
 */
export function boundPost(
  perPost: Run['policy']['perPost'],
  { post, after, entries }: { post: RunPost; after: PostPlace; entries: number },
  { stop, rows }: { stop: string | null; rows: number },
): BoundedPost {
  const seen = post.seen + entries
  const [reached, endless] = [false, false]
  if (stop === 'post' || (perPost.rows !== null && post.rowsTaken + rows >= perPost.rows))
    return { after: done, seen, reached, endless }
  // The rest of the page waits for the post's next turn; until then the post stays where it is.
  if (stop === 'turn') {
    const { phase, provider, cursor, replies } = post
    return { after: { phase, provider, cursor, replies }, seen, reached, endless }
  }
  const goesOn = after.phase === post.phase && after.phase !== 'done'
  const limit = maxEntries(post.phase === 'reactions' ? post.reactionsDeclared : post.commentsDeclared)
  if (!goesOn || seen < Math.min(limit, perPost.entries ?? limit)) return { after, seen, reached, endless }
  return { after: nextKind(post, after), seen, reached: true, endless: seen >= limit }
}

function nextKind(post: RunPost, after: PostPlace): PostPlace {
  if (post.phase === 'reactions')
    return { ...done, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) }
  // With comments left unread, the replies that the read ones named are still asked for.
  return post.phase === 'comments' && after.replies.length > 0 ? { ...after, phase: 'replies', cursor: null } : done
}

const second = 1_000
const waits = [15 * second, 60 * second, 5 * 60 * second, 20 * 60 * second] as const

/** Service time after its start within which a run retries what it cannot read. */
const longestMs = 6 * 3_600 * second

/** True for a run that has retried and began long ago: an unreadable answer must not hold a run open for days. */
export const triedEnough = (run: { readonly attempts: number; readonly startedAt: Date | null }, now: Date): boolean =>
  run.attempts > 0 && run.startedAt !== null && now.getTime() - run.startedAt.getTime() > longestMs

/** When to retry after `attempts` failures, or null; a longer wait that the vendor asks for is kept, up to an hour. */
export function retryAt(attempts: number, now: Date, retryAfterMs: number | undefined): Date | null {
  const wait = waits[attempts]
  return wait === undefined ? null : new Date(now.getTime() + askedWait(wait, retryAfterMs, 3_600 * second))
}
