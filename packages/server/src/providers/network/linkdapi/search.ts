import type { ContentType, NetworkProvider, PostSearch } from '../../ports.ts'
import { readRows } from '../normal/lenient.ts'
import { announcesRepost } from '../normal/posts.ts'
import { commaList, headlineHasAny, maxRows, sentTerm, textHasTerm } from '../normal/search.ts'
import { cursorNumber, pageOf, type PageEnd } from '../paging.ts'
import type { LinkdClient } from './client.ts'
import { readPost } from './posts.ts'
import { foundPost, searchPage } from './schemas.ts'

const sorts = { RELEVANCE: 'relevance', DATE_POSTED: 'date_posted' } as const
const windows = { PAST_24_HOURS: 'past-24h', PAST_WEEK: 'past-week', PAST_MONTH: 'past-month' } as const
const contentTypes: Readonly<Record<ContentType, string>> = {
  VIDEO: 'videos',
  IMAGE: 'photos',
  JOB: 'jobs',
  LIVE_VIDEO: 'liveVideos',
  DOCUMENT: 'documents',
  COLLABORATIVE_ARTICLE: 'collaborativeArticles',
}

/** Filters that take one value per call; the vendor's own clients type these as single texts and the others as lists. */
const singleFilters = {
  authorIndustry: 'authorIndustry',
  authorCompany: 'authorCompany',
  fromPerson: 'fromMember',
  mentionsPerson: 'mentionsMember',
} as const
/** Most turns of one search; each costs a call even when it finds nothing. */
const maxTurns = 50

/** A page as served: it starts at `start` of one of the search's `turns`; `seen`: rows of all earlier pages. */
interface ServedPage {
  readonly start: number
  readonly turn: number
  readonly turns: number
  readonly served: number
  readonly hasMore: unknown
  readonly total: number | null
  readonly seen: number
}

function placeAfter({ start, turn, turns, served, hasMore, total, ...page }: ServedPage): PageEnd {
  const after = start + served
  const claimsMore = typeof hasMore === 'boolean' ? hasMore : total !== null && after < total
  const cutShort = claimsMore && served === 0
  const goesOn = claimsMore && served > 0
  if (turns === 1) return { next: goesOn && after < maxRows ? { start: after, total } : null, total, cutShort }
  const seen = page.seen + served
  const next =
    seen >= maxRows
      ? null
      : goesOn
        ? { turn, start: after, seen }
        : turn + 1 < Math.min(turns, maxTurns)
          ? { turn: turn + 1, start: 0, seen }
          : null
  // No turn states the total of all turns; turns beyond `maxTurns` are missing.
  return { next, total: null, cutShort: cutShort || (next === null && turns > maxTurns) }
}

/** LinkdAPI post search: a turn per combination of single-value filters, ten posts a page. Author keywords are filtered here. */
export function linkdSearch(client: LinkdClient): Pick<NetworkProvider, 'searchPosts'> {
  return {
    searchPosts: async (search, cursor, options) => {
      const operation = 'searchPosts'
      const start = cursorNumber(cursor, 'start') ?? 0
      const turn = cursorNumber(cursor, 'turn') ?? 0
      const turns = turnsOf(search.filters)
      const { sent, rest } = sentTerm(search.term)
      const query = { keyword: sent, start, ...criteria(search), ...singles(search.filters, turn) }
      const read = searchPage.safeParse(await client.data({ operation, path: '/search/posts', query }, options))
      if (!read.success) throw client.malformed(operation, 'the answer has no posts')
      const { posts: rows, hasMore } = read.data
      const total = read.data.total ?? (turns === 1 ? cursorNumber(cursor, 'total') : null)
      const items = readRows(rows, foundPost, {
        // A search result counts by its text, so its author may be missing.
        who: null,
        normalise: (row) => {
          const made = announcesRepost(row.header) ? null : readPost(row)
          if (made === null || !headlineHasAny(made.author, search.filters.authorKeyword)) return null
          return rest && !textHasTerm(made.text, search.term) ? null : made
        },
        unreadable: () => client.malformed(operation, 'no row is a post'),
      })
      const page = { start, turn, turns, served: rows.length, hasMore, total, seen: cursorNumber(cursor, 'seen') ?? 0 }
      return { ...pageOf(items, placeAfter(page)), unapplied: [] }
    },
  }
}

const valuesOf = (filters: PostSearch['filters'], name: keyof typeof singleFilters): readonly string[] =>
  filters[name] ?? []
const names = Object.keys(singleFilters) as (keyof typeof singleFilters)[]

const turnsOf = (filters: PostSearch['filters']): number =>
  names.reduce((product, name) => product * Math.max(1, valuesOf(filters, name).length), 1)

/** The combination of a turn; the first filter changes fastest. */
function singles(filters: PostSearch['filters'], turn: number): Record<string, string> {
  const chosen: Record<string, string> = {}
  let rest = turn
  for (const name of names) {
    const values = valuesOf(filters, name)
    if (values.length === 0) continue
    chosen[singleFilters[name]] = values[rest % values.length]!
    rest = Math.floor(rest / values.length)
  }
  return chosen
}

function criteria({ sort, datePosted, contentType, filters }: PostSearch): Record<string, string | null> {
  return {
    sortBy: sorts[sort],
    datePosted: windows[datePosted],
    contentType: contentType === null ? null : contentTypes[contentType],
    fromOrganization: commaList(filters.fromCompany),
    mentionsOrganization: commaList(filters.mentionsCompany),
  }
}
