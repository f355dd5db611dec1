/** What is known about a post, as every list of posts shows it (G79, G85). */
import { sql } from 'kysely'
import type { ContentType } from '../../providers/ports.ts'

/** The columns of a post that lists show; all null for a post that is known by its URN alone. */
export type PostFacts = {
  readonly post_urn: string
  readonly url: string | null
  readonly text: string | null
  readonly author_name: string | null
  readonly author_url: string | null
  readonly author_headline: string | null
  readonly posted_at: Date | null
  readonly content_type: ContentType | null
  readonly total_reaction_count: number | null
  readonly comments_count: number | null
}

/** Those of them that `post p` has, for a `select`; `post_urn` is the list's own. */
export const postFactColumns = sql.raw(
  'p.url, p.text, p.author_name, p.author_url, p.author_headline, p.posted_at, p.content_type, p.total_reaction_count, p.comments_count',
)

/** The facts as lists of posts answer them; an author of whom nothing is known is null. */
export function presentPostFacts(row: PostFacts) {
  const nobody = row.author_name === null && row.author_url === null && row.author_headline === null
  return {
    postUrn: row.post_urn,
    url: row.url,
    text: row.text,
    author: nobody ? null : { name: row.author_name, url: row.author_url, headline: row.author_headline },
    commentsCount: row.comments_count,
    totalReactionCount: row.total_reaction_count,
    contentType: row.content_type,
    postedAt: row.posted_at?.toISOString() ?? null,
  }
}
