/** What outreach asks of the agent, which lies above it: compose plugs it in (AGT-17, OUT-09, OUT-11). */
import type { AgentFilterColumn, FilterRow } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** How an agent sees a lead. */
export type AgentScore = { readonly icpPercent: number | null; readonly signal: string | null }

type Judge = { readonly teamId: string; readonly agentId: string }

/** An agent's judgement of leads; reads only, so it may run inside a unit of work. */
export type AgentScores = {
  /** ICP % and signal by lead id, for those of the leads that it can judge; undefined when the team has no such agent. */
  readonly score: (
    db: Reader,
    agent: Judge,
    leadIds: readonly string[],
  ) => Promise<ReadonlyMap<string, AgentScore> | undefined>
  /**
   * Ids of enriched leads that the agent lists and that match every row: among those given, or (null) among all that
   * its sources have captured.
   */
  readonly passing: (
    db: Reader,
    agent: Judge,
    among: {
      readonly filters: readonly FilterRow<AgentFilterColumn>[]
      readonly leadIds: readonly string[] | null
    },
  ) => Promise<readonly string[]>
}
