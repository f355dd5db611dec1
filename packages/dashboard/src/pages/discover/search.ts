import { compact, flag, type Raw } from '../../app/search.ts'

/** What this page keeps in its address: whether the form of a new run is open. */
export type Search = { readonly new?: boolean }

export const search = (raw: Raw): Search => compact({ new: flag(raw, 'new') })
