import { compact, flag, type Raw } from '../../app/search.ts'

/** What this page keeps in its address; `track` opens the form to track something. */
export type Search = { readonly track?: boolean }

/** Reads the address of this page. */
export const search = (raw: Raw): Search => compact({ track: flag(raw, 'track') })
