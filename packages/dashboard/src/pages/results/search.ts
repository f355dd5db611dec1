import { compact, day, oneOf, type Raw } from '../../app/search.ts'

export const groups = ['keyword', 'topic', 'post', 'criteria'] as const
const tabs = ['figures', 'suggestions'] as const

/** Search parameters: the tab, the grouping, and the first and last day of the figures. */
export const search = (raw: Raw) =>
  compact({ tab: oneOf(raw, 'tab', tabs), by: oneOf(raw, 'by', groups), from: day(raw, 'from'), to: day(raw, 'to') })

export type Search = ReturnType<typeof search>
