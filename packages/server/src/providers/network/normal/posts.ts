/** Normalises posts, reactions and comments: keys, addresses, kinds and times. */
import { decodeFully } from '@les/contract'
import { cleanUrlOrNull } from '../../../platform/text.ts'
import type { Comment, ContentType, ReactionName } from '../../ports.ts'

/** Everything that may identify a post; `number` counts as an activity number unless another field contradicts. */
type PostNames = {
  id: string | null
  url: string | null
  others: readonly (string | null)[]
  number?: string | null
}

// The network's numbers have up to 20 digits; longer ones are invalid and fit no database key.
const KIND = /(activity|ugcPost|share|groupPost)[:-](\d{1,24})(?!\d)/gi

/** A post's activity URN and other URNs; null without an activity number (group posts, unresolved shares). */
export function readPostKeys(names: PostNames): { urn: string; aliases: string[] } | null {
  // In order of reliability: a URN in the id, the address, other mentions.
  const mentions = [names.id, names.url, ...names.others].flatMap((value) =>
    value
      ? [...decodeFully(value).matchAll(KIND)].map((found) => ({ kind: found[1]!.toLowerCase(), number: found[2]! }))
      : [],
  )
  const bare = [names.id, names.number].filter(
    (value): value is string => typeof value === 'string' && /^\d{1,24}$/.test(value),
  )
  // A group post's address contains the group's and the post's number; neither is an activity number.
  const other = (number: string) =>
    mentions.some((mention) => mention.number === number || mention.kind === 'grouppost')
  const activity = mentions.find(({ kind }) => kind === 'activity')?.number ?? bare.find((number) => !other(number))
  if (activity === undefined) return null
  const aliases = mentions.flatMap(({ kind, number }) =>
    kind === 'ugcpost' ? `urn:li:ugcPost:${number}` : kind === 'share' ? `urn:li:share:${number}` : [],
  )
  return { urn: `urn:li:activity:${activity}`, aliases: [...new Set(aliases)] }
}

/** A post's address without tracking; built from the URN when the vendor's is not on the network. */
export function readPostUrl(url: string | null, urn: string): string {
  const clean = cleanUrlOrNull(url)
  const parsed = clean === null ? null : new URL(clean)
  if (parsed === null || parsed.protocol !== 'https:' || !/(^|\.)linkedin\.com$/.test(parsed.hostname))
    return postUrlOf(urn)
  return `${parsed.origin}${parsed.pathname}`
}

/** The post's own address if it contains the post's number (it also identifies the author), else one built from the URN. */
export function postAddress(post: { urn: string; url: string }): string {
  const number = activityNumber(post.urn)
  return number !== null && post.url.includes(number) && readPostUrl(post.url, post.urn) === post.url
    ? post.url
    : postUrlOf(post.urn)
}

/** The post address that every vendor understands. */
export function postUrlOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}`
}

/** The number of an activity URN; null for other URNs. */
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

/** The content type for a vendor's word; null for kinds without a product name (polls, plain links). */
export function contentTypeOf(word: string | null): ContentType | null {
  return word === null ? null : (CONTENT_TYPES[word.toLowerCase().replace(/[^a-z]/g, '')] ?? null)
}

/** The content type a link implies. */
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

/** The network's reaction name; unknown ones count as `Like`, so that no lead is lost. */
export function readReaction(word: string | null): ReactionName {
  return REACTIONS[word?.toUpperCase() ?? ''] ?? 'Like'
}

type CommentKeys = { id: string; parentId: string | null }

/** The comment's number in an id: a bare number, `fsd_comment:(<id>,…)` or `comment:(…,<id>)`. */
export function commentNumber(value: string | null | undefined): string | null {
  if (!value) return null
  const plain = decodeFully(value.trim())
  // Longer numbers are invalid and fit no database key.
  if (/^\d{1,24}$/.test(plain)) return plain
  return /fsd_comment:\((\d{1,24}),/i.exec(plain)?.[1] ?? /comment:\([^()]*,\s*(\d{1,24})\)/i.exec(plain)?.[1] ?? null
}

/** The numbers in a comment's address; a reply's has its own and its parent's. Null when it names no comment. */
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

/** Moves replies after all top-level comments; the order is otherwise kept. */
export function parentsFirst(comments: readonly Comment[]): Comment[] {
  return [
    ...comments.filter(({ parentId }) => parentId === null),
    ...comments.filter(({ parentId }) => parentId !== null),
  ]
}

const EARLIEST_MS = Date.UTC(2003, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

/** An ISO instant from milliseconds, else from a full date text; null for relative texts (`7h`) and invalid values. */
export function instant(timestamp: number | string | null | undefined, date: string | null | undefined): string | null {
  const stamp = typeof timestamp === 'string' && /^\d{12,14}$/.test(timestamp) ? Number(timestamp) : timestamp
  if (typeof stamp === 'number' && stamp >= EARLIEST_MS && stamp < LATEST_MS) return new Date(stamp).toISOString()
  // All vendors mean UTC when a date has no zone.
  const parts = date
    ? /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\s*(Z|[+-]\d\d:?\d\d)?)?/.exec(date)
    : null
  if (!parts) return null
  const zone = (parts[3] ?? 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const ms = Date.parse(`${parts[1]}T${parts[2] ?? '00:00:00'}${zone}`)
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null
}
