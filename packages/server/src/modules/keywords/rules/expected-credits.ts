import type { SourceSettings } from '@les/contract'
import type { PeopleOfPosts } from '../../leads/index.ts'
import type { SearchSettings } from './settings.ts'

/** A post judged by the present words (`now`) and by those on trial; `engagement`: its declared reactions and comments. */
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

/** Credits that the gained posts cost, from likely to possible, and credits that the lost ones have cost. */
type ExpectedCredits = { readonly from: number; readonly to: number; readonly lost: number }

/**
 * Each person costs a credit once per source (in a posts-only watch, each post). On gained posts, known people not captured yet
 * are certain; each further declared engagement is at most one more person, and at least the share that the posts read so far
 * have brought.
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
