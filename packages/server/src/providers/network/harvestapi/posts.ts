import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CallOptions, ContentType, NetworkProvider, PageCursor, Post, PostsOf } from '../../ports.ts'
import { companyUrl, readCompanyPage, readSlug } from '../normal/companies.ts'
import { readRows } from '../normal/lenient.ts'
import { isCompany, memberIdIn, profileUrl, readHandle, handleInUrl, readName, readPageName } from '../normal/people.ts'
import { announcesRepost, contentTypeOfLink, postUrlOf, readPostKeys, readPostUrl } from '../normal/posts.ts'
import { keepOwn, ownerFor, ownerIn, shareOfTime, type Owner } from '../normal/own-posts.ts'
import { instant } from '../normal/times.ts'
import { cursorNumber, cursorText, decideEnd, pageOf } from '../paging.ts'
import type { HarvestClient } from './client.ts'
import { harvestCompanies } from './companies.ts'
import { harvestProfiles } from './profiles.ts'
import { type Pagination, post as postSchema } from './schemas.ts'
import type { z } from 'zod'

type RawPost = z.output<typeof postSchema>

/** Posts of people and pages, and single posts. */
export function harvestPosts(client: HarvestClient): Pick<NetworkProvider, 'posts' | 'post'> {
  return {
    posts: async (of, cursor, options) => {
      const operation = 'posts'
      const page = cursorNumber(cursor, 'page') ?? 1
      const person = of.kind === 'person'
      const author = person
        ? of.urn !== null
          ? { profileId: of.urn }
          : { profilePublicIdentifier: of.handle }
        : of.urn !== null
          ? { companyId: of.urn.replace('urn:li:company:', '') }
          : { companyUniversalName: of.slug }
      const query = { ...author, page, paginationToken: cursorText(cursor, 'token') }
      // Without an id there may be a second call, and both have the time of one.
      const mayAskTwice = of.urn === null && ownerIn(cursor) === null
      const { rows, pagination } = await client.elements(
        { operation, path: person ? '/linkedin/profile-posts' : '/linkedin/company-posts', query },
        mayAskTwice ? shareOfTime(options, 0.6) : options,
      )
      const { items: posts, unreadable } = readRows(rows, postSchema, {
        who: (row) => row.author,
        normalise: (row) => (isRepost(row) ? null : readPost(row)),
      })
      if (unreadable) throw client.malformed(operation, 'no row is a post')
      const ask = () => askForOwner(client, of, shareOfTime(options, 0.4))
      const { items, owner } = await keepOwn(posts, { of, owner: ownerIn(cursor), ask })
      const made = numberedPage({ items, served: rows.length, cursor, pagination })
      return { ...made, next: made.next && { ...made.next, ...ownerFor(owner) } }
    },
    post: async (urn, options) => {
      const operation = 'post'
      const made = readPost(
        postSchema.parse(
          await client.element({ operation, path: '/linkedin/post', query: { url: postUrlOf(urn) } }, options),
        ),
      )
      if (made === null) throw client.malformed(operation, 'the post has no activity number')
      return made
    },
  }
}

async function askForOwner(client: HarvestClient, of: PostsOf, options: CallOptions | undefined): Promise<Owner> {
  if (of.kind === 'person') {
    const { urn, handle } = await harvestProfiles(client).resolveHandle(of.handle, options)
    return { urn, name: handle }
  }
  const { urn, slug } = await harvestCompanies(client).company({ slug: of.slug }, options)
  return { urn, name: slug }
}

/** A page of a list that is read by number, with a token sent back whenever one came (without it page 1 repeats). */
export function numberedPage<T>({
  items,
  served,
  cursor,
  pagination,
}: {
  readonly items: readonly T[]
  readonly served: number
  readonly cursor: PageCursor | null
  readonly pagination: Pagination | null
}) {
  const page = cursorNumber(cursor, 'page') ?? 1
  // An answer may come without its pagination; what was declared before still holds, and the token: without one page 1 repeats.
  const total = pagination?.totalElements ?? pagination?.totalResultCount ?? cursorNumber(cursor, 'total')
  const pageSize = pagination?.pageSize ?? cursorNumber(cursor, 'size')
  const token = pagination ? pagination.paginationToken : cursorText(cursor, 'token')
  const { last, cutShort } = decideEnd({ page, served, total, totalPages: pagination?.totalPages ?? null, pageSize })
  return pageOf(items, {
    next: last ? null : { page: page + 1, token, total, size: pageSize },
    total,
    cutShort,
  })
}

/**
 * Whether a row shows somebody else's post: announced as such, the original itself, or shared without a word; a quote
 * with words is a post.
 */
export function isRepost(raw: RawPost): boolean {
  if (announcesRepost(raw.header?.text ?? null) || (raw.repostedBy && !raw.repost)) return true
  return (raw.repost || raw.repostId) && cleanTextOrNull(raw.content, 10) === null
}

/** A post in the service's words; null when no activity number is to be had. */
export function readPost(raw: RawPost): Post | null {
  const engagementId = raw.engagement?.id ?? null
  const keys = readPostKeys({
    id: raw.id,
    url: raw.linkedinUrl,
    number: engagementId,
    others: [engagementId, raw.entityId, raw.shareUrn, raw.shareLinkedinUrl],
  })
  if (keys === null) return null
  const counts = raw.engagement?.reactions.map(({ count }) => count) ?? []
  const likes = raw.engagement?.likes ?? null
  return {
    urn: keys.urn,
    url: readPostUrl(raw.linkedinUrl, keys.urn),
    text: cleanTextOrNull(raw.content, TEXT_LIMITS.text),
    author: readAuthor(raw.author),
    postedAt: instant(raw.postedAt?.timestamp, raw.postedAt?.date),
    contentType: contentTypeIn(raw),
    // Seen both ways: `likes` of all types, and of one type beside a full list of reactions.
    totalReactionCount: totalOf(likes, counts),
    commentsCount: raw.engagement?.comments ?? null,
    aliases: keys.aliases,
  }
}

/** Reactions of all types: what is declared, or what its parts come to if that is more; null when neither is known. */
function totalOf(declared: number | null, parts: readonly (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null)
  const sum = known.reduce((total, part) => total + part, 0)
  if (declared !== null) return Math.max(declared, sum)
  return sum === 0 || known.length < parts.length ? null : sum
}

function contentTypeIn(raw: RawPost): ContentType | null {
  const linked = contentTypeOfLink(raw.article?.link ?? null)
  if (linked !== null) return linked
  if (raw.postVideo) return 'VIDEO'
  if (raw.document) return 'DOCUMENT'
  return raw.postImages ? 'IMAGE' : null
}

function readAuthor(raw: RawPost['author']): Post['author'] {
  if (!raw) return { kind: 'person', urn: null, name: null, url: null, headline: null }
  const headline = cleanTextOrNull(raw.info, TEXT_LIMITS.headline)
  if (isCompany({ type: raw.type, url: raw.linkedinUrl, ids: [raw.id, raw.urn] })) {
    const page = readCompanyPage(raw.linkedinUrl, raw.id, raw.urn)
    return {
      kind: 'company',
      urn: page.urn,
      url: companyUrl({ urn: page.urn, slug: readSlug(raw.universalName) ?? page.slug }),
      name: readPageName(raw.name),
      headline,
    }
  }
  const urn = memberIdIn(raw.profileId, raw.id, raw.urn, raw.linkedinUrl)
  const known = readHandle(raw.publicIdentifier) ?? handleInUrl(raw.linkedinUrl) ?? urn
  return { kind: 'person', urn, url: known === null ? null : profileUrl(known), name: readName(raw.name), headline }
}
