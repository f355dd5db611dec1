import { activityId, authorCode, readActivityId, type AuthorCode } from './activity-id.ts'
import { companyIndex, COMPANY_COUNT } from './companies.ts'
import { PERSON_COUNT } from './people.ts'
import { hash32, randomFrom, type Random } from './random.ts'
import type { CONTENT_TYPES } from './seed-schemas.ts'
import { generatedText } from './texts.ts'

/** A member or page: population index (number), or member id, handle, page id or slug (text). */
export type ActorRef = { kind: 'person' | 'company'; key: number | string }

/** An author; posts are generated from `id` and `handle`. */
export type Author = { kind: 'person' | 'company'; id: string; handle: string }

export type ContentType = (typeof CONTENT_TYPES)[number]

/** A post without engagement; `postedAtMs` null: hidden by the network; `finalReactions`: its final count. */
export type PostFacts = {
  id: string
  postedAtMs: number | null
  text: string
  contentType: ContentType
  repostOf: string | null
  shares: number
  edited: boolean
  finalReactions: number
  instant: boolean
  mentions: readonly ActorRef[]
  /** Other feeds that show it. */
  shownBy: readonly ActorRef[]
  /** Searches show it as a group post without an activity number. */
  inGroup: boolean
}

const LIST_DAYS = 90
/** Reactions of the one big post among the newest fifteen of a `viral-` handle. */
const VIRAL_REACTIONS = 2400

const DAY = 86_400_000
const VIRAL_MARK = 777
const VIRAL_EVERY = 15
const EARLIEST = Date.UTC(2012, 0, 1)

export function codeOf(author: Author): AuthorCode {
  return authorCode(author.kind, author.id, author.kind === 'company' ? companyIndex(author.id) : undefined)
}

/** The post of an author on a day (days since the epoch); null when there is none. */
export function postIdOn(seed: string, author: Author, day: number): string | null {
  const at = postedOn(seed, author, day)
  return at === null ? null : activityId(at, codeOf(author))
}

/** An author's posts up to `nowMs`, newest first, at most one per day. */
export function postIdsOf(seed: string, author: Author, nowMs: number): string[] {
  const today = Math.floor(nowMs / DAY)
  return Array.from({ length: LIST_DAYS }, (_, ago) => postIdOn(seed, author, today - ago)).filter(
    (id) => id !== null && readActivityId(id).postedAtMs <= nowMs,
  ) as string[]
}

export function hasPublished(seed: string, author: Author, id: string): boolean {
  const { postedAtMs } = readActivityId(id)
  return (
    postedOn(seed, author, Math.floor(postedAtMs / DAY)) === postedAtMs && activityId(postedAtMs, codeOf(author)) === id
  )
}

/** Whether an activity number can exist at `nowMs`: its date is after 2011 and has passed. */
export function isPlausible(id: string, nowMs: number): boolean {
  if (!/^\d{19}$/.test(id)) return false
  const { postedAtMs } = readActivityId(id)
  return postedAtMs >= EARLIEST && postedAtMs <= nowMs
}

/** A generated post, derived from its id alone; without author name and engagement. */
export function factsOf(seed: string, id: string): PostFacts {
  const { postedAtMs, code } = readActivityId(id)
  const random = randomFrom(seed, 'post', id)
  const instant = postedAtMs % 1000 === VIRAL_MARK
  const finalReactions = instant ? VIRAL_REACTIONS : reactionCount(random.next(), random.next(), popularity(seed, code))
  const repost = random.next()
  const original = activityId(postedAtMs - 3_600_000 - random.int(20 * DAY), {
    kind: 'person',
    exact: true,
    tag: random.int(PERSON_COUNT),
  })
  const by = `${code.kind}:${code.exact}:${code.tag}`
  const contentType = rarer(pickContent(random.next()), randomFrom(seed, 'content', id))
  return {
    id,
    postedAtMs,
    text:
      repost < 0.03
        ? ''
        : generatedText(by, {
            base: random,
            topic: randomFrom(seed, 'topic', id),
            words: randomFrom(seed, 'words', id),
          }),
    contentType: repost < 0.1 ? 'text' : contentType,
    repostOf: repost < 0.1 ? original : null,
    shares: Math.floor(finalReactions * random.next() * 0.08),
    edited: random.chance(0.06),
    finalReactions,
    instant,
    mentions: mentionsIn(randomFrom(seed, 'mentions', id)),
    shownBy: [],
    inGroup: false,
  }
}

function postedOn(seed: string, author: Author, day: number): number | null {
  const viral = author.handle.startsWith('viral-')
  const cadence = 0.36 + (hash32(`${seed}:${author.id}`, 51) / 2 ** 32) * 0.55
  const random = randomFrom(seed, 'day', author.id, day)
  if (!random.chance(cadence) && !viral) return null
  const at = day * DAY + 6 * 3_600_000 + random.int(14 * 3_600_000)
  const mark = viral && day % VIRAL_EVERY === hash32(author.id, 52) % VIRAL_EVERY
  if (mark) return at - (at % 1000) + VIRAL_MARK
  return at % 1000 === VIRAL_MARK ? at + 1 : at
}

function popularity(seed: string, code: AuthorCode): number {
  return 0.7 + (hash32(`${seed}:${code.kind}:${code.exact}:${code.tag}`, 53) / 2 ** 32) * 0.6
}

function reactionCount(kind: number, size: number, factor: number): number {
  if (kind < 0.967) return Math.max(3, Math.round(5 * Math.exp(size * Math.log(12)) * factor))
  if (kind < 0.997) return 200 + Math.floor(size * 400)
  return 2000 + Math.floor(size * 600)
}

function pickContent(draw: number): ContentType {
  if (draw < 0.45) return 'text'
  if (draw < 0.72) return 'image'
  if (draw < 0.8) return 'video'
  if (draw < 0.89) return 'document'
  return draw < 0.96 ? 'article' : 'poll'
}

function rarer(contentType: ContentType, random: Random): ContentType {
  if (contentType !== 'article') return contentType
  const draw = random.next()
  if (draw < 0.25) return 'job'
  if (draw < 0.4) return 'live_video'
  return draw < 0.55 ? 'collaborative_article' : 'article'
}

/** One post in nine names a page, one in nine a well-known member. */
function mentionsIn(random: Random): ActorRef[] {
  const draw = random.next()
  if (draw < 1 / 9) return [{ kind: 'company', key: Math.floor(COMPANY_COUNT * random.next() ** 4) }]
  return draw < 2 / 9 ? [{ kind: 'person', key: (Math.floor(500 * random.next() ** 3) * 397) % PERSON_COUNT }] : []
}
