import { compact, oneOf, whole, type Raw } from '../../app/search.ts'

export const tabs = ['runs', 'settings', 'fit', 'webhook', 'outreach', 'posts', 'try', 'raw', 'coverage'] as const

/** What this page keeps in its address: the tab, how far a list is paged, and which posts of a search are listed. */
export type Search = { readonly tab?: (typeof tabs)[number]; readonly offset?: number; readonly posts?: 'kept' }

export const search = (raw: Raw): Search =>
  compact({ tab: oneOf(raw, 'tab', tabs), offset: whole(raw, 'offset', 1), posts: oneOf(raw, 'posts', ['kept']) })
