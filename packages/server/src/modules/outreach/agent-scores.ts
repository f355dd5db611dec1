/** What outreach needs of the agent module above it; the composition plugs it in (AGT-17, OUT-09, OUT-11). */
import type { AgentFilterColumn, FilterRow } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'

export type AgentScore = { readonly icpPercent: number | null; readonly signal: string | null }

type Judge = { readonly teamId: string; readonly agentId: string }

/** An agent's judgement of leads; reads only, so it may run inside a unit of work. */
export type AgentScores = {
  /** Scores by lead id, for the leads it can judge; undefined when the team has no such agent. */
  readonly score: (
    db: Reader,
    agent: Judge,
    leadIds: readonly string[],
  ) => Promise<ReadonlyMap<string, AgentScore> | undefined>
  /** Ids of enriched, listed leads that match every filter; `leadIds` null: of all its sources. */
  readonly passing: (
    db: Reader,
    agent: Judge,
    among: {
      readonly filters: readonly FilterRow<AgentFilterColumn>[]
      readonly leadIds: readonly string[] | null
    },
  ) => Promise<readonly string[]>
}
