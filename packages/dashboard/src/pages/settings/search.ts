import { compact, flag, oneOf, type Raw } from '../../app/search.ts'

export const tabs = ['team', 'members', 'keys', 'credentials', 'secret', 'audit', 'sessions', 'account'] as const

export type Search = {
  readonly tab?: (typeof tabs)[number]
  /** Begins with what the tab is for: a new key, an invitation. */
  readonly add?: boolean
}

export const search = (raw: Raw): Search => compact({ tab: oneOf(raw, 'tab', tabs), add: flag(raw, 'add') })
