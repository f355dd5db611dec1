/**
 * Targeting filters that a vendor could not apply: those that a post's author can be judged by are applied here, the
 * others are told (G122).
 */
import { termFinder } from '../../../platform/rules/matching.ts'
import type { Post, SearchFilters } from '../../../providers/ports.ts'

type Author = Post['author']
type Judge = (author: Author, values: readonly string[]) => boolean

const judges: Readonly<Partial<Record<keyof SearchFilters, { readonly fits: Judge; readonly reason: string }>>> = {
  authorKeyword: {
    fits: ({ headline }, values) => headline !== null && values.some((value) => termFinder(value)(headline) === null),
    reason: 'The author’s headline has none of the words of authorKeyword',
  },
  fromPerson: {
    fits: ({ kind, urn }, values) => kind === 'person' && urn !== null && values.includes(urn),
    reason: 'The author is not among fromPerson',
  },
  fromCompany: {
    fits: ({ kind, urn }, values) => kind === 'company' && urn !== null && values.includes(urn.replace(/^.*:/, '')),
    reason: 'The author is not among fromCompany',
  },
}

/**
 * Why a post does not fit, by the filters that were not applied and can be judged here; null when it fits them. An
 * empty filter filters nothing.
 */
export function judgeTargeting(
  author: Author,
  filters: SearchFilters,
  unapplied: readonly (keyof SearchFilters)[],
): string | null {
  for (const name of unapplied) {
    const values = filters[name] ?? []
    const judge = judges[name]
    if (judge && values.length > 0 && !judge.fits(author, values)) return judge.reason
  }
  return null
}

/**
 * True of a post that somebody else wrote than those whose posts were asked for: vendors show what those liked or shared, too. Where no id
 * names the author, the vendor's word is all there is.
 */
export function strays({ kind, urn }: Author, { fromPerson = [], fromCompany = [] }: SearchFilters): boolean {
  if (fromPerson.length + fromCompany.length === 0 || urn === null) return false
  return kind === 'person' ? !fromPerson.includes(urn) : !fromCompany.includes(urn.replace(/^.*:/, ''))
}

/** Those of the filters that nobody applied: the run tells them. */
export const unjudged = (unapplied: readonly (keyof SearchFilters)[]): (keyof SearchFilters)[] =>
  unapplied.filter((name) => judges[name] === undefined)
