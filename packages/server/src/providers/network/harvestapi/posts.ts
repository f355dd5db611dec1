import type { z } from 'zod'
import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CallOptions, ContentType, NetworkProvider, PageCursor, Post, PostSearch, PostsOf } from '../../ports.ts'
import { readRows } from '../normal/lenient.ts'
import { keepOwn, ownerFor, ownerIn, shareOfTime, type Owner } from '../normal/own-posts.ts'
import { readAuthor } from '../normal/people.ts'
import { announcesRepost, contentTypeOfLink, instant, postUrlOf, readPostKeys, readPostUrl } from '../normal/posts.ts'
import { commaList, maxRows, plainAlternative, sentTerm, textHasTerm } from '../normal/search.ts'
import { cursorNumber, cursorText, decideEnd, pageOf } from '../paging.ts'
import type { HarvestClient } from './client.ts'
import { harvestProfiles } from './profiles.ts'
import { type Pagination, post as postSchema } from './schemas.ts'

type RawPost = z.output<typeof postSchema>

/** HarvestAPI's posts: feeds of people and pages, single posts, and search (fifty a page, all filters applied by the vendor). */
export function harvestPosts(client: HarvestClient): Pick<NetworkProvider, 'posts' | 'post' | 'searchPosts'> {
  return {
    posts: async (of, cursor, options) => {
      const operation = 'posts'
      const page = cursorNumber(cursor, 'page') ?? 1
      const path = of.kind === 'person' ? '/linkedin/profile-posts' : '/linkedin/company-posts'
      const query = { ...authorOf(of), page, paginationToken: cursorText(cursor, 'token') }
      // Without an id a second call may follow, and both share the caller's time.
      const mayAskTwice = of.urn === null && ownerIn(cursor) === null
      const { rows, pagination } = await client.elements(
        { operation, path, query },
        mayAskTwice ? shareOfTime(options, 0.6) : options,
      )
      const posts = readRows(rows, postSchema, {
        who: (row) => row.author,
        normalise: (row) => (isRepost(row) ? null : readPost(row)),
        unreadable: () => client.malformed(operation, 'no row is a post'),
      })
      const ask = () => askForOwner(client, of, shareOfTime(options, 0.4))
      const { items, owner } = await keepOwn(posts, { of, owner: ownerIn(cursor), ask })
      const made = numberedPage(items, rows.length, cursor, pagination)
      return { ...made, next: made.next && { ...made.next, ...ownerFor(owner) } }
    },
    post: async (urn, options) => {
      const operation = 'post'
      const call = { operation, path: '/linkedin/post', query: { url: postUrlOf(urn) } }
      const made = readPost(postSchema.parse(await client.element(call, options)))
      if (made === null) throw client.malformed(operation, 'the post has no activity number')
      return made
    },
    searchPosts: async (search, cursor, options) => {
      const operation = 'searchPosts'
      const page = cursorNumber(cursor, 'page') ?? 1
      const { sent, rest } = sentTerm(search.term)
      const query = { search: sent, ...criteria(search), page, paginationToken: cursorText(cursor, 'token') }
      const { rows, pagination } = await client.elements({ operation, path: '/linkedin/post-search', query }, options)
      const items = readRows(rows, postSchema, {
        // A search result counts by its text, so its author may be missing.
        who: null,
        normalise: (row) => {
          const made = isRepost(row) ? null : readPost(row)
          return made !== null && rest && !textHasTerm(made.text, search.term) ? null : made
        },
        unreadable: () => client.malformed(operation, 'no row is a post'),
      })
      const made = numberedPage(items, rows.length, cursor, pagination)
      return { ...made, next: page * searchPageSize >= maxRows ? null : made.next, unapplied: [] }
    },
  }
}

function authorOf(of: PostsOf): Record<string, string> {
  if (of.kind === 'person') return of.urn === null ? { profilePublicIdentifier: of.handle } : { profileId: of.urn }
  return of.urn === null ? { companyUniversalName: of.slug } : { companyId: of.urn.replace('urn:li:company:', '') }
}

async function askForOwner(client: HarvestClient, of: PostsOf, options: CallOptions | undefined): Promise<Owner> {
  const profiles = harvestProfiles(client)
  if (of.kind === 'person') {
    const { urn, handle } = await profiles.resolveHandle(of.handle, options)
    return { urn, name: handle }
  }
  const { urn, slug } = await profiles.company({ slug: of.slug }, options)
  return { urn, name: slug }
}

