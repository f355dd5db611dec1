import { readActivityId } from './activity-id.ts'
import { createCache } from './cache.ts'
import { COMPANY_COUNT } from './companies.ts'
import { createDirectory, type Actor, type Directory } from './directory.ts'
import { engagementOf, type Comment, type Engagement, type Reaction } from './engagement.ts'
import { PERSON_COUNT } from './people.ts'
import {
  codeOf,
  factsOf,
  hasPublished,
  isPlausible,
  LIST_DAYS,
  postIdsOf,
  type ActorRef,
  type Author,
  type PostFacts,
} from './posts.ts'
import { hash32 } from './random.ts'
import { createSearchIndex, inWords, isWanted, SEARCH_DAYS, type Hit, type PostQuery } from './search.ts'
import type { ActorSeed, CompanySeed, OwnPostSeed, PersonSeed, PostSeed, SearchSeed } from './seed-schemas.ts'
import { buildSeededPost, createEngagerPool, type SeededPost } from './seeded-posts.ts'

/** A post as it stands at one moment: `declared` is what the network claims, the lists are what exists. */
export type Post = PostFacts & {
  author: Actor
  declared: { reactions: number; comments: number; byType: Array<{ type: string; count: number }> }
  /** Reactions so far, newest first. */
  reactions: readonly Reaction[]
  /** Comments so far, newest first (seeded ones in the order given), each with its replies so far. */
  comments: readonly Comment[]
}

const DAY = 86_400_000

/** The synthetic network: who and what exists at the clock's time. */
export type Network = Directory & {
  /** The posts so far, newest first; a text is a person's handle or id, `{company}` a page's slug or id. */
  postsOf(author: ActorSeed): Post[]
  post(id: string): Post | undefined
  seedPost(seed: PostSeed): Post
  /** The posts so far that a search finds, newest first: all seeded ones, and the generated ones of a sample of authors. */
  search(query: PostQuery): Hit[]
  /** Seeds posts for searches to find; `generated: false` keeps searches from finding any other. */
  seedSearch(seed: SearchSeed): Post[]
  /** Makes an author known, so that their posts can be found by number alone. */
  recall(author: ActorSeed): void
}

/**
 * Makes the network of a seed, seen at the time `now` tells; `onNewAuthor` hears of each author whose posts only a
 * known author explains.
 */
