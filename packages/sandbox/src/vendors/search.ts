import type { Actor } from '../world/directory.ts'
import type { ContentType } from '../world/posts.ts'
import { hash32 } from '../world/random.ts'
import { inWords, type Hit } from '../world/search.ts'
import type { ActorSeed } from '../world/seed-schemas.ts'
import { companyIn, personIn } from './references.ts'
import type { VendorContext } from './vendor.ts'

/** A search in the network's terms; an entry of a list matches if any does. */
export type Search = {
  term: string
  byDate: boolean
  days: number | undefined
  contentType: ContentType | undefined
  industries: readonly string[]
  employers: readonly string[]
  /** Words in a headline or current title, with OR between alternatives. */
  authorWords: string | undefined
  fromPeople: readonly string[]
  fromPages: readonly string[]
  namedPeople: readonly string[]
  namedPages: readonly string[]
}

/** The network ignores the rest of a longer term. */
const LONGEST_TERM = 85
const DAY = 86_400_000

/** The posts found, best first: by date, or by the reactions known so far. */
export function found(context: VendorContext, search: Search): Hit[] {
  const { network } = context
  const ids = (names: readonly string[], find: (text: string) => { id: string } | undefined) =>
    new Set(names.flatMap((text) => find(text)?.id ?? []))
  const people = ids(search.namedPeople, (text) => personIn(network, text))
  const pages = ids(search.namedPages, (text) => companyIn(network, text))
  const from: ActorSeed[] | undefined =
    search.fromPeople.length + search.fromPages.length === 0
      ? undefined
      : [
          ...search.fromPeople.flatMap((text) => personIn(network, text)?.handle ?? []),
          ...search.fromPages.flatMap((text) => companyIn(network, text)?.slug ?? []).map((company) => ({ company })),
        ]
  const hits = network.search({
    matches: matcher(search.term.slice(0, LONGEST_TERM)),
    sinceMs: search.days === undefined ? undefined : context.now.getTime() - search.days * DAY,
    contentType: search.contentType,
    from,
    writtenBy: authorTest(context, search),
    mentions:
      search.namedPeople.length + search.namedPages.length === 0
        ? undefined
        : (named) => (named.kind === 'person' ? people.has(named.person.id) : pages.has(named.company.id)),
  })
  if (search.byDate) return hits
  return hits
    .map((hit) => ({ hit, weight: weight(hit) }))
    .sort((a, b) => b.weight - a.weight || (a.hit.id < b.hit.id ? 1 : -1))
    .map(({ hit }) => hit)
}

/**
 * Matches words in any order, quoted words as a phrase. Upper-case OR separates alternatives, NOT excludes the next term, AND is
 * ignored, as on the real network. A term without words finds nothing.
 */
export function matcher(term: string): (words: string) => boolean {
  const alternatives: { part: string; absent: boolean }[][] = [[]]
  let absent = false
  for (const [whole, phrase] of term.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    if (whole === 'OR') alternatives.push([])
    if (whole === 'NOT') absent = true
    if (whole === 'AND' || whole === 'OR' || whole === 'NOT') continue
    const part = inWords(phrase ?? whole)
    if (part.trim() !== '') alternatives.at(-1)?.push({ part, absent })
    absent = false
  }
  return (words) =>
    alternatives.some(
      (parts) => parts.some((one) => !one.absent) && parts.every((one) => words.includes(one.part) !== one.absent),
    )
}

function authorTest(
  context: VendorContext,
  { industries, employers, authorWords }: Search,
): ((author: Actor) => boolean) | undefined {
  if (industries.length === 0 && employers.length === 0 && authorWords === undefined) return undefined
  const hasWords = authorWords === undefined ? () => true : matcher(authorWords)
  return (author) => {
    if (author.kind === 'company')
      return employers.length === 0 && authorWords === undefined && industries.includes(author.company.industry.id)
    const current = author.person.positions.filter(({ end }) => end === null)
    const companies = current.flatMap(({ company }) => (company ? (context.network.company(company.slug) ?? []) : []))
    return (
      (industries.length === 0 || companies.some(({ industry }) => industries.includes(industry.id))) &&
      (employers.length === 0 ||
        companies.some(({ id, slug }) => employers.includes(id) || employers.includes(slug))) &&
      hasWords(inWords([author.person.headline ?? '', ...current.map(({ title }) => title)].join(' / ')))
    )
  }
}

function weight({ id, facts }: Hit): number {
  return Math.log(2 + facts.finalReactions) + (hash32(id, 96) % 1000) / 500
}