/** A page of a numbered list. Any token received is sent back, since otherwise page 1 repeats. */
export function numberedPage<T>(
  items: readonly T[],
  served: number,
  cursor: PageCursor | null,
  pagination: Pagination | null,
) {
  const page = cursorNumber(cursor, 'page') ?? 1
  // An answer may lack pagination; then the earlier total, size and token still hold.
  const total = pagination?.totalElements ?? pagination?.totalResultCount ?? cursorNumber(cursor, 'total')
  const size = pagination?.pageSize ?? cursorNumber(cursor, 'size')
  const token = pagination ? pagination.paginationToken : cursorText(cursor, 'token')
  const totalPages = pagination?.totalPages ?? null
  const { last, cutShort } = decideEnd({ page, served, total, totalPages, pageSize: size })
  return pageOf(items, { next: last ? null : { page: page + 1, token, total, size }, total, cutShort })
}

/** A row is a repost if it announces one, is the original itself, or was shared without own text. */
function isRepost(raw: RawPost): boolean {
  if (announcesRepost(raw.header?.text ?? null) || (raw.repostedBy && !raw.repost)) return true
  return (raw.repost || raw.repostId) && cleanTextOrNull(raw.content, 10) === null
}

function readPost(raw: RawPost): Post | null {
  const engagementId = raw.engagement?.id ?? null
  const keys = readPostKeys({
    id: raw.id,
    url: raw.linkedinUrl,
    number: engagementId,
    others: [engagementId, raw.entityId, raw.shareUrn, raw.shareLinkedinUrl],
  })
  if (keys === null) return null
  const { author } = raw
  return {
    urn: keys.urn,
    url: readPostUrl(raw.linkedinUrl, keys.urn),
    text: cleanTextOrNull(raw.content, TEXT_LIMITS.text),
    author: readAuthor(
      author
        ? {
            type: author.type,
            ids: [author.profileId, author.id, author.urn],
            name: author.name,
            headline: author.info,
            url: author.linkedinUrl,
            handle: author.publicIdentifier,
            slug: author.universalName,
            avatar: null,
          }
        : null,
    ),
    postedAt: instant(raw.postedAt?.timestamp, raw.postedAt?.date),
    contentType: contentTypeIn(raw),
    totalReactionCount: totalReactions(raw.engagement),
    commentsCount: raw.engagement?.comments ?? null,
    aliases: keys.aliases,
  }
}

/** Reactions of all types; null when unknown. Vendors use `likes` both for the total and for one type next to a full list. */
function totalReactions(engagement: RawPost['engagement']): number | null {
  const counts = engagement?.reactions.map(({ count }) => count) ?? []
  const known = counts.filter((count) => count !== null)
  const sum = known.reduce((total, count) => total + count, 0)
  const likes = engagement?.likes ?? null
  if (likes !== null) return Math.max(likes, sum)
  return sum === 0 || known.length < counts.length ? null : sum
}

function contentTypeIn(raw: RawPost): ContentType | null {
  const linked = contentTypeOfLink(raw.article?.link ?? null)
  if (linked !== null) return linked
  if (raw.postVideo) return 'VIDEO'
  if (raw.document) return 'DOCUMENT'
  return raw.postImages ? 'IMAGE' : null
}

const searchPageSize = 50
const sorts = { RELEVANCE: 'relevance', DATE_POSTED: 'date' } as const
const windows = { PAST_24_HOURS: '24h', PAST_WEEK: 'week', PAST_MONTH: 'month' } as const
const contentTypes: Readonly<Record<ContentType, string>> = {
  VIDEO: 'videos',
  IMAGE: 'images',
  JOB: 'jobs',
  LIVE_VIDEO: 'live_videos',
  DOCUMENT: 'documents',
  COLLABORATIVE_ARTICLE: 'collaborative_articles',
}

function criteria({ sort, datePosted, contentType, filters }: PostSearch): Record<string, string | null> {
  return {
    sortBy: sorts[sort],
    postedLimit: windows[datePosted],
    contentType: contentType === null ? null : contentTypes[contentType],
    authorsIndustryId: commaList(filters.authorIndustry),
    authorsCompanyId: commaList(filters.authorCompany),
    // The vendor takes one text. OR binds weakest, so the words of each keyword stay together.
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
