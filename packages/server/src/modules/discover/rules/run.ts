/** Rules of a run (G90; DIS-22): what it reads per keyword, its next step, which posts count, and how many people it weighs. */
import { foldText } from '@les/contract'
import { cleanCountry } from '../../../platform/rules/countries.ts'
import type { PageAt, PageCursor, Post, VendorId } from '../../../providers/ports.ts'
import { authorOf } from '../../capture/rules/engagements.ts'
import type { Engagement } from '../../leads/rules/engagement.ts'

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

/** Normalises countries and removes duplicates: a repeated keyword would find the same posts. */
export const cleanRequest = (request: RunRequest): RunRequest => ({
  ...request,
  keywords: onceEach(request.keywords),
  countries: onceEach(request.countries.map(cleanCountry)),
})

export type Place = {
  readonly at: PageAt | null
  readonly pages: number
  readonly posts: number
  readonly done: boolean
}

export const beginning: Place = { at: null, pages: 0, posts: 0, done: false }

/**
 * A search ends after 500 posts or 40 pages, or when the network has no more. Fifty posts a page make 10 pages, ten a page make
 * 400 posts: both within the 250 to 700 posts of DIS-13.
 */
const readBounds = { posts: 500, pages: 40 } as const

/** The progress after a page that showed `shown` posts. */
export function afterPage(
  place: Place,
  page: { readonly shown: number; readonly next: PageCursor | null; readonly source: VendorId },
): Place {
  const [pages, posts] = [place.pages + 1, place.posts + page.shown]
  const done = page.next === null || posts >= readBounds.posts || pages >= readBounds.pages
  return { at: page.next === null ? null : { from: page.source, cursor: page.next }, pages, posts, done }
}

/** The index of the keyword to read next: the least read, so that a run stopped early has read of all; null when all are done. */
function nextPlace(places: readonly Place[]): number | null {
  let next: number | null = null
  places.forEach((place, index) => {
    if (!place.done && (next === null || place.pages < places[next]!.pages)) next = index
  })
  return next
}

/** The next step of a run; `index` is the keyword's. */
export type Step =
  | { readonly kind: 'search'; readonly index: number }
  | { readonly kind: 'rank' }
  | { readonly kind: 'check' }
  | { readonly kind: 'add' }

/** Decides the next step: read posts, rank people, look profiles up, add people. */
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
/** The longest month. Vendors asked for the past month may still answer with older posts. */
const lookBackDays = 31
/** Beyond any real post: an error of a vendor must not overflow the column. */
const maxEngagement = 10_000_000

/** Reactions of all types plus comments; counts a vendor left out are zero. Reposts and views do not count. */
export const engagementOf = (post: Pick<Post, 'totalReactionCount' | 'commentsCount'>): number =>
  Math.min(maxEngagement, Math.max(0, post.totalReactionCount ?? 0) + Math.max(0, post.commentsCount ?? 0))

/** The post as counted; null for a post of a company page, of an unknown author, or older than a month. */
export function countedPost(post: Post, now: Date): Counted | null {
  const author = authorOf(post)
  if (typeof author === 'string') return null
  if (post.postedAt !== null && now.getTime() - Date.parse(post.postedAt) > lookBackDays * dayMs) return null
  return { author, engagement: engagementOf(post), post }
}

/** The most profiles a run looks up for their country (DIS-23). */
export const maxLookUps = (maxInfluencers: number): number => Math.min(500, Math.max(100, 5 * maxInfluencers))

/** How many of the ranked people a run weighs: without a country list nobody beyond its limit is needed. */
export const maxWeighed = (run: { readonly countries: readonly string[]; readonly maxInfluencers: number }): number =>
  run.countries.length === 0 ? run.maxInfluencers : maxLookUps(run.maxInfluencers)

/** The author of a counted post as a lead; throws for other posts. */
export function authorLead(post: Post): Engagement {
  const author = authorOf(post)
  if (typeof author === 'string') throw new Error(`post ${post.urn} has no author to add`)
  return author
}
