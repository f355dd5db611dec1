/** SQL of what posts are about, as an agent has judged them: `agent_post` is written here and nowhere else. */
import { sql } from 'kysely'
import { plannedOnce } from '../../../platform/db/prepared.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { AgentOf } from './people-store.ts'
import type { PostKinds } from '../rules/post-kinds.ts'

/**
 * A post without its text, and what an agent has found it to be about while the text and the topics were these;
 * `digest` tells one text from another.
 */
export type PostAbout = {
  readonly urn: string
  readonly digest: string
  readonly authorUrn: string | null
  readonly headline: string | null
  readonly known: { readonly kinds: PostKinds; readonly topic: string | null } | null
}

type PostRow = Omit<PostAbout, 'known'> & { readonly kinds: PostKinds | null; readonly topic: string | null }

/** Reads posts of a team as an agent has judged them by some topics. */
export async function listPosts(
  db: Reader,
  { teamId, agentId }: AgentOf,
  { urns, topics }: { readonly urns: readonly string[]; readonly topics: string },
): Promise<PostAbout[]> {
  if (urns.length === 0) return []
  const { rows } = await sql<PostRow>`
    select p.urn, p.digest, p.author_urn as "authorUrn", p.author_headline as headline, s.kinds, s.topic
    from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select urn, md5(coalesce(text, '')) as digest, author_urn, author_headline from post
      where team_id = ${teamId} and urn = asked.urn limit 1) p
    left join lateral (select kinds, topic from agent_post
      where team_id = ${teamId} and agent_id = ${agentId} and post_urn = asked.urn and topics = ${topics}
        and text_digest = p.digest limit 1) s on true`.execute(db)
  return rows.map(({ kinds, topic, ...post }) => ({ ...post, known: kinds && { kinds, topic } }))
}

/** Characters of a post that a list shows. */
export const longestText = 4_000

/** Reads the texts of posts, the first 4,000 characters of each. */
export async function listTexts(db: Reader, teamId: string, urns: readonly string[]): Promise<Map<string, string>> {
  if (urns.length === 0) return new Map()
  const { rows } = await plannedOnce(sql<{ urn: string; text: string }>`
    select p.urn, left(p.text, ${longestText}) as text from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select urn, text from post where team_id = ${teamId} and urn = asked.urn limit 1) p
    where p.text is not null`).execute(db)
  return new Map(rows.map((row) => [row.urn, row.text]))
}

/** What a post says about its author. */
export type PostOfAuthor = {
  readonly urn: string
  readonly authorUrn: string | null
  readonly topic: string | null
  readonly headlineTopic: string | null
}

/** Posts of one author that are looked at, the newest. */
export const mostOfAuthor = 200

/** Who wrote a post; `headlineTopic` is what the author says of themselves. */
export type Written = Pick<PostOfAuthor, 'urn' | 'authorUrn' | 'headlineTopic'>

/** Posts of one author that are about the same; `urn` is that of the newest. */
export type PostsOfAuthor = PostOfAuthor & { readonly posts: number }

/**
 * Reads who wrote some posts (`named`), and what an agent has found the posts of those authors, and of others, to be about (`about`),
 * leaving out the posts at hand.
 */
export async function listPostsOfAuthors(
  db: Reader,
  { teamId, agentId }: AgentOf,
  asked: {
    readonly posts: readonly string[]
    readonly authors: readonly string[]
    readonly atHand: readonly string[]
    readonly topics: string
  },
): Promise<{ readonly named: readonly Written[]; readonly about: readonly PostsOfAuthor[] }> {
  if (asked.posts.length === 0 && asked.authors.length === 0) return { named: [], about: [] }
  const { topics } = asked
  // Counted here: of a page of people some authors have written hundreds of posts, about few topics.
  const { rows } = await plannedOnce(sql<PostsOfAuthor>`
    with named as materialized (
      select p.* from unnest(${[...asked.posts]}::text[]) as asked(urn) cross join lateral (
        select post_urn, author_urn, headline_topic from agent_post
        where team_id = ${teamId} and agent_id = ${agentId} and post_urn = asked.urn and topics = ${topics} limit 1) p)
    select post_urn as urn, author_urn as "authorUrn", null as topic, headline_topic as "headlineTopic", 0 as posts
    from named
    union all
    select max(s.post_urn collate "C"), author.urn, s.topic, s.headline_topic, count(*)::integer
    from (select author_urn as urn from named union select unnest(${[...asked.authors]}::text[])) author
    cross join lateral (
      select post_urn, topic, headline_topic from agent_post
      where team_id = ${teamId} and agent_id = ${agentId} and author_urn = author.urn and topics = ${topics}
        and post_urn <> all(${[...asked.atHand]}::text[])
      order by post_urn desc limit ${mostOfAuthor}) s
    where s.topic is not null or s.headline_topic is not null
    group by author.urn, s.topic, s.headline_topic`).execute(db)
  return { named: rows.filter((row) => row.posts === 0), about: rows.filter((row) => row.posts > 0) }
}

/** A post, judged by some topics. */
export type JudgedPost = PostOfAuthor & { readonly digest: string; readonly kinds: PostKinds }

/** Keeps what posts are about. */
export async function savePosts(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  { posts, topics }: { readonly posts: readonly JudgedPost[]; readonly topics: string },
): Promise<void> {
  if (posts.length === 0) return
  const rows = posts.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
  await sql`
    insert into agent_post (team_id, agent_id, post_urn, topics, text_digest, author_urn, topic, headline_topic, kinds)
    select ${teamId}, ${agentId}, r.urn, ${topics}, r.digest, r."authorUrn", r.topic, r."headlineTopic", r.kinds
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, digest text, "authorUrn" text, topic text,
        "headlineTopic" text, kinds jsonb)
    on conflict (team_id, post_urn, agent_id)
    do update set topics = excluded.topics, text_digest = excluded.text_digest, author_urn = excluded.author_urn,
      topic = excluded.topic, headline_topic = excluded.headline_topic, kinds = excluded.kinds`.execute(tx.db)
}

/** Forgets what posts are about, because what was said of them has changed. */
export async function forgetPosts(tx: Tx, { teamId, agentId }: AgentOf, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from agent_post
      where team_id = ${teamId} and agent_id = ${agentId} and post_urn = any(${[...urns]}::text[])`.execute(tx.db)
}
