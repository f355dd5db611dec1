/**
 * What posts are about, judged once: a post's text hardly ever changes, and reading thousands of them takes longer than everything
 * else. An agent keeps what it has found (`agent_post`); what nobody has kept yet is remembered in this process.
 */
import { createHash } from 'node:crypto'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { AgentOf } from './people-store.ts'
import {
  listPosts,
  listPostsOfAuthors,
  listTexts,
  type JudgedPost,
  type PostOfAuthor,
  type Written,
} from './post-store.ts'
import { posterTopics, type PostVerdict } from '../rules/agent-people.ts'
import { kindsOf, type PostKinds } from '../rules/post-kinds.ts'
import { topicJudge } from '../rules/topics.ts'
import { rulesVersion } from '../rules/version.ts'
import { wordsOf } from '../rules/words.ts'

type Known = { readonly kinds: PostKinds; readonly topic: string | null }

const mostKnown = 20_000
const known = new Map<string, Known>()

/** Keeps what is known small: what came first goes first. */
function remember(key: string, verdict: Known): Known {
  if (known.size >= mostKnown) known.delete(known.keys().next().value!)
  known.set(key, verdict)
  return verdict
}

const silent: PostVerdict = { topic: null, kinds: { leadMagnet: null, vacancy: null, personalNews: null } }

/** What posts are judged by: the topics, and the rules of this program. */
export const topicsDigest = (topics: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([rulesVersion, topics]))
    .digest('base64url')
    .slice(0, 22)

/** Posts, judged: what each is about, and those of them that nobody has kept yet. */
export type JudgedPosts = {
  readonly verdictOf: (postUrn: string | null) => PostVerdict
  readonly posts: readonly JudgedPost[]
  readonly fresh: readonly JudgedPost[]
}

/** Judges posts of a team by the topics of an agent; a post nobody remembers is about nothing. */
export async function judgePosts(
  db: Reader,
  {
    agent,
    urns,
    topics,
  }: { readonly agent: AgentOf; readonly urns: readonly string[]; readonly topics: readonly string[] },
): Promise<JudgedPosts> {
  const judge = topicJudge(topics)
  const asked = topicsDigest(topics)
  const posts = await listPosts(db, agent, { urns, topics: asked })
  // The team is part of the key: what one team's rows say is never taken for another's.
  const keyOf = (post: { urn: string; digest: string }) => `${agent.teamId} ${post.urn} ${post.digest}\n${asked}`
  const unread = posts.filter((post) => post.known === null && !known.has(keyOf(post))).map((post) => post.urn)
  const texts = await listTexts(db, agent.teamId, unread)
  const headlines = new Map<string, string | null>()
  const headlineTopic = (headline: string | null) => {
    if (headline === null) return null
    if (!headlines.has(headline)) headlines.set(headline, judge(headline))
    return headlines.get(headline)!
  }
  const judged = posts.map((post): JudgedPost & { kept: boolean } => {
    const text = texts.get(post.urn) ?? ''
    const verdict =
      post.known ??
      known.get(keyOf(post)) ??
      remember(keyOf(post), { kinds: kindsOf(wordsOf(text)), topic: judge(text) })
    const { urn, digest, authorUrn, headline } = post
    return { urn, digest, authorUrn, ...verdict, headlineTopic: headlineTopic(headline), kept: post.known !== null }
  })
  const verdicts = new Map(judged.map((post): [string, PostVerdict] => [post.urn, post]))
  return {
    verdictOf: (urn) => (urn === null ? silent : (verdicts.get(urn) ?? silent)),
    posts: judged,
    fresh: judged.filter((post) => !post.kept),
  }
}

/** Tells what the author of a post stands for; null when nothing says so. */
export type PosterOf = (postUrn: string | null) => string | null

/** What the authors of some posts stand for: by the posts at hand, and by all that the agent has judged of those authors. */
export async function judgePosters(
  db: Reader,
  {
    agent,
    urns,
    topics,
    atHand,
  }: {
    readonly agent: AgentOf
    readonly urns: readonly string[]
    readonly topics: readonly string[]
    readonly atHand: readonly PostOfAuthor[]
  },
): Promise<PosterOf> {
  const here = new Map(atHand.map((post) => [post.urn, post]))
  const { named, about } = await listPostsOfAuthors(db, agent, {
    posts: urns.filter((urn) => !here.has(urn)),
    authors: [...new Set(atHand.flatMap((post) => post.authorUrn ?? []))],
    atHand: [...here.keys()],
    topics: topicsDigest(topics),
  })
  const byAuthor = posterTopics([...about, ...atHand])
  const written = new Map<string, Written>([...here, ...named.map((post): [string, Written] => [post.urn, post])])
  return (urn) => {
    const post = urn === null ? undefined : written.get(urn)
    if (!post) return null
    return post.authorUrn === null ? post.headlineTopic : (byAuthor.get(post.authorUrn) ?? null)
  }
}
