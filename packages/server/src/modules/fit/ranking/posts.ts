/** What posts are about, judged once and stored in `agent_post` (written here): reading thousands of texts is the slow part. */
import { sql } from 'kysely'
import { plannedOnce } from '../../../platform/db/prepared.ts'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { posterTopics, type PostVerdict } from '../rules/agent-people.ts'
import { kindsOf, type PostKinds } from '../rules/post-kinds.ts'
import { topicJudge } from '../rules/topics.ts'
import { rulesVersion } from '../rules/version.ts'
import { wordsOf } from '../rules/words.ts'
import { digestOf, type AgentOf } from './people-store.ts'

/** A post without its text, and the stored judgement (`kinds` null: none), if made of the same text (`digest`) and topics. */
type PostAbout = {
  readonly urn: string
  readonly digest: string
  readonly authorUrn: string | null
  readonly headline: string | null
  readonly kinds: PostKinds | null
  readonly topic: string | null
}

/** Reads posts with what the agent has stored about them for these topics (a `topicsDigest`). */
async function listPosts(
  db: Reader,
  { teamId, agentId }: AgentOf,
  { urns, topics }: { urns: readonly string[]; topics: string },
): Promise<PostAbout[]> {
  if (urns.length === 0) return []
  return queryAll<PostAbout>(db)`
    select p.urn, p.digest, p.author_urn as "authorUrn", p.author_headline as headline, s.kinds, s.topic
    from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select urn, md5(coalesce(text, '')) as digest, author_urn, author_headline from post
      where team_id = ${teamId} and urn = asked.urn limit 1) p
    left join lateral (select kinds, topic from agent_post
      where team_id = ${teamId} and agent_id = ${agentId} and post_urn = asked.urn and topics = ${topics}
        and text_digest = p.digest limit 1) s on true`
}

const maxTextLength = 4_000

/** Reads the first 4,000 characters of posts' texts. */
export async function listTexts(db: Reader, teamId: string, urns: readonly string[]): Promise<Map<string, string>> {
  if (urns.length === 0) return new Map()
  const { rows } = await plannedOnce(sql<{ urn: string; text: string }>`
    select p.urn, left(p.text, ${maxTextLength}) as text from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select urn, text from post where team_id = ${teamId} and urn = asked.urn limit 1) p
    where p.text is not null`).execute(db)
  return new Map(rows.map((row) => [row.urn, row.text]))
}

export type PostOfAuthor = {
  readonly urn: string
  readonly authorUrn: string | null
  readonly topic: string | null
  readonly headlineTopic: string | null
}

/** The most posts of one author that count, newest first. */
const maxPostsOfAuthor = 200

/** Who wrote a post; `headlineTopic` is the topic of the author's headline. */
type PostAuthorship = Pick<PostOfAuthor, 'urn' | 'authorUrn' | 'headlineTopic'>

/** How many posts one author has about one topic; `urn` is the newest. */
type PostsOfAuthor = PostOfAuthor & { readonly posts: number }

/** Reads who wrote `posts` (`named`), and what posts by them and by `authors` are about (`about`), leaving out `judgedHere`. */
async function listPostsOfAuthors(
  db: Reader,
  { teamId, agentId }: AgentOf,
  asked: {
    readonly posts: readonly string[]
    readonly authors: readonly string[]
    readonly judgedHere: readonly string[]
    readonly topics: string
  },
): Promise<{ readonly named: readonly PostAuthorship[]; readonly about: readonly PostsOfAuthor[] }> {
  if (asked.posts.length === 0 && asked.authors.length === 0) return { named: [], about: [] }
  const { topics } = asked
  // Grouped in SQL: some authors have hundreds of posts about few topics.
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
        and post_urn <> all(${[...asked.judgedHere]}::text[])
      order by post_urn desc limit ${maxPostsOfAuthor}) s
    where s.topic is not null or s.headline_topic is not null
    group by author.urn, s.topic, s.headline_topic`).execute(db)
  return { named: rows.filter((row) => row.posts === 0), about: rows.filter((row) => row.posts > 0) }
}

type JudgedPost = PostOfAuthor & { readonly digest: string; readonly kinds: PostKinds }

/** Stores what posts are about. */
export async function savePosts(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  { posts, topics }: { posts: readonly JudgedPost[]; topics: string },
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

/** Deletes the stored judgements of posts that changed. */
export async function forgetPosts(tx: Tx, { teamId, agentId }: AgentOf, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`delete from agent_post
      where team_id = ${teamId} and agent_id = ${agentId} and post_urn = any(${[...urns]}::text[])`.execute(tx.db)
}

const silent: PostVerdict = { topic: null, kinds: { leadMagnet: null, vacancy: null, personalNews: null } }

/** A digest of what posts are judged by: the topics and the rules' version. */
export const topicsDigest = (topics: readonly string[]): string => digestOf([rulesVersion, topics])

/** Judges posts by an agent's topics; a post that is not stored is about nothing. `fresh`: those without a stored judgement. */
export async function judgePosts(
  db: Reader,
  { agent, urns, topics }: { agent: AgentOf; urns: readonly string[]; topics: readonly string[] },
) {
  const judge = topicJudge(topics)
  const asked = topicsDigest(topics)
  const posts = await listPosts(db, agent, { urns, topics: asked })
  const unread = posts.filter((post) => post.kinds === null).map((post) => post.urn)
  const texts = await listTexts(db, agent.teamId, unread)
  const headlines = new Map<string, string | null>()
  const headlineTopic = (headline: string | null) => {
    if (headline === null) return null
    if (!headlines.has(headline)) headlines.set(headline, judge(headline))
    return headlines.get(headline)!
  }
  const judged = posts.map((post): JudgedPost & { kept: boolean } => {
    const text = texts.get(post.urn) ?? ''
    const { headline, ...known } = post
    const kinds = post.kinds ?? kindsOf(wordsOf(text))
    const topic = post.kinds === null ? judge(text) : post.topic
    return { ...known, kinds, topic, headlineTopic: headlineTopic(headline), kept: post.kinds !== null }
  })
  const verdicts = new Map(judged.map((post): [string, PostVerdict] => [post.urn, post]))
  return {
    verdictOf: (urn: string | null) => (urn === null ? silent : (verdicts.get(urn) ?? silent)),
    posts: judged,
    fresh: judged.filter((post) => !post.kept),
  }
}

/** The topics that posts' authors stand for, from the posts in `judgedHere` and all the agent has stored of those authors. */
export async function judgePosters(
  db: Reader,
  agent: AgentOf,
  asked: {
    readonly urns: readonly string[]
    readonly topics: readonly string[]
    readonly judgedHere: readonly PostOfAuthor[]
  },
): Promise<(postUrn: string | null) => string | null> {
  const { urns, topics, judgedHere } = asked
  const here = new Map(judgedHere.map((post) => [post.urn, post]))
  const { named, about } = await listPostsOfAuthors(db, agent, {
    posts: urns.filter((urn) => !here.has(urn)),
    authors: [...new Set(judgedHere.flatMap((post) => post.authorUrn ?? []))],
    judgedHere: [...here.keys()],
    topics: topicsDigest(topics),
  })
  const byAuthor = posterTopics([...about, ...judgedHere])
  const written = new Map<string, PostAuthorship>([
    ...here,
    ...named.map((post): [string, PostAuthorship] => [post.urn, post]),
  ])
  return (urn) => {
    const post = urn === null ? undefined : written.get(urn)
    if (!post) return null
    return post.authorUrn === null ? post.headlineTopic : (byAuthor.get(post.authorUrn) ?? null)
  }
}
