/**
 * What a run takes from a vendor's page: posts (SYN-04, ENR-35..ENR-40), and engagements, authors among them (KRN-05, KRN-06;
 * CRD-21, CRD-22). The post's own author is left out; company pages are counted, not captured (G112, G113).
 */
import { isMemberId, personHandle, readNetworkAddress } from '@les/contract'
import type { Comment, Post, Reaction } from '../../../providers/ports.ts'
import {
  authorKey,
  commentKey,
  pageReactionKey,
  reactionKey,
  type Engagement,
  type PageEngagement,
  type ShownEngagement,
} from '../../leads/rules/engagement.ts'

export type Seen = {
  readonly engagements: readonly ShownEngagement[]
  /** Everybody on the page, company pages and the author too: it proves that the page could be read. */
  readonly engagersSeen: number
}

type AboutPost = { readonly urn: string; readonly authorUrn: string | null }

const wordless = { isReply: false, commentText: null, commentPostedAt: null } as const

/** Reactions as engagements. */
export function fromReactions(post: AboutPost, reactions: readonly Reaction[]): Seen {
  const engagements = reactions.flatMap(({ actor, reaction }): ShownEngagement[] => {
    if (actor.kind === 'company') return [{ key: pageReactionKey(post.urn, actor), person: null, by: 'company' }]
    if (actor.urn === post.authorUrn) return []
    return [{ ...wordless, key: reactionKey(post.urn, actor.urn), person: actor, type: 'Like', reaction }]
  })
  return { engagements, engagersSeen: reactions.length }
}

/** Comments and replies as engagements; replies only when the source captures them (TRK-45). */
export function fromComments(post: AboutPost, comments: readonly Comment[], captureReplies: boolean): Seen {
  const engagements = comments.flatMap((comment): ShownEngagement[] => {
    const { actor } = comment
    if (comment.parentId !== null && !captureReplies) return []
    const key = commentKey(post.urn, comment.id)
    if (actor.kind === 'company') return [{ key, person: null, by: 'company' }]
    if (actor.urn === post.authorUrn) return []
    return [
      {
        key,
        person: actor,
        type: 'Comment',
        reaction: null,
        isReply: comment.parentId !== null,
        commentText: comment.text,
        commentPostedAt: comment.postedAt,
      },
    ]
  })
  return { engagements, engagersSeen: comments.length }
}

/** The public handle in a profile's address; null when the address has a member id. */
function handleIn(url: string | null): string | null {
  const address = url === null ? null : readNetworkAddress(url)
  const handle = address?.kind === 'person' ? personHandle.safeParse(address.name).data : undefined
  return handle === undefined || isMemberId(handle) ? null : handle
}

/** The author as a person to capture; `unknown`: a person without a member id, who could neither be charged nor found again. */
export function authorOf(post: Pick<Post, 'urn' | 'author'>): Engagement | 'company' | 'blocked' | 'unknown' {
  const { kind, urn, otherUrns, name, url, headline } = post.author
  if (kind === 'company') return 'company'
  if (kind === 'erased') return 'blocked'
  if (urn === null) return 'unknown'
  const person = {
    urn,
    ...(otherUrns === undefined ? {} : { otherUrns }),
    name,
    handle: handleIn(url),
    headline,
    linkedinUrl: url ?? `https://www.linkedin.com/in/${urn}`,
    avatarUrl: null,
  }
  return { ...wordless, key: authorKey(post.urn), person, type: 'Author', reaction: null }
}

/** The author's engagement when a company page or an erased person wrote the post. */
export const byNobody = (post: Pick<Post, 'urn'>, by: PageEngagement['by']): PageEngagement => ({
  key: authorKey(post.urn),
  person: null,
  by,
})

const dayMs = 86_400_000

/** The newest posts that a run still wants from a page, and whether to read the next page. */
export function selectPosts(
  page: readonly Post[],
  wanted: { readonly left: number; readonly sinceDays: number | null; readonly now: Date },
): { readonly posts: readonly Post[]; readonly readOn: boolean } {
  const since = wanted.sinceDays === null ? null : wanted.now.getTime() - wanted.sinceDays * dayMs
  const age = (post: Post): number => (post.postedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(post.postedAt))
  // Vendors put pinned posts first, and may repeat them in their place; undated posts come last.
  const once = new Map(page.map((post) => [post.urn, post]))
  const newestFirst = [...once.values()].sort((a, b) => age(b) - age(a))
  const posts = newestFirst.filter((post) => since === null || age(post) >= since).slice(0, wanted.left)
  // An old post at the head of a page may be pinned and says nothing about what follows, even where the page repeats it.
  const lastDated = page.findLast((post) => post.postedAt !== null && post.urn !== page[0]?.urn)
  const sawOlder = since !== null && lastDated !== undefined && age(lastDated) < since
  return { posts, readOn: posts.length < wanted.left && !sawOlder }
}
