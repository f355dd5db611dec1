/** What posts are about, judged once: a post's text hardly ever changes, and reading thousands of them takes longer than everything else. */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { listPosts, listTexts } from './agent-store.ts'
import { posterTopics, type PostVerdict } from './rules/agent-people.ts'
import { kindsOf, type PostKinds } from './rules/post-kinds.ts'
import { topicJudge } from './rules/topics.ts'
import { wordsOf } from './rules/words.ts'

type Known = { readonly kinds: PostKinds; readonly topic: string | null }

const mostKnown = 20_000
const known = new Map<string, Known>()

/** Keeps what is known small: what came first goes first. */
function remember(key: string, verdict: Known): Known {
  if (known.size >= mostKnown) known.delete(known.keys().next().value!)
  known.set(key, verdict)
  return verdict
}

const silent: PostVerdict = {
  topic: null,
  posterTopic: null,
  kinds: { leadMagnet: null, vacancy: null, personalNews: null },
}

/** Judges posts of a team by topics; a post nobody remembers is about nothing. */
export async function judgePosts(
  db: Reader,
  teamId: string,
  urns: readonly string[],
  topics: readonly string[],
): Promise<(postUrn: string | null) => PostVerdict> {
  const judge = topicJudge(topics)
  const asked = topics.join('\n')
  const posts = await listPosts(db, teamId, urns)
  // The team is part of the key: what one team's rows say is never taken for another's.
  const keyOf = (post: { urn: string; size: number }) => `${teamId} ${post.urn} ${post.size}\n${asked}`
  const texts = await listTexts(
    db,
    teamId,
    posts.filter((post) => !known.has(keyOf(post))).map((post) => post.urn),
  )
  const headlines = new Map<string, string | null>()
  const headlineTopic = (headline: string | null) => {
    if (headline === null) return null
    if (!headlines.has(headline)) headlines.set(headline, judge(headline))
    return headlines.get(headline)!
  }
  const judged = posts.map((post) => {
    const text = texts.get(post.urn) ?? ''
    const verdict =
      known.get(keyOf(post)) ?? remember(keyOf(post), { kinds: kindsOf(wordsOf(text)), topic: judge(text) })
    return { ...post, ...verdict, headlineTopic: headlineTopic(post.headline) }
  })
  const byAuthor = posterTopics(judged)
  const verdicts = new Map(
    judged.map((post): [string, PostVerdict] => [
      post.urn,
      {
        topic: post.topic,
        kinds: post.kinds,
        posterTopic: (post.authorUrn === null ? post.headlineTopic : byAuthor.get(post.authorUrn)) ?? null,
      },
    ]),
  )
  return (urn) => (urn === null ? silent : (verdicts.get(urn) ?? silent))
}
