import type { Fit } from './agent-fit.ts'
import type { PostKinds } from './post-kinds.ts'
import { judgeEngagement, judgeSignal, type EngagementSignal, type Signal } from './signal.ts'

export type PostVerdict = { readonly topic: string | null; readonly kinds: PostKinds }

/** A captured lead row of a person; `key` is its engagement key, `source` the number of its source, from 1. */
export type CapturedEngagement = {
  readonly leadId: string
  readonly source: number
  readonly postUrn: string | null
  readonly key: string
}

export type JudgedEngagement = CapturedEngagement & EngagementSignal & { readonly topic: string | null }

/** The most engagements shown of one person; all of them count. */
export const maxEngagementsShown = 50

/** A judged person; engagements are newest first. */
export type JudgedPerson = {
  readonly fit: Fit
  readonly signal: Signal
  readonly signalReasons: readonly string[]
  readonly engagements: readonly JudgedEngagement[]
}

const kindOf = (key: string) =>
  key.startsWith('comment:') ? 'comment' : key.startsWith('reaction:') ? 'reaction' : 'author'

/**
 * Judges a person by all their rows, newest first. An engagement captured by two sources counts once, as the newer row. A post
 * without a topic of its own is about the topic of the search that found it.
 */
export function judgePerson({
  fit,
  captured,
  verdictOf,
  searchedTopic,
}: {
  fit: Fit
  captured: readonly CapturedEngagement[]
  verdictOf: (postUrn: string | null) => PostVerdict
  searchedTopic: (source: number) => string | null
}): JudgedPerson {
  const newest = new Map(captured.toReversed().map((engagement) => [engagement.key, engagement]))
  const distinct = captured.filter((engagement) => newest.get(engagement.key) === engagement)
  const engagements = distinct.map((engagement): JudgedEngagement => {
    const verdict = verdictOf(engagement.postUrn)
    const topic = verdict.topic ?? searchedTopic(engagement.source)
    return {
      ...engagement,
      ...judgeEngagement({ kind: kindOf(engagement.key), topic, kinds: verdict.kinds }, fit.percent),
      topic,
    }
  })
  const { signal, reasons } = judgeSignal(engagements)
  return { fit, signal, signalReasons: reasons, engagements }
}

/** The topic of each author: that of their newest post's headline, else the most frequent of their posts, the newest on a tie. */
export function posterTopics(
  posts: readonly {
    readonly urn: string
    readonly authorUrn: string | null
    readonly headlineTopic: string | null
    readonly topic: string | null
    /** How many posts these are, `urn` being the newest; one by default. */
    readonly posts?: number
  }[],
): ReadonlyMap<string, string> {
  const topics = new Map<string, string>()
  // Newer posts have greater URNs.
  const newest = posts.toSorted((a, b) => (a.urn < b.urn ? 1 : -1))
  for (const [author, theirs] of Map.groupBy(newest, (post) => post.authorUrn ?? '')) {
    if (author === '') continue
    const said = theirs.find((post) => post.headlineTopic !== null)?.headlineTopic
    const counts = new Map<string, number>()
    for (const { topic, posts: number = 1 } of theirs)
      if (topic !== null) counts.set(topic, (counts.get(topic) ?? 0) + number)
    const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
    const topic = said ?? most?.[0]
    if (topic !== undefined) topics.set(author, topic)
  }
  return topics
}
