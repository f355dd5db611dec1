/** Which posts of a listing a run looks at (SYN-04, ENR-35..ENR-40). */
import type { Post } from '../../../providers/ports.ts'

const dayMs = 86_400_000

/** The newest posts that a run still wants from a page, and whether the listing is to be read on. */
export function selectPosts(
  page: readonly Post[],
  wanted: { readonly left: number; readonly sinceDays: number | null; readonly now: Date },
): { readonly posts: readonly Post[]; readonly readOn: boolean } {
  const since = wanted.sinceDays === null ? null : wanted.now.getTime() - wanted.sinceDays * dayMs
  const age = (post: Post): number => (post.postedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(post.postedAt))
  // Vendors put pinned posts first, and may list them again in their place; the newest are wanted, and undated ones come last.
  const once = new Map(page.map((post) => [post.urn, post]))
  const newestFirst = [...once.values()].sort((a, b) => age(b) - age(a))
  const posts = newestFirst.filter((post) => since === null || age(post) >= since).slice(0, wanted.left)
  // An old post at the head of a page may be pinned there and says nothing about what follows, wherever the page repeats it.
  const lastDated = page.findLast((post) => post.postedAt !== null && post.urn !== page[0]?.urn)
  const sawOlder = since !== null && lastDated !== undefined && age(lastDated) < since
  return { posts, readOn: posts.length < wanted.left && !sawOlder }
}
