/** Whose the posts of a feed are: feeds show what their owner reposted, liked or commented on like what they wrote. */
import { type CallOptions, type PageCursor, type Post, type PostsOf, ProviderFailure } from '../../ports.ts'
import { cursorText } from '../paging.ts'
import { companyUrn, readCompanyPage } from './companies.ts'
import { handleInUrl } from './people.ts'

/** The owner of a feed as a vendor knows them now: the id, and the handle or slug that leads to it. */
export type Owner = { readonly urn: string; readonly name: string | null }

const idOf = (of: PostsOf): string | null => of.urn ?? (of.kind === 'company' ? companyUrn(of.slug) : null)

const nameOf = (of: PostsOf): string => (of.kind === 'person' ? of.handle : of.slug)

/**
 * Whose a post is: its author's id decides; where either side has none, the handle; a post that names nobody is not theirs. `unknown`
 * where only the owner's id, which has not been asked for yet, can decide: a person who was renamed is shown by another name.
 */
function whose(of: PostsOf, author: Post['author']): 'theirs' | 'others' | 'unknown' {
  if (author.kind !== of.kind) return 'others'
  const id = idOf(of)
  if (id !== null && author.urn !== null) return author.urn === id ? 'theirs' : 'others'
  const name = of.kind === 'person' ? handleInUrl(author.url) : readCompanyPage(author.url).slug
  if (name !== null && [nameOf(of), of.alias].includes(name)) return 'theirs'
  return id === null && (name !== null || author.urn !== null) ? 'unknown' : 'others'
}

/** Whom a feed belongs to, with what a vendor has said of them. */
const knownAs = (of: PostsOf, owner: Owner): PostsOf =>
  of.kind === 'person'
    ? { ...of, urn: of.urn ?? owner.urn, alias: of.alias ?? owner.name }
    : { ...of, urn: of.urn ?? owner.urn, alias: of.alias ?? owner.name }

/** The owner that a page of the feed before has found out. */
export const ownerIn = (cursor: PageCursor | null): Owner | null => {
  const urn = cursorText(cursor, 'owner')
  return urn === null ? null : { urn, name: cursorText(cursor, 'ownerName') }
}

/** The same for the page after. */
export const ownerFor = (owner: Owner | null): PageCursor =>
  owner === null ? {} : { owner: owner.urn, ownerName: owner.name }

/**
 * The posts that the owner of the feed wrote, and the owner as far as known. `ask` is asked for the id only where handles do not settle
 * whose a post is; where the vendor knows nobody by that handle, such posts are not theirs.
 */
export async function keepOwn(
  posts: readonly Post[],
  { of, owner, ask }: { of: PostsOf; owner: Owner | null; ask: () => Promise<Owner> },
): Promise<{ readonly items: readonly Post[]; readonly owner: Owner | null }> {
  const known = owner === null ? of : knownAs(of, owner)
  if (!posts.some(({ author }) => whose(known, author) === 'unknown'))
    return { items: posts.filter(({ author }) => whose(known, author) === 'theirs'), owner }
  const found = await ask().catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return null
    throw error
  })
  const learnt = found === null ? known : knownAs(of, found)
  return { items: posts.filter(({ author }) => whose(learnt, author) === 'theirs'), owner: found }
}

/** Options of a call that may take this share of the time that its caller gives. */
export const shareOfTime = (options: CallOptions | undefined, share: number): CallOptions | undefined =>
  options?.timeoutMs === undefined ? options : { ...options, timeoutMs: Math.ceil(options.timeoutMs * share) }
