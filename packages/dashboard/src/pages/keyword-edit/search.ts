import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

/** `from`: the search to copy; `terms`: a first term of a new search. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['settings', 'posts', 'try']),
    posts: oneOf(raw, 'posts', ['kept']),
    offset: whole(raw, 'offset', 1),
    from: text(raw, 'from'),
    terms: text(raw, 'terms'),
  })
