/**
 * Pure: what a change of words is expected to cost on the posts it was tried on, from what those declare and what is known of them.
 */
import type { SourceSettings } from '@les/contract'
import type { PeopleOfPosts } from '../../leads/index.ts'
import type { SearchSettings } from './settings.ts'

/** A post that was judged by the present words and by those tried; `engagement`: reactions and comments that it declares. */
export type TriedPost = {
  readonly urn: string
  readonly now: boolean
  readonly tried: boolean
  readonly engagement: number
}

export type PaysFor = Pick<SearchSettings, 'captureEngagers' | 'capturePostAuthors' | 'maxEngagementsPerPost'> & {
  readonly mode: SourceSettings['mode']
}

export type KnownPeople = Pick<PeopleOfPosts, 'gainedNew' | 'lostOwn' | 'ownPeople' | 'ownPosts' | 'known'>

/** Credits: what posts that are gained cost, from what is likely to what is possible, and what those that are lost have cost. */
type ExpectedCredits = { readonly from: number; readonly to: number; readonly lost: number }

/**
 * Each person costs a credit once for each source (a posts-only watch: each post). Of posts that are gained, people who are known and
 * not captured by the search are certain; of the rest that a post declares, each engagement is one more person at most, and at the
 * least as many as the posts that the search has read brought for each engagement they declare (none, while it has read none).
 */
export function expectedCredits(posts: readonly TriedPost[], people: KnownPeople, pays: PaysFor): ExpectedCredits {
  const gained = posts.filter((post) => post.tried && !post.now)
  if (pays.mode === 'posts_only') {
    const lost = posts.filter((post) => post.now && !post.tried).length
    return { from: gained.length, to: gained.length, lost }
  }
  const declared = ({ engagement }: TriedPost): number =>
    (pays.captureEngagers ? Math.min(engagement, pays.maxEngagementsPerPost ?? engagement) : 0) +
    (pays.capturePostAuthors ? 1 : 0)
  const knownOn = new Map(people.known.map((post) => [post.urn, post.people]))
  const unknown = gained.reduce((sum, post) => sum + Math.max(0, declared(post) - (knownOn.get(post.urn) ?? 0)), 0)
  const read = new Set(people.ownPosts)
  const readDeclared = posts.filter(({ urn }) => read.has(urn)).reduce((sum, post) => sum + declared(post), 0)
  const share = readDeclared === 0 ? 0 : Math.min(1, people.ownPeople / readDeclared)
  return {
    from: people.gainedNew + Math.round(unknown * share),
    to: people.gainedNew + unknown,
    lost: people.lostOwn,
  }
}
