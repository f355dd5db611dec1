import type { ContentType, NetworkProvider, PostSearch } from '../../ports.ts'
import { readRows } from '../normal/lenient.ts'
import { announcesRepost } from '../normal/posts.ts'
import { commaList, headlineHasAny, MOST_ROWS, sentTerm, textHasTerm } from '../normal/search.ts'
import { cursorNumber, pageOf } from '../paging.ts'
import type { LinkdClient } from './client.ts'
import { readPost } from './posts.ts'
import { foundPost, searchPage } from './schemas.ts'

const SORTS = { RELEVANCE: 'relevance', DATE_POSTED: 'date_posted' } as const
const WINDOWS = { PAST_24_HOURS: 'past-24h', PAST_WEEK: 'past-week', PAST_MONTH: 'past-month' } as const
const CONTENT_TYPES: Readonly<Record<ContentType, string>> = { VIDEO: 'videos', IMAGE: 'photos', JOB: 'jobs', LIVE_VIDEO: 'liveVideos', DOCUMENT: 'documents', COLLABORATIVE_ARTICLE: 'collaborativeArticles' }

/** Search of posts: ten a page; the vendor has no filter by author keyword, so the headlines are looked at here. */
export function linkdSearch(client: LinkdClient): Pick<NetworkProvider, 'searchPosts'> {
  return {
    searchPosts: async (search, cursor, options) => {
      const operation = 'searchPosts'
      const start = cursorNumber(cursor, 'start') ?? 0
      const { sent, rest } = sentTerm(search.term)
      const read = searchPage.safeParse(await client.data({ operation, path: '/search/posts', query: { keyword: sent, start, ...criteria(search) } }, options))
      if (!read.success) throw client.malformed(operation, 'the answer has no posts')
      const { posts: rows, hasMore } = read.data
      const total = read.data.total ?? cursorNumber(cursor, 'total')
      const { items, unreadable } = readRows(rows, foundPost, (row) => {
        const made = announcesRepost(row.header) ? null : readPost(row)
        if (made === null || !headlineHasAny(made.author, search.filters.authorKeyword)) return null
        return rest && !textHasTerm(made.text, search.term) ? null : made
      })
      if (unreadable) throw client.malformed(operation, 'no row is a post')
      const after = start + rows.length
      const claimsMore = typeof hasMore === 'boolean' ? hasMore : total !== null && after < total
      const goesOn = claimsMore && rows.length > 0 && after < MOST_ROWS
      return { ...pageOf(items, goesOn ? { start: after, total } : null, total, claimsMore && rows.length === 0), unapplied: [] }
    },
  }
}

function criteria({ sort, datePosted, contentType, filters }: PostSearch): Record<string, string | null> {
  return {
    sortBy: SORTS[sort],
    datePosted: WINDOWS[datePosted],
    contentType: contentType === null ? null : CONTENT_TYPES[contentType],
    authorIndustry: commaList(filters.authorIndustry),
    authorCompany: commaList(filters.authorCompany),
    fromMember: commaList(filters.fromPerson),
    fromOrganization: commaList(filters.fromCompany),
    mentionsMember: commaList(filters.mentionsPerson),
    mentionsOrganization: commaList(filters.mentionsCompany),
  }
}
