/** What pages of engagement come to: the rows of our results (G81), each with the key that tells it from others. */
import type { Actor, Comment, Reaction } from '../../../../providers/ports.ts'

/** A row as it is kept: `parent` is the id of the comment a reply belongs to. */
export type KeptRow = {
  readonly key: string
  readonly parent: string | null
  readonly row: Readonly<Record<string, unknown>>
}

const shown = (actor: Actor) => ({
  name: actor.name,
  linkedinUrl: actor.linkedinUrl,
  linkedinUrn: actor.kind === 'person' ? actor.urn : null,
  headline: actor.kind === 'person' ? actor.headline : null,
})
const keyOf = (actor: Actor): string =>
  actor.kind === 'person' ? actor.urn : `company:${actor.linkedinUrl ?? actor.name ?? ''}`

/** Reactions of people and pages. */
export const reactionRows = (items: readonly Reaction[]): KeptRow[] =>
  items.map(({ actor, reaction }) => ({
    key: keyOf(actor),
    parent: null,
    row: { ...shown(actor), reactionType: reaction },
  }))

const commentRow = (comment: Comment): KeptRow => ({
  key: comment.id,
  parent: comment.parentId,
  row: {
    id: comment.id,
    author: shown(comment.actor),
    text: comment.text,
    postedAt: comment.postedAt,
    isReply: comment.parentId !== null,
    parentId: comment.parentId,
  },
})

/** Comments and replies, each reply behind its comment; replies whose comment is not among them come last. */
export function commentRows(items: readonly Comment[]): KeptRow[] {
  const rows = items.map(commentRow)
  const tops = rows.filter((row) => row.parent === null)
  const keys = new Set(tops.map((row) => row.key))
  const replies = Map.groupBy(
    rows.filter((row) => row.parent !== null),
    (row) => row.parent!,
  )
  return [
    ...tops.flatMap((top) => [top, ...(replies.get(top.key) ?? [])]),
    ...rows.filter((row) => row.parent !== null && !keys.has(row.parent)),
  ]
}

/** The rows of a page with further replies put behind their comment; those it has already are left out. */
export function withReplies(rows: readonly KeptRow[], commentId: string, replies: readonly Comment[]): KeptRow[] {
  const known = new Set(rows.map((row) => row.key))
  const added = replies
    .map((reply) => commentRow({ ...reply, parentId: commentId }))
    .filter((row) => !known.has(row.key))
  const last = rows.findLastIndex((row) => row.key === commentId || row.parent === commentId)
  return last === -1 ? [...rows, ...added] : [...rows.slice(0, last + 1), ...added, ...rows.slice(last + 1)]
}
