/**
 * Suggests criteria rows. For every value that enough people share (job title word, country, industry, company size, engagement)
 * the reply rate is compared with everybody else's whose column is known; only differences that chance makes less than once in a
 * hundred count. A lower rate gives the negated row; all rows are backtested.
 */
import { foldText, type FilterOperator, type LeadFilterColumn } from '@les/contract'

/** A person who was contacted, with their known facts. */
export type Contacted = {
  readonly replied: boolean
  readonly jobTitle: string | null
  readonly country: string | null
  readonly companyIndustry: string | null
  readonly companyStaffRange: string | null
  readonly engagementType: string | null
}

type Column = Extract<LeadFilterColumn, keyof Contacted>
type Row = { readonly column: Column; readonly operator: FilterOperator; readonly value: string }

type Trying = {
  readonly minimumGroup: number
  readonly matches: (row: Row, person: Readonly<Record<Column, string | null>>) => boolean
}

type Share = { readonly people: number; readonly replied: number; readonly rate: number }

/** A row with its figures. */
export type Suggestion = {
  readonly row: Row
  readonly why: string
  readonly people: number
  readonly with: Share
  readonly without: Share
  readonly lift: number | null
  readonly backtest: {
    readonly keptReplied: number
    readonly replied: number
    readonly kept: number
    readonly people: number
    readonly keptRate: number
    readonly rate: number
  }
}

const columns: readonly Column[] = ['jobTitle', 'country', 'companyIndustry', 'companyStaffRange', 'engagementType']
const named: Readonly<Record<Column, string>> = {
  jobTitle: 'a job title with',
  country: 'the country',
  companyIndustry: 'the industry',
  companyStaffRange: 'a company of the size',
  engagementType: 'the engagement',
}

/** 99 % two-sided confidence of a normal distribution. */
const certain = 2.576
const shortestWord = 3
const maxSuggestions = 20

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
const rateOf = (replied: number, people: number): number => (people === 0 ? 0 : rounded(replied / people))

const shareOf = (people: readonly Contacted[]): Share => {
  const replied = people.filter((one) => one.replied).length
  return { people: people.length, replied, rate: rateOf(replied, people.length) }
}

function valuesOf(person: Contacted, column: Column): string[] {
  const held = person[column]
  if (held === null || held.trim() === '') return []
  if (column !== 'jobTitle') return [held]
  return [...new Set(foldText(held).split(/[^\p{L}\p{N}]+/u))].filter((word) => [...word].length >= shortestWord)
}

/** The two-proportion z-score. */
function distance(a: Share, b: Share): number {
  const people = a.people + b.people
  const share = (a.replied + b.replied) / people
  const spread = Math.sqrt(share * (1 - share) * (1 / a.people + 1 / b.people))
  return spread === 0 ? 0 : rounded((a.replied / a.people - b.replied / b.people) / spread)
}

type Tried = { readonly people: readonly Contacted[]; readonly all: Share; readonly known: readonly Contacted[] }

/** Undefined when the groups are too small or the difference too uncertain. */
function tryRow(
  { people, all, known }: Tried,
  { column, value }: { readonly column: Column; readonly value: string },
  { minimumGroup, matches }: Trying,
): (Suggestion & { readonly difference: number }) | undefined {
  const is = column === 'jobTitle' ? 'contains' : 'equals'
  const groups = Map.groupBy(known, (one) => matches({ column, operator: is, value }, one))
  const [withIt, without] = [shareOf(groups.get(true) ?? []), shareOf(groups.get(false) ?? [])]
  if (withIt.people < minimumGroup || without.people < minimumGroup) return undefined
  const difference = distance(withIt, without)
  if (Math.abs(difference) < certain) return undefined
  const operator = difference > 0 ? is : is === 'contains' ? 'not_contains' : 'not_equals'
  const row: Row = { column, operator, value }
  const kept = shareOf(people.filter((one) => matches(row, one)))
  const percent = (share: Share) => `${Math.round(share.rate * 100)} %`
  return {
    difference,
    row,
    why:
      `Of people with ${named[column]} “${value}” ${percent(withIt)} replied (${withIt.replied} of ${withIt.people}), ` +
      `of the others ${percent(without)} (${without.replied} of ${without.people}).`,
    people: known.length,
    with: withIt,
    without,
    lift: without.replied === 0 ? null : rounded(withIt.replied / withIt.people / (without.replied / without.people)),
    backtest: {
      keptReplied: kept.replied,
      replied: all.replied,
      kept: kept.people,
      people: all.people,
      keptRate: kept.rate,
      rate: all.rate,
    },
  }
}

/** All suggestions, the most certain first. */
export function suggest(people: readonly Contacted[], trying: Trying): Suggestion[] {
  const all = shareOf(people)
  const tried = columns.flatMap((column) => {
    const known = people.filter((one) => valuesOf(one, column).length > 0)
    const counts = new Map<string, number>()
    for (const value of known.flatMap((one) => valuesOf(one, column))) counts.set(value, (counts.get(value) ?? 0) + 1)
    const shared = [...counts].flatMap(([value, count]) => (count >= trying.minimumGroup ? [value] : []))
    return shared.flatMap((value) => tryRow({ people, all, known }, { column, value }, trying) ?? [])
  })
  return tried
    .toSorted(
      (a, b) =>
        Math.abs(b.difference) - Math.abs(a.difference) ||
        b.difference - a.difference ||
        (a.row.value < b.row.value ? -1 : 1),
    )
    .slice(0, maxSuggestions)
    .map(({ difference: _difference, ...suggestion }) => suggestion)
}
