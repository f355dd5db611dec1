import type { Health } from './source.ts'

type Warning = Health['warnings'][number]

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
