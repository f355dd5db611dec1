/**
 * What of a page is stored and charged: the heart of the bill (G35, CRD-13..CRD-16, CRD-19..CRD-21, SYN-05, SYN-06).
 *
 * Two counters in one loop: some bounds count lead rows, others new people; rows that are stored already count for neither. The
 * page stops before the row that would pass a bound, and only if there is such a row.
 */
import type { FreeReason } from '../../credits/index.ts'
import type { Engagement, ShownEngagement } from '../../leads/rules/engagement.ts'

/** A bound on rows to store or people to charge; `stop` names it when it stops the page. */
export type Bound<Stop extends string> = {
  readonly counts: 'rows' | 'people'
  readonly left: number
  readonly stop: Stop
}

export type Facts<Stop extends string> = {
  readonly engagements: readonly ShownEngagement[]
  /** Reactions of engagements that are stored already, by key. */
  readonly stored: ReadonlyMap<string, string | null>
  /** Keys that this run has judged already: pages that shift show a row twice. */
  readonly counted: ReadonlySet<string>
  readonly charged: ReadonlySet<string>
  /** Member ids of people whom the team has had erased; their engagements are neither stored nor charged (PRV-06). */
  readonly blocked: ReadonlySet<string>
  /** The most important first: when a row would pass two, the first one stopped it (G115). */
  readonly bounds: readonly Bound<Stop>[]
}

export type JudgedPage<Stop extends string> = {
  readonly rows: readonly Engagement[]
  readonly changed: readonly { readonly key: string; readonly reaction: string | null }[]
  readonly charge: readonly string[]
  /** What costs nothing, each once in the run. */
  readonly free: readonly { readonly key: string; readonly reason: FreeReason }[]
  /** Engagements that this run judged for the first time, charged or free. */
  readonly judged: number
  /** Set when a further row existed and could not be stored. */
  readonly stop: Stop | null
  /** What was not judged, from that row on. */
  readonly rest: readonly ShownEngagement[]
}

/** Judges one page. */
export function take<Stop extends string>(facts: Facts<Stop>): JudgedPage<Stop> {
  const rows: Engagement[] = []
  const changed: { key: string; reaction: string | null }[] = []
  const charge = new Set<string>()
  const free: { key: string; reason: FreeReason }[] = []
  const seen = new Set<string>()
  let judged = 0
  const countJudged = (key: string, to: FreeReason | 'charge') => {
    if (facts.counted.has(key)) return
    judged += 1
    if (to !== 'charge') free.push({ key, reason: to })
  }
  for (const [index, engagement] of facts.engagements.entries()) {
    // A page can repeat a row, and shifting pages do.
    if (seen.has(engagement.key)) continue
    seen.add(engagement.key)
    if (engagement.person === null) {
      countJudged(engagement.key, engagement.by === 'blocked' ? 'blocked' : 'company_author')
      continue
    }
    if (facts.blocked.has(engagement.person.urn)) {
      countJudged(engagement.key, 'blocked')
      continue
    }
    const before = facts.stored.get(engagement.key)
    if (before !== undefined) {
      if (engagement.reaction !== null && engagement.reaction !== before)
        changed.push({ key: engagement.key, reaction: engagement.reaction })
      countJudged(engagement.key, 'seen_before')
      continue
    }
    const isNew = !facts.charged.has(engagement.person.urn) && !charge.has(engagement.person.urn)
    const passed = facts.bounds.find((bound) =>
      bound.counts === 'rows' ? rows.length >= bound.left : isNew && charge.size >= bound.left,
    )
    if (passed) {
      const rest = facts.engagements.slice(index)
      return { rows, changed, charge: [...charge], free, judged, stop: passed.stop, rest }
    }
    rows.push(engagement)
    if (isNew) charge.add(engagement.person.urn)
    countJudged(engagement.key, isNew ? 'charge' : 'same_person_other_engagement')
  }
  return { rows, changed, charge: [...charge], free, judged, stop: null, rest: [] }
}

/** Which new posts a watch stores: bounds on rows count every post, bounds on people what it costs. `stop`: what kept one out. */
export function takePosts<Stop extends string>(
  posts: readonly string[],
  isFree: (post: string) => boolean,
  bounds: readonly Bound<Stop>[],
): { readonly taken: readonly string[]; readonly stop: Stop | null } {
  const taken: string[] = []
  let paid = 0
  for (const post of posts) {
    const costs = isFree(post) ? 0 : 1
    const passed = bounds.find(({ counts, left }) => (counts === 'rows' ? taken.length >= left : paid + costs > left))
    if (passed) return { taken, stop: passed.stop }
    taken.push(post)
    paid += costs
  }
  return { taken, stop: null }
}
