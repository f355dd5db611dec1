import type { z } from 'zod'
import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import {
  type CallOptions,
  type NetworkProvider,
  type PageCursor,
  type Post,
  type PostsOf,
  ProviderFailure,
} from '../../ports.ts'
import { companyUrn, readSlug } from '../normal/companies.ts'
import { readRows } from '../normal/lenient.ts'
import { keepOwn, type Owner } from '../normal/own-posts.ts'
import { memberIdIn, type RawActor, readAuthor, readHandle } from '../normal/people.ts'
import {
  activityNumber,
  announcesRepost,
  contentTypeOf,
  contentTypeOfLink,
  instant,
  readPostKeys,
  readPostUrl,
} from '../normal/posts.ts'
import { cursorNumber, cursorText, pageOf } from '../paging.ts'
import type { LinkdClient } from './client.ts'
import {
  type LinkdAuthor,
  post as postSchema,
  postInfo,
  postPage,
  universalNameToId,
  usernameToUrn,
} from './schemas.ts'

type RawPost = z.output<typeof postSchema>

/** LinkdAPI's posts: those of people (by cursor) and of pages (by offset), and single posts by activity number. */
export function linkdPosts(client: LinkdClient): Pick<NetworkProvider, 'posts' | 'post'> {
  return {
    posts: async (of, cursor, options) => {
      const operation = 'posts'
      const start = cursorNumber(cursor, 'start') ?? 0
      // Lists are read by id; the cursor carries it, so it is looked up once per read.
      const owner = ownerIn(cursor, of) ?? (await ownerOf(client, of, options))
      const id = owner.urn.replace('urn:li:company:', '')
      const call =
        of.kind === 'person'
          ? { operation, path: '/posts/all', query: { urn: id, start, cursor: cursorText(cursor, 'cursor') } }
          : { operation, path: '/companies/company/posts', query: { id, start } }
      const read = postPage.safeParse(await client.data(call, options))
      if (!read.success) throw client.malformed(operation, 'the answer has no posts')
      const { posts: rows, cursor: nextCursor } = read.data
      const posts = readRows(rows, postSchema, {
        who: (row) => row.author,
        // Empty text with shared content does not prove a repost: this list omits a third of all texts.
        normalise: (row) => (announcesRepost(row.header) ? null : readPost(row)),
        unreadable: () => client.malformed(operation, 'no row is a post'),
      })
      const { items } = await keepOwn(posts, { of, owner, ask: async () => owner })
      const claimsMore = nextCursor !== null && nextCursor !== '' && nextCursor !== cursorText(cursor, 'cursor')
      const goesOn = rows.length > 0 && (of.kind === 'company' || claimsMore)
      const name = owner.name === null ? {} : { name: owner.name }
      const next = { id, ...name, start: start + rows.length, cursor: of.kind === 'person' ? nextCursor : null }
      return pageOf(items, { next: goesOn ? next : null, total: null, cutShort: rows.length === 0 && claimsMore })
    },
    post: async (urn, options) => {
      const operation = 'post'
      const number = numberOf(operation, urn)
      const call = { operation, path: '/posts/info', query: { urn: number } }
      const read = postInfo.parse(await client.data(call, options))
      const row = postSchema.safeParse(read.post)
      const made = row.success ? readPost(row.data) : null
      if (made === null) throw client.malformed(operation, 'the answer has no post')
      return made
    },
  }
}

/** The activity number this vendor needs; throws `unavailable` for other URNs, since the post may well exist. */
export function numberOf(operation: string, urn: string): string {
  const number = activityNumber(urn)
  if (number === null)
    throw new ProviderFailure({
      provider: 'linkdapi',
      operation,
      kind: 'unavailable',
      message: `linkdapi ${operation}: posts are known by activity number only`,
    })
  return number
}

function ownerIn(cursor: PageCursor | null, { kind }: PostsOf): Owner | null {
  const id = cursorText(cursor, 'id')
  const urn = id === null || kind === 'person' ? id : companyUrn(id)
  return urn === null ? null : { urn, name: cursorText(cursor, 'name') }
}

async function ownerOf(client: LinkdClient, of: PostsOf, options: CallOptions | undefined): Promise<Owner> {
  if (of.urn !== null) return { urn: of.urn, name: null }
  const operation = 'posts'
  if (of.kind === 'person') {
    const call = { operation, path: '/profile/username-to-urn', query: { username: of.handle } }
    const read = usernameToUrn.parse(await client.data(call, options))
    const urn = memberIdIn(read.urn)
    if (urn === null) throw client.malformed(operation, 'the answer has no member id')
    return { urn, name: readHandle(read.username) }
  }
  const call = { operation, path: '/companies/company/universal-name-to-id', query: { universalName: of.slug } }
  const read = universalNameToId.parse(await client.data(call, options))
  const urn = companyUrn(read.id)
  if (urn === null) throw client.malformed(operation, 'the answer has no company id')
  return { urn, name: readSlug(read.universalName) }
}

/** Maps a post; null when it has no activity number. */
export function readPost(raw: RawPost): Post | null {
  const keys = readPostKeys({ id: raw.urn, url: raw.url, others: [] })
  if (keys === null) return null
  const media = raw.mediaContent
    .map(({ type, url }) => contentTypeOfLink(url) ?? contentTypeOf(type))
    .find((found) => found !== null)
  return {
    urn: keys.urn,
    url: readPostUrl(raw.url, keys.urn),
    text: cleanTextOrNull(raw.text, TEXT_LIMITS.text),
    author: readAuthor(raw.author ? actorOf(raw.author) : null),
    postedAt: instant(raw.postedAt?.timestamp, raw.postedAt?.fullDate),
    contentType: media ?? null,
    totalReactionCount: raw.engagements?.totalReactions ?? null,
    commentsCount: raw.engagements?.commentsCount ?? null,
    aliases: keys.aliases,
  }
}

/** Maps a row's author to the normal form's input. */
export const actorOf = (raw: LinkdAuthor): RawActor => ({
  type: raw.type,
  ids: [raw.urn, raw.id],
  name: raw.name,
  headline: raw.headline,
  url: raw.url,
  avatar: raw.profilePictureURL,
})
