import { sourceKindNames } from '@les/contract'
import type { ResultOf } from '../../api/types.ts'
import { shortened } from '../../ui/format.ts'

type Burn = Pick<ResultOf<'getBurn'>, 'days' | 'sources'>

export const costWords: Readonly<Record<string, string>> = {
  ...sourceKindNames,
  posts_read: 'Reading posts',
  enrichment: 'Looking up details',
  agent_trial: 'Agent trial',
  other: 'Everything else',
}

const short = (label: string) => shortened(label, 32)

/** The rows and series of a chart, with a number for every day and source; equal names are distinguished by kind. */
export function burnSeries({ days, sources }: Burn) {
  const used = new Set(days.flatMap(({ bySource }) => bySource.map(({ key }) => key)))
  const listed = sources.filter(({ key }) => used.has(key))
  const keys = [...listed.map(({ key }) => key), ...[...used].filter((key) => !listed.some((each) => each.key === key))]
  const names = new Map(
    listed.map(({ key, label, type }) => [
      key,
      sources.filter((other) => other.label === label).length > 1
        ? `${short(label)} (${costWords[type] ?? type})`
        : short(label),
    ]),
  )
  const series = keys.map((key, index) => ({ key: `s${index}`, label: names.get(key) ?? costWords[key] ?? key }))
  const data = days.map(
    ({ date, bySource }): Readonly<Record<string, string | number>> => ({
      date,
      ...Object.fromEntries(
        keys.map((key, index) => [`s${index}`, bySource.find((each) => each.key === key)?.credits ?? 0]),
      ),
    }),
  )
  return { data, series }
}
