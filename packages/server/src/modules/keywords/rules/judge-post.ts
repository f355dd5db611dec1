/** Judges a found post (G80; EXP-12, EXP-13): targeting that the vendor could not apply, then the expression, then the AI. */
import { contained, needleOf, prepare, termFinder } from '../../../platform/rules/matching.ts'
import type { Post, SearchFilters } from '../../../providers/ports.ts'
import { unitText, type Expression, type Unit } from './expression.ts'
import { quoted, termInWords } from './terms.ts'

/** `missesBy`: the only part that keeps a text out; null when there are more, or when any one term would be enough. */
export type Judgement =
  | { readonly kept: true }
  | { readonly kept: false; readonly reason: string; readonly missesBy: string | null }

/** Makes the judge of an expression. */
export function expressionJudge({ groups }: Expression): (text: string) => Judgement {
  const terms = [...new Set(groups.flat().map((unit) => unit.term))]
  const finder = prepare(terms.map(needleOf))
  const indexOf = new Map(terms.map((term, index) => [term, index]))
  const plainTerms = groups.length > 1 && groups.every((group) => group.length === 1 && !group[0]!.excluded)
  return (text) => {
    const found = contained(finder, text)
    const unmet = groups.map((group) => group.filter((unit) => found[indexOf.get(unit.term)!] === unit.excluded))
    if (unmet.some((units) => units.length === 0)) return { kept: true }
    const near = unmet.find((units, index) => units.length === 1 && groups[index]!.length > 1)?.[0]
    return {
      kept: false,
      reason: plainTerms ? `Contains none of ${listed(groups.flat())}` : reasonFor(closest(unmet)),
      missesBy: near === undefined ? null : unitText(near),
    }
  }
}

/** The group with the fewest unmet units; on a tie, one with fewer missing terms, since its post is about the subject. */
function closest(unmet: readonly (readonly Unit[])[]): readonly Unit[] {
  const missing = (units: readonly Unit[]) => units.filter((unit) => !unit.excluded).length
  return [...unmet].sort((a, b) => a.length - b.length || missing(a) - missing(b))[0]!
}

function reasonFor(units: readonly Unit[]): string {
  const excluded = units.filter((unit) => unit.excluded)
  if (excluded.length > 1) return `Contains the excluded terms ${listed(excluded)}`
  if (excluded.length === 1) {
    const { term } = excluded[0]!
    return `Contains the excluded ${term.includes(' ') ? 'phrase' : 'term'} ${quoted(term)}`
  }
  return units.length === 1 ? `Does not contain ${termInWords(units[0]!.term)}` : `Does not contain ${listed(units)}`
}

const maxListed = 5

function listed(units: readonly Unit[]): string {
  const shown = units
    .slice(0, maxListed)
    .map((unit) => quoted(unit.term))
    .join(', ')
  return units.length > maxListed ? `${shown} and ${units.length - maxListed} more` : shown
}

type Author = Post['author']
type FilterName = keyof SearchFilters

const companyId = (urn: string): string => urn.replace(/^.*:/, '')

const targeting: Readonly<
  Partial<Record<FilterName, { fits: (author: Author, values: readonly string[]) => boolean; reason: string }>>
> = {
  authorKeyword: {
    fits: ({ headline }, values) => headline !== null && values.some((value) => termFinder(value)(headline) === null),
    reason: 'The author’s headline has none of the words of authorKeyword',
  },
  fromPerson: {
    fits: ({ kind, urn }, values) => kind === 'person' && urn !== null && values.includes(urn),
    reason: 'The author is not among fromPerson',
  },
  fromCompany: {
    fits: ({ kind, urn }, values) => kind === 'company' && urn !== null && values.includes(companyId(urn)),
    reason: 'The author is not among fromCompany',
  },
}

/** Why a post fails the filters that its vendor did not apply and that can be judged here; null when it fits (G122). */
export function judgeTargeting(
  author: Author,
  filters: SearchFilters,
  unapplied: readonly FilterName[],
): string | null {
  for (const name of unapplied) {
    const values = filters[name] ?? []
    const judge = targeting[name]
    if (judge && values.length > 0 && !judge.fits(author, values)) return judge.reason
  }
  return null
}

/** The filters that neither the vendor nor we can apply; the run reports them. */
export const neverApplied = (unapplied: readonly FilterName[]): FilterName[] =>
  unapplied.filter((name) => targeting[name] === undefined)

/** True for an author outside `fromPerson` and `fromCompany`, as vendors also show what those liked; false without an id. */
function isByOther({ kind, urn }: Author, { fromPerson = [], fromCompany = [] }: SearchFilters): boolean {
  if (fromPerson.length + fromCompany.length === 0 || urn === null) return false
  return kind === 'person' ? !fromPerson.includes(urn) : !fromCompany.includes(companyId(urn))
}

/** The verdict on a post; `outcome` null: it waits for the AI. `filter`: the AI filter that judged it, or null. */
export type PostVerdict = {
  readonly outcome: 'kept' | 'discarded' | null
  readonly reason: string | null
  readonly filter: string | null
  readonly by?: 'targeting' | 'expression'
}

/** What the posts of a run are judged by; `filter` names the AI filter in force, or null. */
export type PostFilter = {
  readonly judge: ReturnType<typeof expressionJudge> | null
  readonly filters: SearchFilters
  readonly unapplied: readonly FilterName[]
  readonly filter: string | null
}

/** Judges a post. The AI is not asked about posts discarded before it, nor again about posts that the same filter has judged. */
export function judgePost(
  { text, author }: Pick<Post, 'text' | 'author'>,
  { judge, filters, unapplied, filter }: PostFilter,
  known: PostVerdict | undefined,
): PostVerdict {
  const discarded = (by: 'targeting' | 'expression', reason: string) =>
    ({ outcome: 'discarded', reason, filter: null, by }) as const
  const misfit = judgeTargeting(author, filters, unapplied)
  if (misfit !== null) return discarded('targeting', misfit)
  const judgement = judge?.(text ?? '') ?? { kept: true }
  if (!judgement.kept) return discarded('expression', judgement.reason)
  if (isByOther(author, filters))
    return discarded('targeting', 'The author is none of those whose posts were asked for')
  if (filter === null) return { outcome: 'kept', reason: null, filter }
  if (known?.filter === filter && known.outcome !== null)
    return { outcome: known.outcome, reason: known.reason, filter }
  return { outcome: null, reason: null, filter: null }
}
