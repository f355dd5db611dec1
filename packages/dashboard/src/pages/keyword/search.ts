import { compact, oneOf, type Raw } from '../../app/search.ts'

export const tabs = ['active', 'stopped'] as const

export type Search = { readonly tab?: (typeof tabs)[number] }

export const search = (raw: Raw): Search => compact({ tab: oneOf(raw, 'tab', tabs) })
