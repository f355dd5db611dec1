import { compact, flag, oneOf, type Raw } from '../../app/search.ts'

const tabs = ['team', 'members', 'keys', 'credentials', 'secret', 'audit', 'sessions', 'account'] as const

/** `add`: opens the tab's dialog for a new key or invitation. */
export const search = (raw: Raw) => compact({ tab: oneOf(raw, 'tab', tabs), add: flag(raw, 'add') })
