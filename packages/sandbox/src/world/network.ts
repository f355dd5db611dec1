import { readActivityId } from './activity-id.ts'
import { createCache } from './cache.ts'
import { createAuthors, createDirectory, type Authors, type Directory } from './directory.ts'
import { engagementOf, postAt, type Engagement, type Post } from './engagement.ts'
import { codeOf, factsOf, isPlausible, postIdsOf, type ActorRef, type Author, type PostFacts } from './posts.ts'
import { createSearchIndex, inWords, isWanted, SEARCH_DAYS, type Hit, type PostQuery } from './search.ts'
import type { ActorSeed, CompanySeed, OwnPostSeed, PersonSeed, PostSeed, SearchSeed } from './seed-schemas.ts'
import { createSeededStore, sortTime, type SeededStore } from './seeded-posts.ts'

const DAY = 86_400_000

/** The synthetic network at the clock's time. */
export type Network = ReturnType<typeof createNetwork>

type Base = {
  readonly seed: string
  readonly nowMs: () => number
  readonly directory: Directory
  readonly authors: Authors
  readonly seeded: SeededStore
}

/** `onNewAuthor` is called for authors whose posts are found only while they are known. */
export function createNetwork(seed: string, now: () => Date, onNewAuthor?: (author: ActorSeed) => void) {
  const directory = createDirectory(seed)
  const authors = createAuthors(seed, directory, onNewAuthor)
  const seeded = createSeededStore(seed, (index) => directory.personAt(index).hidden)
  const base: Base = { seed, nowMs: () => now().getTime(), directory, authors, seeded }
  const posts = createPosts(base)
  const finder = createFinder(base)
  return {
    ...directory,
    /** Own and shown posts, newest first. A text is a handle or member id, `{company}` a slug or id. */
    postsOf: posts.of,
    post: posts.at,
    seedPost: posts.add,
    seedPerson(def: PersonSeed) {
      const person = directory.seedPerson(def)
      posts.addAll(person.handle, def.posts)
      return person
    },
    seedCompany(def: CompanySeed) {
      const company = directory.seedCompany(def)
      posts.addAll({ company: company.slug }, def.posts)
      return company
    },
    /** Seeds posts for searches; `generated: false` hides all generated posts from searches. */
    seedSearch(def: SearchSeed): Post[] {
      finder.findGenerated(def.generated)
      return (def.posts ?? []).map(posts.add)
    },
    /** Posts found so far, newest first: seeded ones, and generated ones of a sample of authors. */
    search: finder.search,
    /** Makes an author known, so that their posts are found by number. */
    recall: (ref: ActorSeed) => void authors.of(ref),
    clear() {
      for (const part of [directory, authors, seeded, posts]) part.clear()
      finder.findGenerated(true)
    },
  }
}

