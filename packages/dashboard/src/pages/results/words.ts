import type { ResultOf } from '../../api/index.ts'

export type Row = ResultOf<'getResultsSummary'>['total']

export const groupNames = {
  source: 'Source',
  keyword: 'Keyword search',
  topic: 'Topic',
  post: 'Post',
  criteria: 'Criteria',
} as const

const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Credits for one; a dash while there is none. */
export const costWords = (cost: number | null): string => (cost === null ? '–' : oneDigit.format(cost))
