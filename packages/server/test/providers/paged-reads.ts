/** The paged reads of both vendors, each with seeds of a given size, page sizes, and the calls it makes. */
import type { Sandbox } from '@les/sandbox'
import type { NetworkProvider, PageCursor, PostSearch } from '../../src/providers/ports.ts'
import type { VendorName } from './quick.ts'

type Network = Sandbox['world']

/** What to read, and the keys of all seeded rows. */
export type Seeded = { readonly of: string; readonly keys: readonly string[] }

/** One paged read of both vendors. */
export type PagedRead = {
  readonly title: string
  readonly operation: Readonly<Record<VendorName, string>>
  readonly bounds: readonly number[]
  readonly pages: Readonly<Record<VendorName, (count: number) => number>>
  seed(world: Network, count: number): Seeded
  page(
    vendor: NetworkProvider,
    seeded: Seeded,
    cursor: PageCursor | null,
  ): Promise<{ keys: string[]; next: PageCursor | null }>
}

/** Replies of one comment: none, those that come with it (five), a page of ten, and around these. */
export const replyBounds: readonly number[] = [0, 1, 4, 5, 6, 9, 10, 11, 20, 21, 31]

let made = 0
const own = (prefix: string): string => `${prefix}-${(made += 1)}`
const around = (...sizes: readonly number[]): number[] =>
  [...new Set([0, 1, ...sizes.flatMap((size) => [size - 1, size, size + 1])])].sort((a, b) => a - b)
const byPages =
  (size: number) =>
  (count: number): number =>
    Math.max(1, Math.ceil(count / size))
const urnOf = ({ id }: { id: string }): string => `urn:li:activity:${id}`
const postedAt = (index: number): string => new Date(Date.UTC(2026, 10, 20, 9) - index * 60_000).toISOString()
const search = (term: string): PostSearch => ({
  term,
  sort: 'RELEVANCE',
  datePosted: 'PAST_MONTH',
  contentType: null,
  filters: {},
})
const quiet = { reactions: 0, comments: 0 } as const

/** Every paged read except replies, which one vendor has in its list of comments. */
export const pagedReads: readonly PagedRead[] = [
  {
    title: 'posts of a person',
    operation: { harvestapi: 'profile-posts', linkdapi: 'posts/all' },
    bounds: around(50, 100, 120),
    pages: { harvestapi: byPages(50), linkdapi: (count) => 1 + Math.max(0, Math.ceil((count - 100) / 20)) },
    seed: (world, count) => {
      const handle = own('poster')
      world.seedPerson({ handle, posts: [] })
      return {
        of: handle,
        keys: Array.from({ length: count }, (_, at) =>
          urnOf(world.seedPost({ author: handle, text: `Post ${at}`, postedAt: postedAt(at), ...quiet })),
        ),
      }
    },
    page: async (vendor, { of }, cursor) => {
      const page = await vendor.posts({ kind: 'person', handle: of, urn: null }, cursor)
      return { ...page, keys: page.items.map(({ urn }) => urn) }
    },
  },
  {
    title: 'posts of a company',
    operation: { harvestapi: 'company-posts', linkdapi: 'companies/company/posts' },
    bounds: around(20, 50, 60, 100),
    pages: { harvestapi: byPages(50), linkdapi: (count) => Math.ceil(count / 20) + 1 },
    seed: (world, count) => {
      const slug = own('page')
      world.seedCompany({ slug, posts: [] })
      return {
        of: slug,
        keys: Array.from({ length: count }, (_, at) =>
          urnOf(world.seedPost({ author: { company: slug }, text: `News ${at}`, postedAt: postedAt(at), ...quiet })),
        ),
      }
    },
    page: async (vendor, { of }, cursor) => {
      const page = await vendor.posts({ kind: 'company', slug: of, urn: null }, cursor)
      return { ...page, keys: page.items.map(({ urn }) => urn) }
    },
  },
  {
    title: 'reactions',
    operation: { harvestapi: 'post-reactions', linkdapi: 'posts/likes' },
    bounds: around(10, 20, 100, 200),
    pages: { harvestapi: byPages(100), linkdapi: byPages(10) },
    seed: (world, count) => {
      const prefix = own('reactor')
      const people = Array.from({ length: count }, (_, at) => `${prefix}-${at}`)
      const post = world.seedPost({
        author: 'liked-writer',
        postedAt: postedAt(0),
        reactions: people.map((person) => ({ person })),
        comments: 0,
      })
      return { of: urnOf(post), keys: people.map((handle) => world.person(handle)!.id) }
    },
    page: async (vendor, { of }, cursor) => {
      const page = await vendor.reactions({ urn: of, url: '' }, cursor)
      return { ...page, keys: page.items.map(({ actor }) => (actor.kind === 'person' ? actor.urn : 'a page')) }
    },
  },
  {
    title: 'comments',
    operation: { harvestapi: 'post-comments', linkdapi: 'posts/comments' },
    bounds: around(10, 20, 100, 200),
    pages: { harvestapi: byPages(100), linkdapi: byPages(10) },
    seed: (world, count) => {
      const prefix = own('commenter')
      const comments = Array.from({ length: count }, (_, at) => ({ person: `${prefix}-${at}`, text: `Comment ${at}` }))
      return {
        of: urnOf(world.seedPost({ author: 'discussed-writer', postedAt: postedAt(0), reactions: 0, comments })),
        keys: comments.map(({ text }) => text),
      }
    },
    page: async (vendor, { of }, cursor) => {
      const page = await vendor.comments({ urn: of, url: '' }, cursor)
      return { ...page, keys: page.items.map(({ text }) => text ?? '') }
    },
  },
  {
    title: 'found posts',
    operation: { harvestapi: 'post-search', linkdapi: 'search/posts' },
    bounds: around(10, 20, 50, 100),
    pages: { harvestapi: byPages(50), linkdapi: byPages(10) },
    seed: (world, count) => {
      const word = own('topic').replace('-', '')
      const keys = Array.from({ length: count }, (_, at) =>
        urnOf(world.seedPost({ author: `${word}-writer-${at}`, text: word, postedAt: postedAt(at), ...quiet })),
      )
      return { of: word, keys }
    },
    page: async (vendor, { of }, cursor) => {
      const page = await vendor.searchPosts(search(of), cursor)
      return { ...page, keys: page.items.map(({ urn }) => urn) }
    },
  },
]
