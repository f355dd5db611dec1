/** Posts and engagement as resources (G79, G81, G85). */
import type { networkPost, sourcePost } from '@les/contract'
import type { z } from 'zod'
import type { Actor, Comment, Post, Reaction } from '../../../providers/ports.ts'
import { presentPostFacts } from '../../network/index.ts'
import type { SourcePostRow } from './store.ts'

/** A post as a read shows it; null where the vendor served nothing (UPR-10). */
export function presentNetworkPost(post: Post): z.input<typeof networkPost> {
  return {
    urn: post.urn,
    url: post.url,
    text: post.text,
    author: { name: post.author.name, url: post.author.url, headline: post.author.headline },
    commentsCount: post.commentsCount,
    totalReactionCount: post.totalReactionCount,
    contentType: post.contentType,
    postedAt: post.postedAt === null ? null : new Date(post.postedAt).toISOString(),
  }
}

export function presentSourcePost(row: SourcePostRow): z.input<typeof sourcePost> {
  return { ...presentPostFacts(row), detectedAt: row.created_at.toISOString() }
}

/** A row as it is kept; `key` is unique in its list, `parent` is the comment of a reply. */
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

/** Reactions of people and pages as rows. */
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

/** Comments as rows, each reply behind its comment; replies without their comment come last. */
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

/** Puts further replies behind their comment; known ones are left out. */
export function withReplies(rows: readonly KeptRow[], commentId: string, replies: readonly Comment[]): KeptRow[] {
  const known = new Set(rows.map((row) => row.key))
  const added = replies
    .map((reply) => commentRow({ ...reply, parentId: commentId }))
    .filter((row) => !known.has(row.key))
  const last = rows.findLastIndex((row) => row.key === commentId || row.parent === commentId)
  return last === -1 ? [...rows, ...added] : [...rows.slice(0, last + 1), ...added, ...rows.slice(last + 1)]
}
