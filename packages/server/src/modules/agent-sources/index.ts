/** Which sources belong to which agent. */
export {
  agentsFedBy,
  hasAgent,
  sourcesMadeBy,
  writeAgentSource,
  writeStopped,
  writeUntracked,
  type AgentName,
} from './store.ts'
