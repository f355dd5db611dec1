/**
 * An invented network whose posts and engagement grow with service time. Its vendor repeats rows, shifts pages, cuts lists short
 * and fails in every way a vendor can.
 */
import {
  ProviderFailure,
  type Actor,
  type Comment,
  type CommentsPage,
  type CompanyRecord,
  type Network,
  type Page,
  type PageAt,
  type PageCursor,
  type PersonSummary,
  type Post,
  type ProviderFailureKind,
  type VendorId,
  type Reaction,
  type ReactionName,
  type RepliesRef,
} from '../../src/providers/ports.ts'
import type { Dice } from './chance.ts'
import { pass } from './machine.ts'
import { inventSearch, type InventedSearch } from './search.ts'

const hour = 3_600_000
const day = 24 * hour
const reactions: readonly ReactionName[] = ['Like', 'Praise', 'Empathy', 'Appreciation', 'Interest', 'Entertainment']

type InventedReaction = {
  readonly actor: Actor
  readonly changes: readonly { readonly atMs: number; readonly reaction: ReactionName }[]
}
type InventedComment = Comment & { readonly atMs: number }

/** A post with everything that ever happens on it. */
export type InventedPost = {
  readonly urn: string
  readonly atMs: number
  readonly dated: boolean
  readonly authorUrn: string
  readonly reactions: readonly InventedReaction[]
  readonly comments: readonly InventedComment[]
  /** How many reactions the vendor serves at most; null: all. */
  readonly wall: number | null
  /** The listing does not give the number of reactions. */
  readonly silent: boolean
}

/** Somebody whose posts are tracked. */
export type Author = {
  readonly type: 'person' | 'company'
  readonly handle: string
  readonly urn: string
  readonly posts: readonly InventedPost[]
  readonly pinned: boolean
}

export type Invented = {
  readonly network: Network
  readonly authors: readonly Author[]
  readonly people: readonly PersonSummary[]
  readonly ghosts: readonly string[]
  readonly slugs: readonly string[]
  readonly search: InventedSearch
  readonly calls: { answered: number; failed: number }
  /** Urns of deleted posts, and `search <term>` for terms that once found nothing. */
  readonly gone: Set<string>
  /** Probability that a call fails. */
  failing: number
  /** Nothing new happens after this instant. */
  frozenAtMs: number
}

/** The person whom privacy histories erase. All their texts are unique; they also write posts. */
export const canary = {
  urn: 'ACoAAzqcanaryAbCdEfGhIjKlMnOpQrStUvWxYz',
  name: 'Zelda Zqname',
  headline: 'Keeper of zqheadline',
  handle: 'zq-handle',
  comment: 'What a zqcomment',
  post: 'My own zqpost',
} as const

/** Texts that must be nowhere after the erasure. */
export const canaryTexts: readonly string[] = Object.values(canary)

/** Whether a text names the canary. */
export const namesCanary = (text: string): boolean =>
  canaryTexts.some((each) => text.toLowerCase().includes(each.toLowerCase()))

const canaryNumber = 1

/** The handle of the person with number `n`. */
export const handleOf = (n: number): string => (n === canaryNumber ? canary.handle : `person-${n}`)

const canaryPerson: PersonSummary = {
  urn: canary.urn,
  name: canary.name,
  headline: canary.headline,
  handle: canary.handle,
  linkedinUrl: `https://www.linkedin.com/in/${canary.handle}`,
  avatarUrl: null,
}
const person = (n: number): PersonSummary => (n === canaryNumber ? canaryPerson : ordinaryPerson(n))
const ordinaryPerson = (n: number): PersonSummary => ({
  urn: `ACoA${String(n).padStart(4, '0')}`,
  name: n % 7 === 3 ? null : `Person ${n}`,
  headline: n % 5 === 0 ? null : `Does things (${n})`,
  handle: n % 3 === 0 ? null : handleOf(n),
  linkedinUrl:
    n % 3 === 0
      ? `https://www.linkedin.com/in/ACoA${String(n).padStart(4, '0')}`
      : `https://www.linkedin.com/in/${handleOf(n)}`,
  avatarUrl: null,
})
const asActor = (summary: PersonSummary): Actor => ({ kind: 'person', ...summary })

