/** Posts as a team has met them. The only writer of `post`. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { PurgeAsked } from '../../platform/retention.ts'
import type { ContentType, Post } from '../../providers/ports.ts'
import { notePosts } from '../accounts/index.ts'
import type { Candidates } from './people.ts'

type PostRow = {
  urn: string
  url: string
  text: string | null
  author_kind: string
  author_urn: string | null
  author_name: string | null
  author_url: string | null
  author_headline: string | null
  posted_at: Date | null
  content_type: ContentType | null
  total_reaction_count: number | null
  comments_count: number | null
}

/** Stores posts with their latest text and counts; notes posts whose text changed for the team's agents. */
export async function rememberPosts(tx: Tx, teamId: string, posts: readonly Post[]): Promise<void> {
  if (posts.length === 0) return
  const rows = posts.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
  const { rows: edited } = await sql<{ urn: string }>`
    select p.urn from unnest(${rows.map(({ urn }) => urn)}::text[], ${rows.map(({ text }) => text)}::text[]) as r (urn, text)
    join post p on p.team_id = ${teamId} and p.urn = r.urn
    where r.text is not null and p.text is distinct from r.text
    order by p.urn for update of p`.execute(tx.db)
  await sql`
    insert into post (team_id, urn, url, text, author_kind, author_urn, author_name, author_url, author_headline,
        posted_at, content_type, total_reaction_count, comments_count, first_seen_at)
    select ${teamId}, r.urn, r.url, r.text, r.author ->> 'kind', r.author ->> 'urn', r.author ->> 'name',
      r.author ->> 'url', r.author ->> 'headline', r."postedAt", r."contentType", r."totalReactionCount",
      r."commentsCount", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, url text, text text, author jsonb,
      "postedAt" timestamptz, "contentType" text, "totalReactionCount" integer, "commentsCount" integer)
    order by r.urn
    on conflict (team_id, urn)
    do update set text = case when post.text like '%[erased]%' then post.text else coalesce(excluded.text, post.text) end,
      total_reaction_count = coalesce(excluded.total_reaction_count, post.total_reaction_count),
      comments_count = coalesce(excluded.comments_count, post.comments_count),
      posted_at = coalesce(post.posted_at, excluded.posted_at)`.execute(tx.db)
  await notePosts(
    tx,
    teamId,
    edited.map((post) => post.urn),
  )
}

/** Stored posts by URN. */
export async function listPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Map<string, Post>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<PostRow>`
    select p.* from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select * from post where team_id = ${teamId} and urn = asked.urn limit 1) p`.execute(db)
  return new Map(rows.map((row) => [row.urn, toPost(row)]))
}

const toPost = (row: PostRow): Post => ({
  urn: row.urn,
  url: row.url,
  text: row.text,
  author: {
    kind: row.author_kind === 'company' || row.author_kind === 'erased' ? row.author_kind : 'person',
    urn: row.author_urn,
    name: row.author_name,
    url: row.author_url,
    headline: row.author_headline,
  },
  postedAt: row.posted_at?.toISOString() ?? null,
  contentType: row.content_type,
  totalReactionCount: row.total_reaction_count,
  commentsCount: row.comments_count,
  aliases: [],
})

/** The post columns that lists show; all null when only the URN is known. */
export type PostFacts = Pick<
  PostRow,
  | 'text'
  | 'author_name'
  | 'author_url'
  | 'author_headline'
  | 'posted_at'
  | 'content_type'
  | 'total_reaction_count'
  | 'comments_count'
> & { readonly post_urn: string; readonly url: string | null }

/** The `post p` columns of `PostFacts`, for a `select`; `post_urn` comes from the list itself. */
export const postFactColumns = sql.raw(
  'p.url, p.text, p.author_name, p.author_url, p.author_headline, p.posted_at, p.content_type, p.total_reaction_count, p.comments_count',
)

/** A post as lists answer it; `author` is null when nothing is known of them. */
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

/** Locks posts first seen before `before`, oldest first, after `place` (index `post_first_seen`). */
export async function lockOldPosts(tx: Tx, { teamId, before, limit, place }: PurgeAsked): Promise<Candidates> {
  const [at, urn] = place === null ? ['-infinity', ''] : (JSON.parse(place) as [string, string])
  const { rows } = await sql<{ urn: string; at: string }>`
    select urn, first_seen_at::text as at from post
    where team_id = ${teamId} and first_seen_at < ${before} and (first_seen_at, urn) > (${at}::timestamptz, ${urn})
    order by first_seen_at, urn limit ${limit} for update skip locked`.execute(tx.db)
  const last = rows.at(-1)
  return {
    urns: rows.map((row) => row.urn),
    next: last && rows.length === limit ? JSON.stringify([last.at, last.urn]) : null,
  }
}

export async function deletePosts(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from post where team_id = ${teamId} and urn = any(${[...urns]}::text[])`.execute(tx.db)
}
