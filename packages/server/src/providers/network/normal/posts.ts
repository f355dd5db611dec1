/** The normal form of posts, reactions and comments: their keys, addresses, kinds and times. */
import { decodeFully } from '@les/contract'
import { cleanUrlOrNull } from '../../../platform/text.ts'
import type { Comment, ContentType, ReactionName } from '../../ports.ts'

/** Everything that may name a post; `number` is a bare number that is the activity's unless something says what else it is. */
type PostNames = {
  id: string | null
  url: string | null
  others: readonly (string | null)[]
  number?: string | null
}

// The network's numbers have up to 20 digits. What is longer is no number, and fits no key of the database.
const KIND = /(activity|ugcPost|share|groupPost)[:-](\d{1,24})(?!\d)/gi

/** A post's activity URN and its other URNs; null when no activity number is to be had (group posts, unresolved shares). */
export function readPostKeys(names: PostNames): { urn: string; aliases: string[] } | null {
  // A URN in the id is the surest, then the address, then what else mentions it.
  const mentions = [names.id, names.url, ...names.others].flatMap((value) =>
    value
      ? [...decodeFully(value).matchAll(KIND)].map((found) => ({ kind: found[1]!.toLowerCase(), number: found[2]! }))
      : [],
  )
  const bare = [names.id, names.number].filter(
    (value): value is string => typeof value === 'string' && /^\d{1,24}$/.test(value),
  )
  // A bare number is an activity's unless something says what else it is; a group post's address holds the numbers of group and post.
  const other = (number: string) =>
    mentions.some((mention) => mention.number === number || mention.kind === 'grouppost')
  const activity = mentions.find(({ kind }) => kind === 'activity')?.number ?? bare.find((number) => !other(number))
  if (activity === undefined) return null
  const aliases = mentions.flatMap(({ kind, number }) =>
    kind === 'ugcpost' ? `urn:li:ugcPost:${number}` : kind === 'share' ? `urn:li:share:${number}` : [],
  )
  return { urn: `urn:li:activity:${activity}`, aliases: [...new Set(aliases)] }
}

/** A post's public address without tracking; made from the URN when the vendor's is not one on the network. */
export function readPostUrl(url: string | null, urn: string): string {
  const clean = cleanUrlOrNull(url)
  const parsed = clean === null ? null : new URL(clean)
  if (parsed === null || parsed.protocol !== 'https:' || !/(^|\.)linkedin\.com$/.test(parsed.hostname))
    return postUrlOf(urn)
  return `${parsed.origin}${parsed.pathname}`
}

/** A post's own address when it names the post's number (it also says whose post it is), else the one made from the URN. */
export function postAddress(post: { urn: string; url: string }): string {
  const number = activityNumber(post.urn)
  return number !== null && post.url.includes(number) && readPostUrl(post.url, post.urn) === post.url
    ? post.url
    : postUrlOf(post.urn)
}

