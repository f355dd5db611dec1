/**
 * The ranking of an agent's people, computed: while what it keeps of them (`ranking-reader.ts`) was judged by another profile. It is
 * remembered between requests, for a list is walked page by page, as long as nothing it was made from has moved: the profile, the
 * sources, and the counters that follow every lead of theirs. What those do not show is seen a minute later.
 */
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { rankAgentPeople, type RankedPeople } from './people.ts'
import type { AgentOf, AgentView } from './people-store.ts'

type Kept = {
  readonly version: string
  readonly at: number
  readonly ranked: RankedPeople
  readonly engagements: number
}

const keptForMs = 60_000
/** Engagements kept in all, a few hundred bytes each. */
const mostEngagements = 100_000

const kept = new Map<string, Kept>()

/** Keeps a ranking as the newest; those kept longest go until all fit. */
function keep(key: string, entry: Kept): void {
  kept.delete(key)
  if (entry.engagements > mostEngagements) return
  kept.set(key, entry)
  let sum = [...kept.values()].reduce((all, one) => all + one.engagements, 0)
  for (const [oldest, one] of kept) {
    if (sum <= mostEngagements) return
    kept.delete(oldest)
    sum -= one.engagements
  }
}

/** Everybody whom an agent lists, the best first, as of `now` (service time). */
export async function computeRanking(
  db: Reader,
  { agent, view, now }: { readonly agent: AgentOf; readonly view: AgentView; readonly now: Date },
): Promise<RankedPeople> {
  const key = `${agent.teamId} ${agent.agentId}`
  const version = JSON.stringify(view)
  const known = kept.get(key)
  const age = known && now.getTime() - known.at
  if (known?.version === version && age !== undefined && age >= 0 && age < keptForMs) return known.ranked
  const ranked = await rankAgentPeople(db, agent, view)
  keep(key, {
    version,
    at: now.getTime(),
    ranked,
    engagements: ranked.people.reduce((sum, person) => sum + person.engagements.length, 0),
  })
  return ranked
}
