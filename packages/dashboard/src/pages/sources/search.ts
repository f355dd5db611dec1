import { compact, flag, oneOf, text, type Raw } from '../../app/search.ts'

export const kinds = ['person', 'company', 'post', 'keyword'] as const

/** Search parameters; `track` opens the form to track something, `lines` fills it. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', ['stopped', 'overlap', 'defaults']),
    kind: oneOf(raw, 'kind', kinds),
    find: text(raw, 'find'),
    track: flag(raw, 'track'),
    lines: text(raw, 'lines'),
  })

export type Search = ReturnType<typeof search>
