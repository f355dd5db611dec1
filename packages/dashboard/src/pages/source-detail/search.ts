import { compact, oneOf, whole, type Raw } from '../../app/search.ts'

/** The tabs of a source. */
export const tabs = ['runs', 'settings', 'fit', 'webhook', 'outreach', 'posts', 'raw'] as const

/** What this page keeps in its address: the tab, and how far a list is paged. */
export type Search = { readonly tab?: (typeof tabs)[number]; readonly offset?: number }

/** Reads the address of this page. */
export const search = (raw: Raw): Search => compact({ tab: oneOf(raw, 'tab', tabs), offset: whole(raw, 'offset', 1) })
