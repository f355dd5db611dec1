import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

export const tabs = ['settings', 'posts', 'try'] as const

/** What this page keeps in its address; `from` names the search that a new one begins as a copy of. */
export type Search = {
  readonly tab?: (typeof tabs)[number]
  readonly posts?: 'kept'
  readonly offset?: number
  readonly from?: string
  readonly terms?: string
}

export const search = (raw: Raw): Search =>
  compact({
    tab: oneOf(raw, 'tab', tabs),
    posts: oneOf(raw, 'posts', ['kept']),
    offset: whole(raw, 'offset', 1),
    from: text(raw, 'from'),
    terms: text(raw, 'terms'),
  })
