/** Finds the posts in a feed that its owner wrote; feeds also show what the owner reposted, liked or commented on. */
import { type CallOptions, type PageCursor, type Post, type PostsOf, ProviderFailure } from '../../ports.ts'
import { cursorText } from '../paging.ts'
import { companyUrn, readCompanyPage } from './companies.ts'
import { handleInUrl } from './people.ts'

/** A feed's owner as the vendor currently knows them; `name` is the handle or slug. */
export type Owner = { readonly urn: string; readonly name: string | null }

const idOf = (of: PostsOf): string | null => of.urn ?? (of.kind === 'company' ? companyUrn(of.slug) : null)

const nameOf = (of: PostsOf): string => (of.kind === 'person' ? of.handle : of.slug)

/**
 * Decides by the author's id, or by the handle where either id is missing; a post without an author belongs to others. `unknown`
 * when only the owner's id, not yet looked up, can decide: a renamed person appears under another handle.
 */
function authorship(of: PostsOf, author: Post['author']): 'theirs' | 'others' | 'unknown' {
  if (author.kind !== of.kind) return 'others'
  const id = idOf(of)
  if (id !== null && author.urn !== null) return author.urn === id ? 'theirs' : 'others'
  const name = of.kind === 'person' ? handleInUrl(author.url) : readCompanyPage(author.url).slug
  if (name !== null && [nameOf(of), of.alias].includes(name)) return 'theirs'
  return id === null && (name !== null || author.urn !== null) ? 'unknown' : 'others'
}

const withOwner = (of: PostsOf, owner: Owner): PostsOf => ({
  ...of,
  urn: of.urn ?? owner.urn,
  alias: of.alias ?? owner.name,
})

/** The owner stored in the cursor by an earlier page. */
export const ownerIn = (cursor: PageCursor | null): Owner | null => {
  const urn = cursorText(cursor, 'owner')
  return urn === null ? null : { urn, name: cursorText(cursor, 'ownerName') }
}

/** Cursor entries that pass the owner on to the next page. */
export const ownerFor = (owner: Owner | null): PageCursor =>
  owner === null ? {} : { owner: owner.urn, ownerName: owner.name }

/** The posts by the feed's owner. `ask` looks up the owner only when handles cannot decide; an unknown one leaves posts out. */
export async function keepOwn(
  posts: readonly Post[],
  { of, owner, ask }: { of: PostsOf; owner: Owner | null; ask: () => Promise<Owner> },
): Promise<{ readonly items: readonly Post[]; readonly owner: Owner | null }> {
  const known = owner === null ? of : withOwner(of, owner)
  if (!posts.some(({ author }) => authorship(known, author) === 'unknown'))
    return { items: posts.filter(({ author }) => authorship(known, author) === 'theirs'), owner }
  const found = await ask().catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return null
    throw error
  })
  const identified = found === null ? known : withOwner(of, found)
  return { items: posts.filter(({ author }) => authorship(identified, author) === 'theirs'), owner: found }
}

/** Call options with this share of the caller's time. */
export const shareOfTime = (options: CallOptions | undefined, share: number): CallOptions | undefined =>
  options?.timeoutMs === undefined ? options : { ...options, timeoutMs: Math.ceil(options.timeoutMs * share) }
