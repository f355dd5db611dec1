/** The agent's part in outreach: how it judges leads (AGT-17, AGT-18). Which sources feed its rule, `accounts/agents` says. */
import { filterAgentPeople, readAgentPeople, scoreAgentLeads } from '../fit/index.ts'
import type { AgentScores } from '../outreach/index.ts'
import { findAgent } from './store.ts'

/** An agent's judgement of leads, for outreach, which lies below. */
export const agentScores: AgentScores = {
  score: async (db, { teamId, agentId }, leadIds) => {
    if (!(await findAgent(db, teamId, agentId))) return undefined
    const scores = await scoreAgentLeads(db, { teamId, agentId }, { leadIds, listed: false })
    return new Map([...scores].map(([id, { icp, signal }]) => [id, { icpPercent: icp, signal }]))
  },
  passing: async (db, { teamId, agentId }, { filters, leadIds }) => {
    const read = await readAgentPeople(db, { teamId, agentId }, leadIds === null ? 'newest' : { leadIds })
    if (!read) return []
    const passing = await filterAgentPeople(
      db,
      { ...read, teamId, people: read.people.filter((person) => person.ended && person.fit.listed) },
      filters,
    )
    const ids = passing.flatMap((person) => person.leadIds)
    const asked = leadIds === null ? null : new Set(leadIds)
    return asked === null ? ids : ids.filter((id) => asked.has(id))
  },
}
