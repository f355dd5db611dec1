import { exclusionKindNames, type ExclusionKind } from '@les/contract'
import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

export const kinds = Object.keys(exclusionKindNames) as readonly ExclusionKind[]

/** Search parameters: the tab, and which entries are listed. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['settings']),
    list: text(raw, 'list')?.slice(0, 60),
    kind: oneOf(raw, 'kind', kinds),
    query: text(raw, 'query')?.slice(0, 200),
    offset: whole(raw, 'offset', 1),
  })

export type Search = ReturnType<typeof search>