export function createNetwork(
  seed: string,
  now: () => Date,
  onNewAuthor: (author: ActorSeed) => void = () => undefined,
): Network {
  const directory = createDirectory(seed)
  const engagements = createCache<string, Engagement>(2000)
  const seenAuthors = new Map<string, Map<string, Author>>()
  const seeded = new Map<string, Map<string, SeededPost>>()
  const ownerOf = new Map<string, Author>()
  const pool = createEngagerPool((index) => directory.personAt(index).hidden)
  const index = createSearchIndex(seed, directory)
  let serial = 0
  let findsGenerated = true

  const authorOf = (ref: ActorSeed): Author | undefined => {
    const found = typeof ref === 'string' ? directory.person(ref) : directory.company(ref.company)
    if (!found) return undefined
    const author: Author =
      'slug' in found
        ? { kind: 'company', id: found.id, handle: found.slug }
        : { kind: 'person', id: found.id, handle: found.handle }
    const code = codeOf(author)
    if (!code.exact) {
      const sameCode = seenAuthors.get(`${code.kind}:${code.tag}`) ?? new Map<string, Author>()
      if (!sameCode.has(author.id)) onNewAuthor(author.kind === 'person' ? author.handle : { company: author.handle })
      seenAuthors.set(`${code.kind}:${code.tag}`, sameCode.set(author.id, author))
      if (seenAuthors.size > 20_000) seenAuthors.delete(seenAuthors.keys().next().value as string)
    }
    return author
  }
  const seedsOf = (author: Author): Map<string, SeededPost> | undefined => seeded.get(`${author.kind}:${author.handle}`)
  const generated = (id: string, author: Author): Post => {
    const code = codeOf(author)
    const ref: ActorRef = { kind: author.kind, key: code.exact ? code.tag : author.handle }
    const facts = factsOf(seed, id)
    return standing(
      facts,
      directory.actor(ref),
      engagements.get(`${id}:${author.id}`, () => engagementOf(seed, facts, ref)),
      now().getTime(),
    )
  }
  const standingSeed = (post: SeededPost, author: Author): Post =>
    standing(
      post.facts,
      directory.actor({ kind: author.kind, key: author.handle }),
      post.engagement,
      now().getTime(),
      post,
    )
  const authorOfId = (id: string): Author | undefined => {
    const { code } = readActivityId(id)
    if (code.exact && code.tag < (code.kind === 'person' ? PERSON_COUNT : COMPANY_COUNT)) {
      return code.kind === 'person'
        ? authorOf(directory.personAt(code.tag).handle)
        : authorOf({ company: directory.companyAt(code.tag).slug })
    }
    for (const author of seenAuthors.get(`${code.kind}:${code.tag}`)?.values() ?? []) {
      if (hasPublished(seed, author, id)) return author
    }
    const index = hash32(String(code.tag), 71)
    return code.kind === 'person'
      ? authorOf(directory.personAt(index % PERSON_COUNT).handle)
      : authorOf({ company: directory.companyAt(index % COMPANY_COUNT).slug })
  }
  const addPost = (ref: ActorSeed, def: OwnPostSeed): Post => {
    const author = authorOf(ref)
    if (!author) throw new Error('the author of a seeded post must exist')
    const before = def.id ? ownerOf.get(def.id) : undefined
    const old = before && def.id ? seedsOf(before)?.get(def.id) : undefined
    if (before && def.id) seedsOf(before)?.delete(def.id)
    const kept =
      old && def.postedAt === undefined && old.facts.postedAtMs !== null
        ? { ...def, postedAt: new Date(old.facts.postedAtMs).toISOString() }
        : def
    const post = buildSeededPost(seed, author, kept, serial++, now().getTime(), pool)
    ownPosts(author).set(post.facts.id, post)
    ownerOf.set(post.facts.id, author)
    return standingSeed(post, author)
  }
  const ownPosts = (author: Author): Map<string, SeededPost> => {
    const key = `${author.kind}:${author.handle}`
    const posts = seeded.get(key) ?? new Map<string, SeededPost>()
    seeded.set(key, posts)
    return posts
  }
  const addPostBy = ({ author, ...def }: PostSeed): Post => {
    if (typeof author === 'string' || !('handle' in author || 'slug' in author)) return addPost(author, def)
    return addPost(
      'handle' in author ? directory.seedPerson(author).handle : { company: directory.seedCompany(author).slug },
      def,
    )
  }
  const seededHits = (owner: Author | undefined): Hit[] =>
    [...ownerOf].flatMap(([id, author]) => {
      const own =
        owner === undefined || (owner.kind === author.kind && owner.id === author.id)
          ? seedsOf(author)?.get(id)
          : undefined
      return own?.exists ? [{ id, author, atMs: sortTime(own), facts: own.facts }] : []
    })
  /** Every post of one author, which need not be in the index. */
  const hitsBy = (ref: ActorSeed): Hit[] => {
    const author = authorOf(ref)
    if (!author) return []
    if (seedsOf(author)) return seededHits(author)
    return findsGenerated
      ? postIdsOf(seed, author, now().getTime()).map((id) => ({
          id,
          author,
          atMs: readActivityId(id).postedAtMs,
          facts: factsOf(seed, id),
        }))
      : []
  }
  const addPosts = (ref: ActorSeed, posts: OwnPostSeed[] | undefined): void => {
    const author = posts && authorOf(ref)
    if (!author) return
    ownPosts(author)
    for (const post of posts) addPost(ref, post)
  }

  return {
    ...directory,
    postsOf(ref) {
      const author = authorOf(ref)
      if (!author) return []
      const own = seedsOf(author)
      const nowMs = now().getTime()
      if (!own) return postIdsOf(seed, author, nowMs).map((id) => generated(id, author))
      return [...own.values()]
        .filter((post) => post.exists && (post.facts.postedAtMs ?? 0) <= nowMs)
        .sort((a, b) => sortTime(b) - sortTime(a) || Number(BigInt(b.facts.id) - BigInt(a.facts.id)))
        .map((post) => standingSeed(post, author))
    },
    post(id) {
      const owner = ownerOf.get(id)
      const own = owner && seedsOf(owner)?.get(id)
      const nowMs = now().getTime()
      if (owner && own) return own.exists && (own.facts.postedAtMs ?? 0) <= nowMs ? standingSeed(own, owner) : undefined
      if (!isPlausible(id, nowMs)) return undefined
      const author = authorOfId(id)
      return author && !seedsOf(author) ? generated(id, author) : undefined
    },
    seedPerson(def: PersonSeed) {
      const person = directory.seedPerson(def)
      addPosts(person.handle, def.posts)
      return person
    },
    seedCompany(def: CompanySeed) {
      const company = directory.seedCompany(def)
      addPosts({ company: company.slug }, def.posts)
      return company
    },
    seedPost: addPostBy,
    seedSearch({ posts = [], generated }) {
      findsGenerated = generated ?? findsGenerated
      return posts.map(addPostBy)
    },
    search(query) {
      const nowMs = now().getTime()
      const fromMs = Math.max(query.sinceMs ?? 0, nowMs - SEARCH_DAYS * DAY)
      const hits: Hit[] = []
      const visit = (hit: Hit, words: string): void => {
        if (isWanted(query, hit, words, directory)) hits.push(hit)
      }
      const own = query.from
        ? [...new Map(query.from.flatMap(hitsBy).map((hit) => [hit.id, hit])).values()]
        : seededHits(undefined)
      for (const hit of own) if (hit.atMs > fromMs && hit.atMs <= nowMs) visit(hit, wordsOf(hit.facts))
      if (!query.from && findsGenerated)
        index.each(fromMs, nowMs, (hit, words) => {
          if (!seedsOf(hit.author)) visit(hit, words)
        })
      return hits.sort((a, b) => b.atMs - a.atMs || Number(BigInt(b.id) - BigInt(a.id)))
    },
    recall: (ref) => void authorOf(ref),
    clear() {
      directory.clear()
      engagements.clear()
      for (const map of [seenAuthors, seeded, ownerOf]) map.clear()
      pool.clear()
      serial = 0
      findsGenerated = true
    },
  }
}

