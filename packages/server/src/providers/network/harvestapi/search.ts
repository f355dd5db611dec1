import type { ContentType, NetworkProvider, PostSearch } from '../../ports.ts'
import { readRows } from '../normal/lenient.ts'
import { commaList, MOST_ROWS, plainAlternative, sentTerm, textHasTerm } from '../normal/search.ts'
import { cursorNumber, cursorText } from '../paging.ts'
import type { HarvestClient } from './client.ts'
import { isRepost, numberedPage, readPost } from './posts.ts'
import { post as postSchema } from './schemas.ts'

const PAGE_SIZE = 50
const SORTS = { RELEVANCE: 'relevance', DATE_POSTED: 'date' } as const
const WINDOWS = { PAST_24_HOURS: '24h', PAST_WEEK: 'week', PAST_MONTH: 'month' } as const
const CONTENT_TYPES: Readonly<Record<ContentType, string>> = {
  VIDEO: 'videos',
  IMAGE: 'images',
  JOB: 'jobs',
  LIVE_VIDEO: 'live_videos',
  DOCUMENT: 'documents',
  COLLABORATIVE_ARTICLE: 'collaborative_articles',
}

/** Search of posts: fifty a page, every filter applied by the vendor. */
export function harvestSearch(client: HarvestClient): Pick<NetworkProvider, 'searchPosts'> {
  return {
    searchPosts: async (search, cursor, options) => {
      const operation = 'searchPosts'
      const page = cursorNumber(cursor, 'page') ?? 1
      const { sent, rest } = sentTerm(search.term)
      const query = { search: sent, ...criteria(search), page, paginationToken: cursorText(cursor, 'token') }
      const { rows, pagination } = await client.elements({ operation, path: '/linkedin/post-search', query }, options)
      const { items, unreadable } = readRows(rows, postSchema, {
        // A post is found by what it says, whoever wrote it.
        who: null,
        normalise: (row) => {
          const made = isRepost(row) ? null : readPost(row)
          return made !== null && rest && !textHasTerm(made.text, search.term) ? null : made
        },
      })
      if (unreadable) throw client.malformed(operation, 'no row is a post')
      const made = numberedPage({ items, served: rows.length, cursor, pagination })
      return { ...made, next: page * PAGE_SIZE >= MOST_ROWS ? null : made.next, unapplied: [] }
    },
  }
}

function criteria({ sort, datePosted, contentType, filters }: PostSearch): Record<string, string | null> {
  return {
    sortBy: SORTS[sort],
    postedLimit: WINDOWS[datePosted],
    contentType: contentType === null ? null : CONTENT_TYPES[contentType],
    authorsIndustryId: commaList(filters.authorIndustry),
    authorsCompanyId: commaList(filters.authorCompany),
    // Several go into the one text that this vendor takes; OR binds weakest, so the words of each stay together.
    authorKeywords:
      filters.authorKeyword
        ?.map(plainAlternative)
        .filter((words) => words !== '')
        .join(' OR ') || null,
    profileId: commaList(filters.fromPerson),
    companyId: commaList(filters.fromCompany),
    mentioningMember: commaList(filters.mentionsPerson),
    mentioningCompany: commaList(filters.mentionsCompany),
  }
}
