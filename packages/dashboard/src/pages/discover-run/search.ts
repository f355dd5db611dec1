import { compact, oneOf, type Raw } from '../../app/search.ts'

export type Search = { readonly view?: 'cards' | 'table' }

export const search = (raw: Raw): Search => compact({ view: oneOf(raw, 'view', ['cards', 'table']) })