function createPosts({ seed, nowMs, directory, authors, seeded }: Base) {
  const engagements = createCache<string, Engagement>(2000)
  const generated = (id: string, author: Author): Post => {
    const code = codeOf(author)
    const ref: ActorRef = { kind: author.kind, key: code.exact ? code.tag : author.handle }
    const facts = factsOf(seed, id)
    const engagement = engagements.get(`${id}:${author.id}`, () => engagementOf(seed, facts, ref))
    return postAt({ facts, engagement }, directory.actor(ref), nowMs())
  }
  const seededAt = (post: Parameters<typeof postAt>[0], author: Author): Post =>
    postAt(post, directory.actor({ kind: author.kind, key: author.handle }), nowMs())
  const addOwn = (ref: ActorSeed, def: OwnPostSeed): Post => {
    const author = authors.of(ref)
    if (!author) throw new Error('the author of a seeded post must exist')
    return seededAt(seeded.add(author, def, nowMs()), author)
  }
  const shownIn = (author: Author) =>
    [...seeded.all()].flatMap(([id]) => {
      const found = seeded.find(id)
      const isShown = found?.post.facts.shownBy.some(
        ({ kind, key }) => kind === author.kind && (key === author.handle || key === author.id),
      )
      return found && isShown ? [found] : []
    })
  return {
    of(ref: ActorSeed): Post[] {
      const author = authors.of(ref)
      if (!author) return []
      const own = seeded.of(author)
      const others = shownIn(author)
      if (!own && others.length === 0) return postIdsOf(seed, author, nowMs()).map((id) => generated(id, author))
      return [...[...(own?.values() ?? [])].map((post) => ({ post, author })), ...others]
        .filter(({ post }) => post.exists && (post.facts.postedAtMs ?? 0) <= nowMs())
        .sort(
          (a, b) => sortTime(b.post) - sortTime(a.post) || Number(BigInt(b.post.facts.id) - BigInt(a.post.facts.id)),
        )
        .map((shown) => seededAt(shown.post, shown.author))
    },
    at(id: string): Post | undefined {
      const own = seeded.find(id)
      if (own) {
        const { post, author } = own
        return post.exists && (post.facts.postedAtMs ?? 0) <= nowMs() ? seededAt(post, author) : undefined
      }
      if (!isPlausible(id, nowMs())) return undefined
      const author = authors.ofPost(id)
      return author && !seeded.of(author) ? generated(id, author) : undefined
    },
    add({ author, ...def }: PostSeed): Post {
      if (typeof author === 'string' || !('handle' in author || 'slug' in author)) return addOwn(author, def)
      return addOwn(
        'handle' in author ? directory.seedPerson(author).handle : { company: directory.seedCompany(author).slug },
        def,
      )
    },
    addAll(ref: ActorSeed, posts: OwnPostSeed[] | undefined): void {
      const author = posts && authors.of(ref)
      if (!author) return
      seeded.own(author)
      for (const post of posts) addOwn(ref, post)
    },
    clear: () => engagements.clear(),
  }
}

function createFinder({ seed, nowMs, directory, authors, seeded }: Base) {
  const index = createSearchIndex(seed, directory)
  let findsGenerated = true
  const seededHits = (owner: Author | undefined): Hit[] =>
    [...seeded.all()].flatMap(([id, author]) => {
      const isOwn = owner === undefined || (owner.kind === author.kind && owner.id === author.id)
      const own = isOwn ? seeded.of(author)?.get(id) : undefined
      return own?.exists ? [{ id, author, atMs: sortTime(own), facts: own.facts }] : []
    })
  /** Every post of one author, who need not be in the index. */
  const hitsBy = (ref: ActorSeed): Hit[] => {
    const author = authors.of(ref)
    if (!author) return []
    if (seeded.of(author)) return seededHits(author)
    return findsGenerated
      ? postIdsOf(seed, author, nowMs()).map((id) => ({
          id,
          author,
          atMs: readActivityId(id).postedAtMs,
          facts: factsOf(seed, id),
        }))
      : []
  }
  return {
    findGenerated(wanted: SearchSeed['generated']): void {
      findsGenerated = wanted ?? findsGenerated
    },
    search(query: PostQuery): Hit[] {
      const toMs = nowMs()
      const fromMs = Math.max(query.sinceMs ?? 0, toMs - SEARCH_DAYS * DAY)
      const hits: Hit[] = []
      const visit = (hit: Hit, words: string): void => {
        if (isWanted(query, { hit, words }, directory)) hits.push(hit)
      }
      const own = query.from
        ? [...new Map(query.from.flatMap(hitsBy).map((hit) => [hit.id, hit])).values()]
        : seededHits(undefined)
      for (const hit of own) if (hit.atMs > fromMs && hit.atMs <= toMs) visit(hit, wordsOf(hit.facts))
      if (!query.from && findsGenerated)
        index.each(fromMs, toMs, (hit, words) => {
          if (!seeded.of(hit.author)) visit(hit, words)
        })
      return hits.sort((a, b) => b.atMs - a.atMs || Number(BigInt(b.id) - BigInt(a.id)))
    },
  }
}

const knownWords = new WeakMap<PostFacts, string>()

function wordsOf(facts: PostFacts): string {
  const known = knownWords.get(facts) ?? inWords(facts.text)
  knownWords.set(facts, known)
  return known
}
