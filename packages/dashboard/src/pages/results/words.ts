import type { ResultOf } from '../../api/index.ts'

export type Row = ResultOf<'getResultsSummary'>['total']

export const groupNames = {
  source: 'Source',
  keyword: 'Keyword search',
  topic: 'Topic',
  post: 'Post',
  criteria: 'Criteria',
} as const
