import { useRead, type ResultOf } from '../../api/index.ts'
import type { QueryLike } from '../../ui/show.tsx'

export type Health = ResultOf<'getSourceHealth'>['source']

export type Settings = ResultOf<'listSources'>['sources'][number]

export function useSettings(source: Health): QueryLike<Settings> {
  const query = useRead('listSources', { type: source.type, includeInactive: true })
  return { ...query, data: query.data?.sources.find((each) => each.id === source.id) }
}

export type Warning = Health['warnings'][number]

const order: readonly Warning['kind'][] = [
  'out_of_credits',
  'failing',
  'webhook_disabled',
  'outreach_paused',
  'starved',
  'low_coverage',
  'silent',
  'low_yield',
  'no_icp',
]

const rank = ({ kind }: Warning): number => {
  const at = order.indexOf(kind)
  return at < 0 ? order.length : at
}

export const worstFirst = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.toSorted((a, b) => rank(a) - rank(b))
