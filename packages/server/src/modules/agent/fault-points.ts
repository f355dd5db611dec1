/** The fault points that `agent` passes, with what each lies between. */

/** By name. */
export const agentFaultPoints = {
  agent_save: 'saving the agent in a start',
  'agent.prepared': 'what a start sets up is written, not committed',
  'agent.set-up': 'what a start sets up is committed, the agent is not saved',
  'agent.person-watched': 'some of the people found are watched, not committed',
} as const

type AgentFaultPoints = typeof agentFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends AgentFaultPoints {}
}
