import { compact, day, oneOf, type Raw } from '../../app/search.ts'

export const groups = ['keyword', 'topic', 'post', 'criteria'] as const
const tabs = ['figures', 'suggestions'] as const

/** The tab, the grouping, and the days that bound the figures. */
export const search = (raw: Raw) =>
  compact({ tab: oneOf(raw, 'tab', tabs), by: oneOf(raw, 'by', groups), from: day(raw, 'from'), to: day(raw, 'to') })

export type Search = ReturnType<typeof search>
