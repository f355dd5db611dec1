import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

export const tabs = ['runs', 'settings', 'fit', 'webhook', 'outreach', 'posts', 'try', 'raw', 'coverage'] as const

/** Search parameters: the tab, the page of a list, which posts of a search are listed, and a criterion to try (JSON). */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', tabs),
    offset: whole(raw, 'offset', 1),
    posts: oneOf(raw, 'posts', ['kept']),
    add: text(raw, 'add'),
  })
