import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

/** Search parameters: the tab, the query, and the page of receipts. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['receipts', 'retention']),
    query: text(raw, 'query')?.slice(0, 500),
    offset: whole(raw, 'offset', 1),
  })

export type Search = ReturnType<typeof search>
