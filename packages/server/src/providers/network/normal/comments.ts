import { decodeFully } from '@les/contract'
import type { Comment } from '../../ports.ts'

/** A comment's number, and its parent's when it is a reply. */
export type CommentKeys = { id: string; parentId: string | null }

/** The comment's own number in an id: a bare number, `fsd_comment:(<id>,…)` or `comment:(…,<id>)`. */
export function commentNumber(value: string | null | undefined): string | null {
  if (!value) return null
  const plain = decodeFully(value.trim())
  // What is longer than the network's numbers is none, and fits no key of the database.
  if (/^\d{1,24}$/.test(plain)) return plain
  return /fsd_comment:\((\d{1,24}),/i.exec(plain)?.[1] ?? /comment:\([^()]*,\s*(\d{1,24})\)/i.exec(plain)?.[1] ?? null
}

/** What a comment's address says: a reply's carries its own number beside its parent's. Null when it names no comment. */
export function commentKeysInUrl(url: string | null | undefined): CommentKeys | null {
  const params = url ? URL.parse(url)?.searchParams : undefined
  if (!params) return null
  const number = (...names: string[]) =>
    names.map((name) => commentNumber(params.get(name))).find((found) => found !== null) ?? null
  const comment = number('commentUrn', 'dashCommentUrn')
  const reply = number('replyUrn', 'dashReplyUrn')
  if (reply !== null) return { id: reply, parentId: comment === reply ? null : comment }
  return comment === null ? null : { id: comment, parentId: null }
}

/** The address of a comment on a post. */
export function commentUrl(postUrn: string, commentId: string): string {
  const short = postUrn.replace('urn:li:', '')
  return `https://www.linkedin.com/feed/update/${postUrn}?commentUrn=${encodeURIComponent(`urn:li:comment:(${short},${commentId})`)}`
}

/** Comments of a page with every reply after its parent; the order is otherwise kept. */
export function parentsFirst(comments: readonly Comment[]): Comment[] {
  return [
    ...comments.filter(({ parentId }) => parentId === null),
    ...comments.filter(({ parentId }) => parentId !== null),
  ]
}