function inventPost(
  dice: Dice,
  urn: string,
  atMs: number,
  authorUrn: string,
  people: readonly PersonSummary[],
): InventedPost {
  const when = () => atMs + Math.floor(dice.next() ** 2 * 20 * day)
  const someone = (): Actor =>
    dice.random(0.07) ? { kind: 'company', name: 'A page', linkedinUrl: null } : asActor(dice.pick(people))
  const reacting = new Map<string, InventedReaction>()
  for (let i = dice.int(0, 9); i > 0; i--) {
    const actor = someone()
    const first = when()
    const changes = [{ atMs: first, reaction: dice.pick(reactions) }]
    if (dice.random(0.25)) changes.push({ atMs: first + dice.int(1, 10) * day, reaction: dice.pick(reactions) })
    reacting.set(actor.kind === 'person' ? actor.urn : `page-${i}`, { actor, changes })
  }
  const comments: InventedComment[] = []
  for (let i = dice.int(0, 5); i > 0; i--) {
    const top = when()
    const id = `${urn.slice(-4)}c${i}`
    const actor = someone()
    comments.push({
      id,
      actor,
      text: actor.kind === 'person' && actor.urn === canary.urn ? canary.comment : `Comment ${id}`,
      postedAt: dice.random(0.2) ? null : new Date(top).toISOString(),
      parentId: null,
      atMs: top,
    })
    for (let r = dice.random(0.4) ? dice.int(1, 3) : 0; r > 0; r--)
      comments.push({
        id: `${id}r${r}`,
        actor: someone(),
        text: null,
        postedAt: null,
        parentId: id,
        atMs: top + dice.int(0, 5) * day,
      })
  }
  return {
    urn,
    atMs,
    dated: !dice.random(0.08),
    authorUrn,
    reactions: [...reacting.values()],
    comments,
    wall: dice.random(0.1) ? dice.int(0, 3) : null,
    silent: dice.random(0.1),
  }
}

const kinds: readonly ProviderFailureKind[] = [
  'rate_limited',
  'unavailable',
  'unavailable',
  'unavailable',
  'malformed',
  'malformed',
  'account',
  'not_found',
]

