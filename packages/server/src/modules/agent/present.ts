/** Presents agents (specification «Engagement Agent»; G99). */
import type { Answer, OperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { readTeam } from '../accounts/index.ts'
import { countAgentChecked } from '../credits/index.ts'
import { presentRule, readRule } from '../outreach/index.ts'
import { readRescoring } from '../fit/index.ts'
import { planLimits } from './rules/plan.ts'
import { listAgentSources, type Agent, type AgentSourceRow } from './store.ts'

type AgentResource = NonNullable<Answer<OperationOf<'getAgent'>>['agent']>

/** The sources of the last start and of a pending one, and the agent's own that are still tracked from before. */
const presentSources = (
  agent: Pick<Agent, 'launch' | 'pending'>,
  sources: readonly AgentSourceRow[],
): readonly AgentSourceRow[] =>
  sources.filter(
    (source) =>
      source.launch === agent.launch ||
      (agent.pending !== null && source.launch === agent.pending.launch) ||
      (source.made && source.active && !source.stopped),
  )

async function presentTrial(
  db: Reader,
  teamId: string,
  sources: readonly AgentSourceRow[],
): Promise<AgentResource['trial']> {
  const team = await readTeam(db, teamId)
  if (team?.status !== 'trial') return null
  const watched = sources.filter((source) => source.type === 'person' && source.active && !source.stopped).length
  return {
    checkedLimit: planLimits.trialChecked,
    checked: await countAgentChecked(db, teamId),
    watchLimit: planLimits.trialPeople,
    watched,
    endsAt: team.trialEndsAt,
  }
}

export async function presentAgent(db: Reader, agent: Agent): Promise<AgentResource> {
  const sources = presentSources(agent, await listAgentSources(db, agent))
  const rule = await readRule(db, agent.teamId, agent.id)
  const trial = await presentTrial(db, agent.teamId, sources)
  const rescoring = await readRescoring(db, { teamId: agent.teamId, agentId: agent.id })
  return {
    ...agent,
    dailyCredits: trial === null ? agent.dailyCredits : null,
    sources: sources.flatMap(({ sourceId, type, label, active, stopped }) =>
      type === 'post' ? [] : [{ id: sourceId, type, label, active: active && !stopped }],
    ),
    outreach: rule === undefined ? null : presentRule(rule),
    trial,
    ...(rescoring ? { rescoring } : {}),
  }
}
