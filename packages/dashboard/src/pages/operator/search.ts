import { compact, oneOf, type Raw } from '../../app/search.ts'

/** The tabs of the page. */
export const tabs = ['teams', 'vendors', 'costs', 'work'] as const

/** What this page keeps in its address. */
export type Search = { readonly tab?: (typeof tabs)[number] }

/** Reads the address of this page. */
export const search = (raw: Raw): Search => compact({ tab: oneOf(raw, 'tab', tabs) })