/** Invents the network of a seed; `nowMs` is service time. */
export function invent(dice: Dice, startMs: number, nowMs: () => number): Invented {
  const people = Array.from({ length: dice.int(5, 16) }, (_, n) => person(n))
  const size = dice.int(2, 6)
  const companies = Array.from({ length: 4 }, (_, n) => `urn:li:company:${n}`)
  const employer = new Map(people.map((each) => [each.urn, dice.random(0.75) ? dice.pick(companies) : null]))
  const missingCompany = dice.pick(companies)
  const missingPeople = new Set(
    people.filter(({ urn }) => dice.random(0.08) && urn !== canary.urn).map((each) => each.urn),
  )
  let made = 0
  const author = (type: Author['type'], handle: string, urn: string): Author => {
    const posts: InventedPost[] = []
    const back = dice.int(1, 5)
    let atMs = startMs - back * dice.int(1, 12) * day
    for (let n = back + dice.int(2, 8); n > 0; n--) {
      posts.push(inventPost(dice, `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(++made)}`, atMs, urn, people))
      atMs += dice.int(2, 14 * 24) * hour
    }
    return { type, handle, urn, posts, pinned: dice.random(0.2) }
  }
  const authors = [
    author('person', handleOf(1), person(1).urn),
    author('person', 'author-two', 'ACoA9002'),
    author('person', 'author-three', 'ACoA9003'),
    author('company', 'acme', 'urn:li:company:900'),
    author('company', 'globex', 'urn:li:company:901'),
  ]
  const search = inventSearch(dice.fork(), startMs, people, (atMs, authorUrn) =>
    inventPost(dice, `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(++made)}`, atMs, authorUrn, people),
  )
  const posts = new Map(
    [...authors.flatMap((each) => each.posts), ...search.posts.map(({ post }) => post)].map((post) => [post.urn, post]),
  )

  const invented = {
    authors,
    people,
    search,
    ghosts: ['ghost-one', 'ghost-two'],
    slugs: companies.map((urn) => `company-${urn.slice(15)}`),
    calls: { answered: 0, failed: 0 },
    gone: new Set<string>(),
    failing: 0,
    frozenAtMs: Number.POSITIVE_INFINITY,
  }
  const now = () => Math.min(nowMs(), invented.frozenAtMs)
  const failure = (operation: string, kind: ProviderFailureKind) => {
    invented.calls.failed += 1
    return new ProviderFailure({
      provider: 'invented',
      operation,
      kind,
      message: `the invented vendor: ${kind}`,
      ...(kind === 'rate_limited' && dice.random(0.5) ? { retryAfterMs: dice.int(1, 4_000) * 1_000 } : {}),
    })
  }
  const call = async (operation: string, about?: string, lies = true): Promise<void> => {
    await pass('network', operation)
    if (dice.random(invented.failing)) {
      const drawn = dice.pick(kinds)
      const kind = drawn === 'not_found' && !lies ? 'unavailable' : drawn
      // A post reported as not found is deleted for good.
      if (kind === 'not_found' && about !== undefined) invented.gone.add(about)
      throw failure(operation, kind)
    }
    if (about !== undefined && invented.gone.has(about)) throw failure(operation, 'not_found')
    invented.calls.answered += 1
  }
  const page = <T>(
    items: readonly T[],
    at: PageAt | null,
    scope: string,
    total: number | null,
    wall: number | null,
  ): Page<T> => {
    if (at && (at.cursor.from !== at.from || at.cursor.scope !== scope))
      throw new Error(`a page of ${scope} was asked for with the cursor of another read: ${JSON.stringify(at)}`)
    const from: VendorId = at?.from ?? (dice.random(0.15) ? 'fallback' : 'primary')
    const offset = (at?.cursor.offset as number | undefined) ?? 0
    const served = wall === null ? items : items.slice(0, wall)
    const rows = served.slice(offset, offset + size)
    const cutShort = rows.length === 0 && items.length > served.length
    const repeated = rows.length > 0 && dice.random(0.1) ? [...rows, rows[0]!] : rows
    // Sometimes the next page begins with the last row of this one.
    const step = size > 1 && dice.random(0.15) ? size - 1 : size
    const more = offset + size < served.length || (wall !== null && rows.length > 0 && items.length > served.length)
    const cursor: PageCursor = { from, scope, offset: offset + step }
    return { items: repeated, next: more ? cursor : null, total, cutShort, source: from }
  }
  const postOf = (urn: string): InventedPost => posts.get(urn) ?? fail(`no post ${urn}`)
  const summaryOf = (who: { handle: string } | { urn: string }): PersonSummary | undefined =>
    'urn' in who ? people.find((each) => each.urn === who.urn) : people.find((_, n) => handleOf(n) === who.handle)

  const network: Network = {
    roleOf: () => 'primary',
    callsAtOnce: () => 20,
    resolveHandle: async (handle) => {
      // Never "not found" for the canary: otherwise the service could not know that two names are one person.
      await call('resolveHandle', undefined, handle !== canary.handle)
      const found = summaryOf({ handle })
      if (!found || missingPeople.has(found.urn)) throw failure('resolveHandle', 'not_found')
      return { urn: found.urn, handle }
    },
    profile: async (who) => {
      const found = summaryOf(who)
      await call('profile', undefined, found?.urn !== canary.urn)
      if (!found || missingPeople.has(found.urn)) throw failure('profile', 'not_found')
      const urn = employer.get(found.urn) ?? null
      return {
        ...found,
        handle: handleOf(people.indexOf(found)),
        jobs: [],
        jobTitle: 'Engineer',
        country: 'Norway',
        countryCode: 'NO',
        company: urn === null ? null : { urn, slug: null, name: `Company ${urn.slice(15)}` },
      }
    },
    company: async (which): Promise<CompanyRecord> => {
      await call('company')
      const urn = 'urn' in which ? which.urn : companies.find((each) => `company-${each.slice(15)}` === which.slug)
      if (urn === undefined || urn === missingCompany) throw failure('company', 'not_found')
      const n = urn.slice(15)
      return {
        urn,
        slug: `company-${n}`,
        industryId: null,
        name: `Company ${n}`,
        linkedinUrl: `https://www.linkedin.com/company/company-${n}`,
        website: `https://company-${n}.example.com`,
        industry: 'Tools',
        employeeCount: 12,
        staffRange: '11-50',
        headquarters: null,
        description: null,
        foundedYear: 1999,
        followerCount: 7,
        specialties: [],
        logoUrl: null,
        coverUrl: null,
      }
    },
    posts: async (of, at) => {
      await call('posts')
      const handle = of.kind === 'person' ? of.handle : of.slug
      const found = authors.find((each) => each.handle === handle && each.type === of.kind)
      if (!found) throw failure('posts', 'not_found')
      return page(
        listing(found, now()).map((post) => asPost(post, authorOf(found), now())),
        at,
        `posts ${handle}`,
        null,
        null,
      )
    },
    post: async () => {
      throw new Error('not part of the simulation')
    },
    searchPosts: async ({ term }, at) => {
      // "Not found" ends the search of a term, possibly for good.
      await call('searchPosts', `search ${term}`)
      const found = search.shown(term, now()).map(({ post, author }) => asPost(post, author, now()))
      return { ...page(found, at, `search ${term}`, null, null), unapplied: [] }
    },
    reactions: async (post, at) => {
      await call('reactions', post.urn)
      const invented = postOf(post.urn)
      const rows = reactionsAt(invented, now())
      return page(rows, at, `reactions ${post.urn}`, rows.length, invented.wall)
    },
    comments: async (post, at): Promise<CommentsPage> => {
      await call('comments', post.urn)
      const all = commentsAt(postOf(post.urn), now())
      const tops = all.filter((comment) => comment.parentId === null)
      const served = page(tops, at, `comments ${post.urn}`, tops.length, null)
      const inline = dice.random(0.5)
      const items = served.items.flatMap((comment) => [
        comment,
        ...(inline ? all.filter((reply) => reply.parentId === comment.id) : []),
      ])
      const asked = new Set(served.items.map((comment) => comment.id))
      const moreReplies = inline
        ? []
        : [...asked]
            .filter((id) => all.some((reply) => reply.parentId === id))
            .map(
              (commentId): RepliesRef => ({
                commentId,
                cursor: { from: served.source, scope: `replies ${commentId}`, offset: 0 },
              }),
            )
      return { ...served, items, moreReplies }
    },
    replies: async (post, from, ref) => {
      await call('replies', post.urn)
      const all = commentsAt(postOf(post.urn), now()).filter((comment) => comment.parentId === ref.commentId)
      return page(all, { from, cursor: ref.cursor }, `replies ${ref.commentId}`, all.length, null)
    },
  }
  return Object.assign(invented, { network })
}

