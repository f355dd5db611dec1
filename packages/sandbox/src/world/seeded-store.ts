import { readActivityId } from './activity-id.ts'
import type { Author } from './posts.ts'
import type { OwnPostSeed } from './seed-schemas.ts'
import { buildSeededPost, createEngagerPool, type SeededPost } from './seeded-posts.ts'

/** The seeded posts by author and by number. An author with an entry, even an empty one, has no generated posts. */
export type SeededStore = {
  /** The posts of an author by number; undefined when nothing was seeded for them. */
  of(author: Author): ReadonlyMap<string, SeededPost> | undefined
  /** The post of this number with its author. */
  find(id: string): { readonly post: SeededPost; readonly author: Author } | undefined
  all(): Iterable<readonly [id: string, author: Author]>
  /** From here on the author has seeded posts alone. */
  own(author: Author): void
  add(author: Author, def: OwnPostSeed, nowMs: number): SeededPost
  clear(): void
}

/** Makes an empty store; members for whom `isHidden` is true never engage with its posts. */
export function createSeededStore(seed: string, isHidden: (index: number) => boolean): SeededStore {
  const posts = new Map<string, Map<string, SeededPost>>()
  const authorOf = new Map<string, Author>()
  const pool = createEngagerPool(isHidden)
  let serial = 0
  const of = (author: Author) => posts.get(`${author.kind}:${author.handle}`)
  const own = (author: Author): Map<string, SeededPost> => {
    const known = of(author) ?? new Map<string, SeededPost>()
    posts.set(`${author.kind}:${author.handle}`, known)
    return known
  }
  const find = (id: string) => {
    const author = authorOf.get(id)
    const post = author && of(author)?.get(id)
    return author && post ? { post, author } : undefined
  }
  return {
    of,
    find,
    all: () => authorOf,
    own: (author) => void own(author),
    add(author, def, nowMs) {
      const before = def.id ? find(def.id) : undefined
      if (before) own(before.author).delete(before.post.facts.id)
      // A post that is seeded again without a time keeps the one it had.
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

/** The moment by which a seeded post stands in lists. */
export function sortTime(post: SeededPost): number {
  return post.facts.postedAtMs ?? readActivityId(post.facts.id).postedAtMs
}
