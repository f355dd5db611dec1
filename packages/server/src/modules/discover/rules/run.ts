/**
 * A run: what it is asked for (G90; DIS-22), how much of the network it reads for each keyword, which step is next, which posts count for
 * whom, and how many people it weighs.
 */
import { foldText } from '@les/contract'
import { cleanCountry } from '../../../platform/rules/countries.ts'
import type { PageAt, PageCursor, Post, VendorId } from '../../../providers/ports.ts'
import { authorOf } from '../../capture/rules/engagements.ts'
import type { Engagement } from '../../leads/rules/engagement.ts'

/** What a run looks for. */
export type RunRequest = {
  readonly keywords: readonly string[]
  readonly countries: readonly string[]
  readonly minEngagement: number
  readonly maxInfluencers: number
}

function onceEach(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const key = foldText(text)
    return !seen.has(key) && seen.add(key)
  })
}

/** Countries cleaned, and nothing twice: the same keyword again would find the same posts. */
export const cleanRequest = (request: RunRequest): RunRequest => ({
  ...request,
  keywords: onceEach(request.keywords),
  countries: onceEach(request.countries.map(cleanCountry)),
})

/** How far the search of one keyword has come. */
export type Place = {
  readonly at: PageAt | null
  readonly pages: number
  readonly posts: number
  readonly done: boolean
}

/** Where every search begins. */
export const beginning: Place = { at: null, pages: 0, posts: 0, done: false }

/**
 * A search is over when it has read 500 posts, or 40 pages: with fifty posts a page that is 10 pages, with ten a page 400 posts, both
 * within the 250 to 700 posts of DIS-13. It is over sooner when the network has no more.
 */
export const readBounds = { posts: 500, pages: 40 } as const

/** How far a search has come after a page that showed `shown` posts. */
export function afterPage(
  place: Place,
  page: { readonly shown: number; readonly next: PageCursor | null; readonly source: VendorId },
): Place {
  const [pages, posts] = [place.pages + 1, place.posts + page.shown]
  const done = page.next === null || posts >= readBounds.posts || pages >= readBounds.pages
  return { at: page.next === null ? null : { from: page.source, cursor: page.next }, pages, posts, done }
}

/** The keyword whose page is next: the one of which least was read, so that a run stopped early has read of all; null when all are over. */
export function nextPlace(places: readonly Place[]): number | null {
  let next: number | null = null
  places.forEach((place, index) => {
    if (!place.done && (next === null || place.pages < places[next]!.pages)) next = index
  })
  return next
}

/** The next step of a run that is not over; `search` names the keyword by its place in the list. */
export type Step =
  | { readonly kind: 'search'; readonly index: number }
  | { readonly kind: 'rank' }
  | { readonly kind: 'check' }
  | { readonly kind: 'add' }

/** Decides it: read posts, rank people, look profiles up, add people. */
export function nextStep(run: {
  readonly phase: 'search' | 'check' | 'add' | 'over'
  readonly places: readonly Place[]
}): Step {
  if (run.phase === 'check') return { kind: 'check' }
  if (run.phase !== 'search') return { kind: 'add' }
  const index = nextPlace(run.places)
  return index === null ? { kind: 'rank' } : { kind: 'search', index }
}

export type Counted = { readonly author: Engagement; readonly engagement: number; readonly post: Post }

const dayMs = 86_400_000
/** The longest month; a vendor that is asked for the past month and answers with older posts is not believed. */
const lookBackDays = 31
/** No post has more engagement; a vendor's slip must not end in a number that no column holds. */
const maxEngagement = 10_000_000

/** Reactions of all types plus comments; what the vendor did not count is nothing. Reposts and views are no engagement. */
export const engagementOf = (post: Pick<Post, 'totalReactionCount' | 'commentsCount'>): number =>
  Math.min(maxEngagement, Math.max(0, post.totalReactionCount ?? 0) + Math.max(0, post.commentsCount ?? 0))

/** The post as it counts, null when it does not: a company page's, one whose author nobody can name, one older than a month. */
export function countedPost(post: Post, now: Date): Counted | null {
  const author = authorOf(post)
  if (typeof author === 'string') return null
  if (post.postedAt !== null && now.getTime() - Date.parse(post.postedAt) > lookBackDays * dayMs) return null
  return { author, engagement: engagementOf(post), post }
}

/** How many profiles a run looks up for their country at most (DIS-23). */
export const maxLookUps = (maxInfluencers: number): number => Math.min(500, Math.max(100, 5 * maxInfluencers))

/** How many of the ranked people a run weighs: without a country list nobody beyond the limit is needed. */
export const maxWeighed = (run: { readonly countries: readonly string[]; readonly maxInfluencers: number }): number =>
  run.countries.length === 0 ? run.maxInfluencers : maxLookUps(run.maxInfluencers)

/** The author of a post that counts, as the lead to be; a post that does not count is a bug. */
export function authorLead(post: Post): Engagement {
  const author = authorOf(post)
  if (typeof author === 'string') throw new Error(`post ${post.urn} has no author to add`)
  return author
}
