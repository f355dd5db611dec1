import { compact, oneOf, text, flag, type Raw } from '../../app/search.ts'

export const tabs = ['leads', 'profile', 'delivery', 'sources'] as const

export const steps = ['company', 'buyers', 'topics', 'budget', 'delivery'] as const

export type Step = (typeof steps)[number]

/** What this page keeps in its address: `filters` holds the rows of the lead filter as JSON. */
export type Search = {
  readonly agent?: string
  readonly tab?: (typeof tabs)[number]
  readonly step?: Step
  readonly add?: boolean
  readonly filters?: string
}

/** The router has parsed what looks like JSON: rows become text again. */
const rowsIn = (raw: Raw): string | undefined =>
  Array.isArray(raw.filters) ? JSON.stringify(raw.filters).slice(0, 8_000) : text(raw, 'filters')

export const search = (raw: Raw): Search =>
  compact({
    agent: text(raw, 'agent'),
    tab: oneOf(raw, 'tab', tabs),
    step: oneOf(raw, 'step', steps),
    add: flag(raw, 'add'),
    filters: rowsIn(raw),
  })
