import type { FilterRow, MatchMode } from '@les/contract'

/** A sum in one currency (null: none was given); `first` is when its first part was won. */
type Sum = { readonly currency: string | null; readonly amount: number; readonly first: string }

/** A group as it was counted. */
export type Counted = {
  readonly whole: boolean
  readonly key: string | null
  readonly label: string
  readonly rules: readonly FilterRow[] | null
  readonly matchMode: MatchMode | null
  readonly credits: number
  readonly people: number
  readonly fitPeople: number
  readonly sent: number
  readonly accepted: number
  readonly replied: number
  readonly meetings: number
  readonly won: number
  readonly amounts: readonly Sum[]
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

const costOf = (credits: number, people: number): number | null => (people === 0 ? null : hundredths(credits / people))

/** Sums by currency, the earliest first; amounts without a currency are added to that one. */
function amountsOf(sums: readonly Sum[]) {
  const [first, ...others] = sums
    .flatMap(({ currency, ...sum }) => (currency === null ? [] : [{ currency, ...sum }]))
    .toSorted((a, b) => Date.parse(a.first) - Date.parse(b.first) || (a.currency < b.currency ? -1 : 1))
  const bare = sums.find(({ currency }) => currency === null)?.amount ?? 0
  return {
    amount: hundredths((first?.amount ?? 0) + bare),
    currency: first?.currency ?? null,
    otherAmounts: others.map(({ currency, amount }) => ({ currency, amount: hundredths(amount) })),
  }
}

const valueInWords = (value: FilterRow['value']): string =>
  value === undefined
    ? ''
    : ` ${[value]
        .flat()
        .map((one) => (typeof one === 'number' ? one : `“${one}”`))
        .join(', ')}`

/** Criteria as a line of text. */
export const criteriaInWords = (rules: readonly FilterRow[], matchMode: MatchMode | null): string =>
  rules
    .map(({ column, operator, value }) => `${column} ${operator.replaceAll('_', ' ')}${valueInWords(value)}`)
    .join(matchMode === 'any' ? ' or ' : ' and ')

/** A group as it is shown. */
export function figuresOf({ whole: _whole, rules, matchMode, amounts, ...counted }: Counted) {
  return {
    ...counted,
    label: rules !== null && rules.length > 0 ? criteriaInWords(rules, matchMode) : counted.label,
    ...amountsOf(amounts),
    costPerReply: costOf(counted.credits, counted.replied),
    costPerMeeting: costOf(counted.credits, counted.meetings),
  }
}
