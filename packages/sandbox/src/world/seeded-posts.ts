import { activityId, readActivityId } from './activity-id.ts'
import { createCache } from './cache.ts'
import { commentId, reactionType, type Comment, type Engagement, type Reaction } from './engagement.ts'
import { PERSON_COUNT } from './people.ts'
import { codeOf, isPlausible, type ActorRef, type Author, type PostFacts } from './posts.ts'
import { randomFrom } from './random.ts'
import type { ActorSeed, CommentSeed, OwnPostSeed, ReactionSeed } from './seed-schemas.ts'
import { commentText, postText, replyText } from './texts.ts'

/** A seeded post; its engagement is in the order it is served, `declared…` override its counts. */
export type SeededPost = {
  exists: boolean
  facts: PostFacts
  engagement: Engagement
  declaredReactions: number | undefined
  declaredComments: number | undefined
}

type EngagerPool = ReturnType<typeof createEngagerPool>

/** Hands out each member to one post only, which gets the same ones again; members that match `skip` are never handed out. */
function createEngagerPool(skip: (index: number) => boolean) {
  const taken = createCache<string, number[]>()
  let next = 0
  return {
    take(purpose: string, count: number): number[] {
      const list = taken.get(purpose, () => [])
      while (list.length < count) {
        const index = (next * 130_003 + 77_777) % PERSON_COUNT
        next += 1
        if (!skip(index)) list.push(index)
      }
      return list.slice(0, count)
    },
    clear() {
      taken.clear()
      next = 0
    },
  }
}

/** Builds a seeded post; missing ids and times come from author, clock and `serial` (later seeds are newer). */
function buildSeededPost(
  author: Author,
  def: OwnPostSeed,
  { seed, serial, nowMs, pool }: { seed: string; serial: number; nowMs: number; pool: EngagerPool },
): SeededPost {
  const postedAtMs =
    def.postedAt === null
      ? null
      : def.postedAt === undefined
        ? guessedTime(def.id, serial, nowMs)
        : Date.parse(def.postedAt)
  const id = def.id ?? activityId((postedAtMs ?? nowMs - 3_600_000) + serial, codeOf(author))
  const random = randomFrom(seed, 'seeded', id)
  const reactions = Array.isArray(def.reactions)
    ? def.reactions.map(reactionFrom)
    : drawnReactions(id, def.reactions ?? 0, pool)
  const post = { postId: id, base: postedAtMs ?? nowMs - 3_600_000, nowMs }
  const comments = Array.isArray(def.comments)
    ? def.comments.map((comment, at) => commentFrom(post, comment, at))
    : drawnComments(post, def.comments ?? 0, pool)
  return {
    exists: def.exists ?? true,
    facts: {
      id,
      postedAtMs,
      text: def.text === null ? '' : (def.text ?? postText(random)),
      contentType: def.contentType ?? 'text',
      repostOf: def.repostOf ?? null,
      shares: 0,
      edited: false,
      finalReactions: reactions.length,
      instant: true,
      mentions: (def.mentions ?? []).map(refOf),
      shownBy: (def.shownBy ?? []).map(refOf),
      inGroup: def.inGroup ?? false,
    },
    engagement: { reactions, comments },
    declaredReactions: def.declaredReactions,
    declaredComments: def.declaredComments,
  }
}

function guessedTime(id: string | undefined, serial: number, nowMs: number): number {
  if (id && isPlausible(id, nowMs)) return readActivityId(id).postedAtMs
  // Posts are a second apart while the hour has room, then a millisecond: a future post would not exist yet.
  return Math.min(nowMs, nowMs - 3_600_000 + Math.min(serial * 1000, 3_000_000 + serial))
}

function refOf(actor: ActorSeed): ActorRef {
  return typeof actor === 'string' ? { kind: 'person', key: actor } : { kind: 'company', key: actor.company }
}

function reactionFrom(seed: ReactionSeed): Reaction {
  return { actor: refOf(seed.person), type: seed.type ?? 'LIKE', atMs: seed.at ? Date.parse(seed.at) : 0 }
}

function drawnReactions(id: string, count: number, pool: EngagerPool): Reaction[] {
  const random = randomFrom('reaction types', id)
  return pool
    .take(`reactions:${id}`, count)
    .map((key): Reaction => ({ actor: { kind: 'person', key }, type: reactionType(random), atMs: 0 }))
    .reverse()
}

