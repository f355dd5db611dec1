/** Which posts count for whom, and how many people a run weighs (specification «Discover» 1 to 4). */
import type { Post } from '../../../providers/ports.ts'
import { authorOf } from '../../capture/rules/engagements.ts'
import type { Engagement } from '../../leads/rules/engagement.ts'

/** A post that counts for its author. */
export type Counted = { readonly author: Engagement; readonly engagement: number; readonly post: Post }

const dayMs = 86_400_000
/** The longest month; a vendor that is asked for the past month and answers with older posts is not believed. */
const lookBackDays = 31
/** No post has more engagement; a vendor's slip must not end in a number that no column holds. */
const mostEngagement = 10_000_000

/** Reactions of all types plus comments; what the vendor did not count is nothing. Reposts and views are no engagement. */
export const engagementOf = (post: Pick<Post, 'totalReactionCount' | 'commentsCount'>): number =>
  Math.min(mostEngagement, Math.max(0, post.totalReactionCount ?? 0) + Math.max(0, post.commentsCount ?? 0))

/** The post as it counts, null when it does not: a company page's, one whose author nobody can name, one older than a month. */
export function countedPost(post: Post, now: Date): Counted | null {
  const author = authorOf(post)
  if (author === 'company' || author === 'unknown') return null
  if (post.postedAt !== null && now.getTime() - Date.parse(post.postedAt) > lookBackDays * dayMs) return null
  return { author, engagement: engagementOf(post), post }
}

/** How many profiles a run looks up for their country at most (DIS-23). */
export const mostLookUps = (maxInfluencers: number): number => Math.min(500, Math.max(100, 5 * maxInfluencers))

/** How many of the ranked people a run weighs: without a country list nobody beyond the limit is needed. */
export const mostWeighed = (run: { readonly countries: readonly string[]; readonly maxInfluencers: number }): number =>
  run.countries.length === 0 ? run.maxInfluencers : mostLookUps(run.maxInfluencers)

/** The author of a post that counts, as the lead to be; a post that does not count is a bug. */
export function authorLead(post: Post): Engagement {
  const author = authorOf(post)
  if (typeof author === 'string') throw new Error(`post ${post.urn} has no author to add`)
  return author
}
