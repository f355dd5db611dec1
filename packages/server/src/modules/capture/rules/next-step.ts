/** What a run does next, and how it ends. */
import type { PageAt, RepliesRef } from '../../../providers/ports.ts'
import type { PageRest, Run, RunPost } from '../../sources/index.ts'

/** One vendor page to be asked for, or the end. */
export type Step =
  | { readonly kind: 'posts'; readonly at: PageAt | null }
  /** The author of the post, known already: no page is asked for. */
  | { readonly kind: 'author'; readonly post: RunPost }
  /** What is left of a page that the post has been asked for: nothing is asked. */
  | { readonly kind: 'rest'; readonly post: RunPost; readonly rest: PageRest }
  | { readonly kind: 'reactions'; readonly post: RunPost; readonly at: PageAt | null }
  | { readonly kind: 'comments'; readonly post: RunPost; readonly at: PageAt | null }
  | { readonly kind: 'replies'; readonly post: RunPost; readonly ref: RepliesRef }
  | { readonly kind: 'end' }

/** Decides the next step from where the run and its current post stand. */
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

/**
 * Where the engagement of a post begins: kinds that it declares to have none of are not asked for (an empty page costs
 * money), nor any when nobody wants its engagers.
 */
export function firstPhase(
  post: { reactions: number | null; comments: number | null },
  captureEngagers = true,
): RunPost['phase'] {
  if (!captureEngagers) return 'done'
  if (post.reactions !== 0) return 'reactions'
  return post.comments !== 0 ? 'comments' : 'done'
}

/** Where a post goes on without the page that it is at, which cannot be read. */
export function placeWithout(
  post: Pick<RunPost, 'phase' | 'commentsDeclared' | 'replies' | 'provider'>,
): Pick<RunPost, 'phase' | 'provider' | 'cursor' | 'replies'> {
  const replies = post.phase === 'replies' ? post.replies.slice(1) : post.replies
  const onward = { provider: post.provider, cursor: null, replies }
  if (post.phase === 'reactions')
    return { ...onward, provider: null, phase: firstPhase({ reactions: 0, comments: post.commentsDeclared }) }
  return { ...onward, phase: replies.length > 0 ? 'replies' : 'done' }
}

/**
 * Lead rows that a post takes in its turn (G148): an equal share of what the run may still take for each post that waits for this
 * turn, at least one, so that every post has had one before any has a second. What a post leaves of its share is the others'.
 */
export const shareOf = (left: number, waiting: number): number => Math.max(1, Math.floor(left / Math.max(1, waiting)))

/** True of a run whose posts declare engagement and have shown nobody at all: something did not read them (G114, G151). */
const isEmpty = ({ policy, declared, engagersSeen, cursor }: Ended): boolean =>
  policy.stores === 'leads' &&
  policy.engagers &&
  declared > 0 &&
  engagersSeen === 0 &&
  !(cursor.phase === 'engagement' && cursor.shown)

type Ended = Pick<Run, 'providerLimited' | 'engagersSeen' | 'declared' | 'policy' | 'cursor'>

/** How a run that found everything it could ends (G114, G115, G151); one whose search was left off says so (KRN-12, KRN-13). */
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

/** Reactions a vendor serves of one post at most; fewer may be hidden for other reasons (specification «Limits»). */
const wall = 1_000

/** True when the vendor stopped serving a post's reactions although it declares clearly more. */
export function hitProviderLimit(reactions: { seen: number; declared: number | null; cutShort: boolean }): boolean {
  if (reactions.declared === null || reactions.seen >= reactions.declared) return false
  return reactions.cutShort || (reactions.seen >= wall && reactions.seen < reactions.declared * 0.95)
}
