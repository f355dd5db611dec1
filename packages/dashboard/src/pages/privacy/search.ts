import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

/** What this page keeps in its address: the tab, who is looked for, and how far the receipts are paged. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['receipts', 'retention']),
    query: text(raw, 'query')?.slice(0, 500),
    offset: whole(raw, 'offset', 1),
  })

export type Search = ReturnType<typeof search>