const knownWords = new WeakMap<PostFacts, string>()

function wordsOf(facts: PostFacts): string {
  const known = knownWords.get(facts) ?? inWords(facts.text)
  knownWords.set(facts, known)
  return known
}

/** The oldest moment a list of posts can reach back to. */
export function listStart(now: Date): Date {
  return new Date(now.getTime() - LIST_DAYS * 86_400_000)
}

function sortTime(post: SeededPost): number {
  return post.facts.postedAtMs ?? readActivityId(post.facts.id).postedAtMs
}

function standing(facts: PostFacts, author: Actor, engagement: Engagement, nowMs: number, seed?: SeededPost): Post {
  const reactions = engagement.reactions.filter((reaction) => reaction.atMs <= nowMs)
  const comments = engagement.comments
    .filter((comment) => comment.atMs <= nowMs)
    .map((comment) =>
      comment.replies.length === 0
        ? comment
        : { ...comment, replies: comment.replies.filter((reply) => reply.atMs <= nowMs) },
    )
  const declaredReactions = seed?.declaredReactions ?? reactions.length
  const counts = new Map<string, number>()
  for (const reaction of reactions) counts.set(reaction.type, (counts.get(reaction.type) ?? 0) + 1)
  if (declaredReactions !== reactions.length) {
    counts.clear()
    if (declaredReactions > 0) counts.set('LIKE', declaredReactions)
  }
  return {
    ...facts,
    author,
    reactions,
    comments,
    shares:
      facts.postedAtMs !== null && facts.finalReactions > 0
        ? Math.floor(facts.shares * (reactions.length / facts.finalReactions))
        : facts.shares,
    declared: {
      reactions: declaredReactions,
      comments: seed?.declaredComments ?? comments.reduce((sum, comment) => sum + 1 + comment.replies.length, 0),
      byType: [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count),
    },
  }
}
