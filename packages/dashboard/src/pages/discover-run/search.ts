import { compact, oneOf, type Raw } from '../../app/search.ts'

export const views = ['cards', 'table'] as const

export type Search = { readonly view?: (typeof views)[number] }

export const search = (raw: Raw): Search => compact({ view: oneOf(raw, 'view', views) })
