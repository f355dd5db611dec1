/** LinkdAPI's wire shapes, as far as they are read (reference/providers.md §1.2). */
import { z } from 'zod'
import { count, field, listOf, maybe, millis, somebody, text, token } from '../normal/lenient.ts'

/** Answer of `username-to-urn`. */
export const usernameToUrn = z.object({ urn: text, username: text })

const position = z.object({
  companyId: text,
  companyName: text,
  companyUsername: text,
  companyURL: text,
  title: text,
  start: field,
  end: field,
})
export type LinkdPosition = z.output<typeof position>
const marked = position.extend({ name: text, urn: text, url: text })
export type LinkdMarked = z.output<typeof marked>

export const profile = z.object({
  id: text,
  urn: text,
  username: text,
  firstName: text,
  lastName: text,
  headline: text,
  profilePicture: text,
  geo: maybe(z.object({ country: text, countryCode: text, full: text })),
  fullPositions: listOf(position),
  currentPositions: listOf(marked),
})

const named = z.union([z.string(), z.object({ id: text, urn: text, name: text, title: text })])

export const company = z.object({
  id: text,
  name: text,
  universalName: text,
  linkedinUrl: text,
  description: text,
  images: maybe(z.object({ logo: text, cover: text })),
  staffCount: count,
  staffCountRange: text,
  headquarter: maybe(z.object({ countryCode: text, geographicArea: text, country: text, city: text })),
  industriesV2: listOf(named),
  industriesLegacy: listOf(named),
  industries: listOf(named),
  specialities: listOf(text),
  website: text,
  founded: maybe(z.object({ year: count })),
  followerCount: count,
})

/** Answer of `universal-name-to-id`. */
export const universalNameToId = z.object({ id: text, universalName: text })

const author = z.object({
  name: text,
  headline: text,
  urn: text,
  id: text,
  url: text,
  profilePictureURL: text,
  type: text,
})
export type LinkdAuthor = z.output<typeof author>

const engagements = z.object({ totalReactions: count, commentsCount: count })

export const post = z.object({
  text,
  url: text,
  urn: text,
  header: text,
  author: somebody(author),
  postedAt: maybe(z.object({ timestamp: millis, fullDate: text })),
  engagements: maybe(engagements),
  mediaContent: listOf(z.object({ type: text, url: text })),
})

/** A search result: a post with other field names. */
export const foundPost = post
  .extend({ postID: text, postURL: text })
  .transform(({ postID, postURL, ...row }) => ({ ...row, urn: row.urn ?? postID, url: row.url ?? postURL }))
export const searchPage = z.object({ posts: z.array(z.unknown()), total: count, start: count, count, hasMore: field })

export const postPage = z.object({ cursor: token, posts: z.array(z.unknown()) })
export const postInfo = z.object({ post: field })

export const likesPage = z.object({ currentPage: count, pages: count, totalLikes: count, likes: z.array(z.unknown()) })
export const like = z.object({ actor: somebody(author), reactionType: text })

export const commentsPage = z.object({
  cursor: token,
  total: count,
  totalComments: count,
  comments: z.array(z.unknown()),
})
export const comment = z.object({ author: somebody(author), comment: text, createdAt: millis, permalink: text })
