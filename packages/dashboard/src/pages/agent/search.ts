import { compact, oneOf, text, flag, type Raw } from '../../app/search.ts'

export const steps = ['company', 'buyers', 'topics', 'budget', 'delivery'] as const

export type Step = (typeof steps)[number]

/** `filters` is JSON of the filter rows, which the router may already have parsed. */
export const search = (raw: Raw) =>
  compact({
    agent: text(raw, 'agent'),
    tab: oneOf(raw, 'tab', ['leads', 'profile', 'delivery', 'sources']),
    step: oneOf(raw, 'step', steps),
    add: flag(raw, 'add'),
    filters: Array.isArray(raw.filters) ? JSON.stringify(raw.filters).slice(0, 8_000) : text(raw, 'filters'),
  })
