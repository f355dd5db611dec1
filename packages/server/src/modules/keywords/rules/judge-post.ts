/** What becomes of a found post: targeting that a vendor could not apply, then the expression, then the AI (G80; EXP-12, EXP-13). */
import type { Post, SearchFilters } from '../../../providers/ports.ts'
import { judgeByExpression, type Expression } from './expression.ts'
import { judgeTargeting, strays } from './targeting.ts'

/** The verdict on a post; one that `waits` is for the AI. */
export type PostVerdict =
  | { readonly kind: 'kept' }
  | { readonly kind: 'discarded'; readonly by: 'targeting' | 'expression'; readonly reason: string }
  | { readonly kind: 'waits' }
  /** As the AI judged it before, by the filter that is still in force. */
  | { readonly kind: 'known'; readonly outcome: 'kept' | 'discarded'; readonly reason: string | null }

/** What posts of a run are judged by. */
export type PostFilter = {
  readonly expression: Expression | null
  readonly filters: SearchFilters
  readonly unapplied: readonly (keyof SearchFilters)[]
  /** What names the AI filter in force; null without one. */
  readonly filter: string | null
}

/** What is known of a post from earlier runs; `filter` names the AI filter that it was judged by. */
export type KnownPost = {
  readonly outcome: 'kept' | 'discarded' | null
  readonly reason: string | null
  readonly filter: string | null
}

/** Judges a post; the AI is not asked about what is discarded before, nor again about what it has judged. */
export function judgePost(
  post: Pick<Post, 'text' | 'author'>,
  postFilter: PostFilter,
  known: KnownPost | undefined,
): PostVerdict {
  const missed = judgeTargeting(post.author, postFilter.filters, postFilter.unapplied)
  if (missed !== null) return { kind: 'discarded', by: 'targeting', reason: missed }
  const judgement =
    postFilter.expression === null ? { kept: true as const } : judgeByExpression(postFilter.expression, post.text ?? '')
  if (!judgement.kept) return { kind: 'discarded', by: 'expression', reason: judgement.reason }
  if (strays(post.author, postFilter.filters))
    return { kind: 'discarded', by: 'targeting', reason: 'The author is none of those whose posts were asked for' }
  if (postFilter.filter === null) return { kind: 'kept' }
  if (known?.filter === postFilter.filter && known.outcome !== null)
    return { kind: 'known', outcome: known.outcome, reason: known.reason }
  return { kind: 'waits' }
}
