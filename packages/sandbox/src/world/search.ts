import { createCache } from './cache.ts'
import { COMPANY_COUNT } from './companies.ts'
import type { Actor, Directory } from './directory.ts'
import { PERSON_COUNT } from './people.ts'
import { factsOf, postIdOn, type Author, type ContentType, type PostFacts } from './posts.ts'
import type { ActorSeed } from './seed-schemas.ts'

/** A search; omitted fields match everything. */
export type PostQuery = {
  /** Judges a text in the form of `inWords`. */
  matches(words: string): boolean
  sinceMs?: number | undefined
  contentType?: ContentType | undefined
  /** Only posts of these authors, who need not be in the index. */
  from?: readonly ActorSeed[] | undefined
  writtenBy?: ((author: Actor) => boolean) | undefined
  mentions?: ((named: Actor) => boolean) | undefined
}

/** A found post; `atMs` is its time even if the network hides it. */
export type Hit = { id: string; author: Author; atMs: number; facts: PostFacts }

/** Default span of a search. */
export const SEARCH_DAYS = 90

const DAY = 86_400_000
/** About 11,000 posts a month: a common topic has a few hundred, a rare one a few. */
const PEOPLE = 540
const PAGES = 60

const onlyAscii = /^[\u0000-\u007f]*$/
/** Hebrew points and Arabic vowel marks, which are rarely written. */
const vowelPoints = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]|\ufe0f/g
/** `&` and symbols that are not on a keyboard. */
const symbols = /(?![$+<=>^`|~])[\p{S}&]/gu
/** Scripts without spaces between words: every character is a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]\p{M}*/gu

/** Normalises a text for matching: lower-case words and symbols, each with one space on both sides. */
export function inWords(text: string): string {
  if (onlyAscii.test(text))
    return ` ${text
      .toLowerCase()
      .replace(/&/g, ' & ')
      .replace(/[^a-z0-9&]+/g, ' ')
      .trim()} `
  const plain = text.replace(/[™®©]/g, ' $& ').normalize('NFKC').toLowerCase().replace(vowelPoints, '')
  return ` ${plain
    .replace(symbols, ' $& ')
    .replace(unspaced, ' $& ')
    .replace(/[^\p{L}\p{N}\p{M}\p{S}&]|[$+<=>^`|~]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()} `
}

/** Whether a hit matches; `directory` is asked for actors only when everything else matches. */
export function isWanted(
  query: PostQuery,
  { hit, words }: { hit: Hit; words: string },
  directory: Pick<Directory, 'actor'>,
): boolean {
  const { facts, author } = hit
  if (query.sinceMs !== undefined && hit.atMs <= query.sinceMs) return false
  if (query.contentType !== undefined && facts.contentType !== query.contentType) return false
  if (!query.matches(words)) return false
  if (query.writtenBy && !query.writtenBy(directory.actor({ kind: author.kind, key: author.handle }))) return false
  return !query.mentions || facts.mentions.some((named) => query.mentions?.(directory.actor(named)))
}

/** The search index of a seed: generated posts of a fixed sample of authors, read per day on demand. */
export function createSearchIndex(seed: string, directory: Pick<Directory, 'personAt' | 'companyAt'>) {
  const days = createCache<number, readonly { hit: Hit; words: string }[]>(SEARCH_DAYS * 2)
  let sample: readonly Author[] | undefined
  const authors = (): readonly Author[] => {
    sample ??= [
      ...Array.from({ length: PEOPLE }, (_, n) => directory.personAt((n * 367 + 11) % PERSON_COUNT))
        .filter(({ hidden }) => !hidden)
        .map(({ id, handle }): Author => ({ kind: 'person', id, handle })),
      ...Array.from({ length: PAGES }, (_, n) => directory.companyAt((n * 33) % COMPANY_COUNT)).map(
        ({ id, slug }): Author => ({ kind: 'company', id, handle: slug }),
      ),
    ]
    return sample
  }
  const onDay = (day: number) =>
    days.get(day, () =>
      authors()
        .flatMap((author) => {
          const id = postIdOn(seed, author, day)
          if (id === null) return []
          const facts = factsOf(seed, id)
          return facts.text === ''
            ? []
            : [{ hit: { id, author, atMs: facts.postedAtMs as number, facts }, words: inWords(facts.text) }]
        })
        .sort((a, b) => b.hit.atMs - a.hit.atMs),
    )
  return {
    each(fromMs: number, toMs: number, visit: (hit: Hit, words: string) => void): void {
      for (let day = Math.floor(toMs / DAY); day >= Math.floor(fromMs / DAY); day -= 1) {
        for (const { hit, words } of onDay(day)) if (hit.atMs > fromMs && hit.atMs <= toMs) visit(hit, words)
      }
    },
  }
}