/** Comments follow one another from `base`, none later than `nowMs`. */
type CommentedPost = { readonly postId: string; readonly base: number; readonly nowMs: number }

function drawnComments({ postId, base, nowMs }: CommentedPost, count: number, pool: EngagerPool): Comment[] {
  const random = randomFrom('comment texts', postId)
  return pool
    .take(`comments:${postId}`, count)
    .map((key, at) => ({
      ...blank(postId, at * 1024, { atMs: base + (at + 1) * 1000, latestMs: nowMs }),
      actor: { kind: 'person' as const, key },
      text: commentText(random),
    }))
    .reverse()
}

function commentFrom({ postId, base, nowMs }: CommentedPost, seed: CommentSeed, at: number): Comment {
  const atMs = seed.at ? Date.parse(seed.at) : base + (at + 1) * 60_000
  const serial = at * 1024
  const comment = {
    ...blank(postId, serial, { atMs, latestMs: seed.at ? atMs : nowMs }),
    likes: seed.likes ?? 0,
    actor: refOf(seed.person),
    text: seed.text ?? commentText(randomFrom(postId, at)),
  }
  if (seed.id) comment.id = seed.id
  comment.replies = (seed.replies ?? []).map((reply, r) => {
    const replyAt = reply.at ? Date.parse(reply.at) : atMs + (r + 1) * 1000
    const built = {
      ...blank(postId, serial + r + 1, { atMs: replyAt, latestMs: reply.at ? replyAt : nowMs }),
      actor: refOf(reply.person),
      text: reply.text ?? replyText(randomFrom(postId, at, r)),
    }
    return reply.id ? { ...built, id: reply.id } : built
  })
  return comment
}

function blank(postId: string, serial: number, { atMs, latestMs }: { atMs: number; latestMs: number }): Comment {
  return {
    id: commentId(postId, atMs, serial),
    actor: { kind: 'person', key: 0 },
    text: '',
    atMs: Math.min(atMs, latestMs),
    likes: 0,
    edited: false,
    pinned: false,
    replies: [],
  }
}

/** Seeded posts by author and number. An author with an entry, even an empty one, has no generated posts. */
export type SeededStore = ReturnType<typeof createSeededStore>

/** Members that match `isHidden` never engage with its posts. */
export function createSeededStore(seed: string, isHidden: (index: number) => boolean) {
  const posts = new Map<string, Map<string, SeededPost>>()
  const authorOf = new Map<string, Author>()
  const pool = createEngagerPool(isHidden)
  let serial = 0
  const of = (author: Author): ReadonlyMap<string, SeededPost> | undefined =>
    posts.get(`${author.kind}:${author.handle}`)
  const own = (author: Author): Map<string, SeededPost> => {
    const known = posts.get(`${author.kind}:${author.handle}`) ?? new Map<string, SeededPost>()
    posts.set(`${author.kind}:${author.handle}`, known)
    return known
  }
  const find = (id: string) => {
    const author = authorOf.get(id)
    const post = author && of(author)?.get(id)
    return author && post ? { post, author } : undefined
  }
  return {
    /** Undefined when nothing was seeded for the author. */
    of,
    find,
    all: (): Iterable<readonly [id: string, author: Author]> => authorOf,
    /** Removes the author's generated posts. */
    own: (author: Author) => void own(author),
    add(author: Author, def: OwnPostSeed, nowMs: number): SeededPost {
      const before = def.id ? find(def.id) : undefined
      if (before) own(before.author).delete(before.post.facts.id)
      // Seeding a post again without a time keeps its time.
      const postedAtMs = def.postedAt === undefined ? (before?.post.facts.postedAtMs ?? null) : null
      const kept = postedAtMs === null ? def : { ...def, postedAt: new Date(postedAtMs).toISOString() }
      const post = buildSeededPost(author, kept, { seed, serial: serial++, nowMs, pool })
      own(author).set(post.facts.id, post)
      authorOf.set(post.facts.id, author)
      return post
    },
    clear() {
      posts.clear()
      authorOf.clear()
      pool.clear()
      serial = 0
    },
  }
}

/** The time by which a post is sorted in lists. */
export function sortTime(post: SeededPost): number {
  return post.facts.postedAtMs ?? readActivityId(post.facts.id).postedAtMs
}