function fail(message: string): never {
  throw new Error(message)
}

/** Posts as the vendor lists them at an instant: the pinned one, then newest first. */
export function listing(author: Author, atMs: number): InventedPost[] {
  const shown = author.posts.filter((post) => post.atMs <= atMs).sort((a, b) => b.atMs - a.atMs)
  return author.pinned && shown.length > 1 ? [shown.at(-1)!, ...shown.slice(0, -1)] : shown
}

/** Reactions at an instant, newest first. */
export function reactionsAt(post: InventedPost, atMs: number): Reaction[] {
  return post.reactions
    .filter((each) => each.changes[0]!.atMs <= atMs)
    .sort((a, b) => b.changes[0]!.atMs - a.changes[0]!.atMs)
    .map(({ actor, changes }) => ({ actor, reaction: changes.findLast((change) => change.atMs <= atMs)!.reaction }))
}

/** Comments and replies at an instant, newest first, parents before their replies. */
export function commentsAt(post: InventedPost, atMs: number): Comment[] {
  const shown = new Set(post.comments.filter((each) => each.atMs <= atMs).map((each) => each.id))
  return post.comments
    .filter((each) => shown.has(each.id) && (each.parentId === null || shown.has(each.parentId)))
    .sort((a, b) => b.atMs - a.atMs)
    .map(({ atMs: _at, ...comment }) => comment)
}

const authorOf = (author: Author): Post['author'] => ({
  kind: author.type,
  urn: author.urn,
  name: author.handle,
  url: null,
  headline: null,
})

function asPost(post: InventedPost, author: Post['author'], atMs: number): Post {
  const isCanary = author.urn === canary.urn
  return {
    urn: post.urn,
    url: isCanary
      ? `https://www.linkedin.com/posts/${canary.handle}_a-title-activity-${post.urn.slice(post.urn.lastIndexOf(':') + 1)}-x`
      : `https://www.linkedin.com/feed/update/${post.urn}`,
    text: isCanary ? canary.post : 'A post',
    author,
    postedAt: post.dated ? new Date(post.atMs).toISOString() : null,
    contentType: null,
    totalReactionCount: post.silent ? null : reactionsAt(post, atMs).length,
    commentsCount: post.silent ? null : commentsAt(post, atMs).length,
    aliases: [],
  }
}