/** The address that every vendor understands for a post. */
export function postUrlOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}`
}

/** The number of an activity URN; null for any other URN. */
export function activityNumber(urn: string): string | null {
  return /^(?:urn:li:activity:)?(\d+)$/.exec(urn)?.[1] ?? null
}

/** Whether a feed's header line announces a repost. */
export const announcesRepost = (header: string | null): boolean => header !== null && /\brepost/i.test(header)

const CONTENT_TYPES: Readonly<Record<string, ContentType>> = {
  video: 'VIDEO',
  image: 'IMAGE',
  images: 'IMAGE',
  photo: 'IMAGE',
  document: 'DOCUMENT',
  job: 'JOB',
  livevideo: 'LIVE_VIDEO',
  collaborativearticle: 'COLLABORATIVE_ARTICLE',
}

/** The content type that a vendor's word means; null for kinds the product does not name (polls, plain links). */
export function contentTypeOf(word: string | null): ContentType | null {
  return word === null ? null : (CONTENT_TYPES[word.toLowerCase().replace(/[^a-z]/g, '')] ?? null)
}

/** The content type that a link means. */
export function contentTypeOfLink(link: string | null): ContentType | null {
  if (link === null || !/linkedin\.com\//i.test(link)) return null
  if (/\/jobs\/view\//i.test(link)) return 'JOB'
  if (/\/advice\//i.test(link)) return 'COLLABORATIVE_ARTICLE'
  return /\/(video\/live|events)\//i.test(link) ? 'LIVE_VIDEO' : null
}

const REACTIONS: Readonly<Record<string, ReactionName>> = {
  LIKE: 'Like',
  PRAISE: 'Praise',
  CELEBRATE: 'Praise',
  EMPATHY: 'Empathy',
  LOVE: 'Empathy',
  APPRECIATION: 'Appreciation',
  SUPPORT: 'Appreciation',
  INTEREST: 'Interest',
  INSIGHTFUL: 'Interest',
  MAYBE: 'Interest',
  ENTERTAINMENT: 'Entertainment',
  FUNNY: 'Entertainment',
}

/** The network's name of a reaction; one it has not named yet counts as `Like`, so that no lead is lost for it. */
export function readReaction(word: string | null): ReactionName {
  return REACTIONS[word?.toUpperCase() ?? ''] ?? 'Like'
}

/** A comment's number, and its parent's when it is a reply. */
type CommentKeys = { id: string; parentId: string | null }

/** The comment's own number in an id: a bare number, `fsd_comment:(<id>,…)` or `comment:(…,<id>)`. */
export function commentNumber(value: string | null | undefined): string | null {
  if (!value) return null
  const plain = decodeFully(value.trim())
  // What is longer than the network's numbers is none, and fits no key of the database.
  if (/^\d{1,24}$/.test(plain)) return plain
  return /fsd_comment:\((\d{1,24}),/i.exec(plain)?.[1] ?? /comment:\([^()]*,\s*(\d{1,24})\)/i.exec(plain)?.[1] ?? null
}

/** What a comment's address says: a reply's carries its own number and its parent's. Null when it names no comment. */
export function commentKeysInUrl(url: string | null | undefined): CommentKeys | null {
  const params = url ? URL.parse(url)?.searchParams : undefined
  if (!params) return null
  const number = (...names: string[]) =>
    names.map((name) => commentNumber(params.get(name))).find((found) => found !== null) ?? null
  const comment = number('commentUrn', 'dashCommentUrn')
  const reply = number('replyUrn', 'dashReplyUrn')
  if (reply !== null) return { id: reply, parentId: comment === reply ? null : comment }
  return comment === null ? null : { id: comment, parentId: null }
}

/** The address of a comment on a post. */
export function commentUrl(postUrn: string, commentId: string): string {
  const short = postUrn.replace('urn:li:', '')
  return `https://www.linkedin.com/feed/update/${postUrn}?commentUrn=${encodeURIComponent(`urn:li:comment:(${short},${commentId})`)}`
}

/** Comments of a page with every reply after its parent; the order is otherwise kept. */
export function parentsFirst(comments: readonly Comment[]): Comment[] {
  return [
    ...comments.filter(({ parentId }) => parentId === null),
    ...comments.filter(({ parentId }) => parentId !== null),
  ]
}

const EARLIEST_MS = Date.UTC(2003, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** An instant from a time stamp in milliseconds, else from a full date in text; null for relative texts (`7h`) and nonsense. */
export function instant(timestamp: number | string | null | undefined, date: string | null | undefined): string | null {
  const stamp = typeof timestamp === 'string' && /^\d{12,14}$/.test(timestamp) ? Number(timestamp) : timestamp
  if (typeof stamp === 'number' && stamp >= EARLIEST_MS && stamp < LATEST_MS) return new Date(stamp).toISOString()
  // A date without a zone is UTC at every vendor.
  const parts = date
    ? /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\s*(Z|[+-]\d\d:?\d\d)?)?/.exec(date)
    : null
  if (!parts) return null
  const zone = (parts[3] ?? 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${parts[1]}T${parts[2] ?? '00:00:00'}${zone}`)
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null
}
