import { compact, oneOf, type Raw } from '../../app/search.ts'

/** How the people are shown. */
export const views = ['cards', 'table'] as const

/** What this page keeps in its address. */
export type Search = { readonly view?: (typeof views)[number] }

/** Reads the address of this page. */
export const search = (raw: Raw): Search => compact({ view: oneOf(raw, 'view', views) })
