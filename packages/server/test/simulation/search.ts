/** Searches of the invented network and an AI that judges their posts, decided by the seed. */
import { AiFailure, type AiFailureKind, type AiJudge } from '../../src/providers/ai/port.ts'
import type { Actor, PersonSummary, Post } from '../../src/providers/ports.ts'
import type { Dice } from './chance.ts'
import { pass } from './machine.ts'
import type { InventedPost } from './network.ts'

const day = 86_400_000

export type FoundPost = { readonly post: InventedPost; readonly author: Post['author'] }

export type InventedSearch = {
  readonly terms: readonly string[]
  readonly posts: readonly FoundPost[]
  /** A term's posts at an instant, in the vendor's order; a post once shown is always shown. */
  shown(term: string, atMs: number): readonly FoundPost[]
}

const authorAs = (person: PersonSummary): Post['author'] => ({
  kind: 'person',
  urn: person.urn,
  name: person.name,
  url: person.linkedinUrl,
  headline: person.headline,
})
const page: Post['author'] = {
  kind: 'company',
  urn: 'urn:li:company:777',
  name: 'A page',
  url: 'https://www.linkedin.com/company/a-page',
  headline: null,
}

/** Invents posts of the network's people, and which terms find them. */
export function inventSearch(
  dice: Dice,
  startMs: number,
  people: readonly PersonSummary[],
  make: (atMs: number, authorUrn: string) => InventedPost,
): InventedSearch {
  const terms = ['apples', 'pears', 'plums', 'cherries']
  const posts: FoundPost[] = Array.from({ length: dice.int(6, 18) }, () => {
    const author = dice.random(0.08) ? page : authorAs(dice.pick(people))
    return { author, post: make(startMs + dice.int(-20, 12) * day + dice.int(0, 23) * 3_600_000, author.urn!) }
  })
  const byTerm = new Map(terms.map((term) => [term, posts.filter(() => dice.random(0.45)).slice(0, 12)]))
  return {
    terms,
    posts,
    shown: (term, atMs) => (byTerm.get(term) ?? []).filter(({ post }) => post.atMs <= atMs),
  }
}

/** Whether the AI keeps a post: always the same answer for a post. */
export const aiKeeps = (urn: string): boolean => BigInt(urn.slice(urn.lastIndexOf(':') + 1)) % 3n !== 0n

const kinds: readonly AiFailureKind[] = ['rate_limited', 'unavailable', 'unavailable', 'unreadable', 'key', 'model']

/** Makes the AI; `failing` is the probability that a question fails. */
export function inventJudge(dice: Dice, failing: () => number): AiJudge {
  const ask = async (vendor: AiFailure['vendor'], operation: string): Promise<void> => {
    await pass('network', operation)
    if (!dice.random(failing())) return
    const kind = dice.pick(kinds)
    throw new AiFailure({ vendor, model: 'invented', kind, message: `the invented AI: ${kind}` })
  }
  return {
    judge: async ({ vendor, posts }) => {
      await ask(vendor, 'judge')
      return posts.map(({ id }) =>
        dice.random(0.04)
          ? { id, keep: false, reason: 'No verdict could be read.', unread: true as const }
          : { id, keep: aiKeeps(id), reason: aiKeeps(id) ? '' : 'It is about something else' },
      )
    },
    check: (vendor) => ask(vendor, 'check'),
  }
}

export const isEngager = (actor: Actor, authorUrn: string): boolean =>
  actor.kind === 'person' && actor.urn !== authorUrn
