import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

/** `from`: the search to copy. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['settings', 'posts', 'try']),
    posts: oneOf(raw, 'posts', ['kept']),
    offset: whole(raw, 'offset', 1),
    from: text(raw, 'from'),
    terms: text(raw, 'terms'),
  })
