/** Which sources belong to which agent. */
export { agentsFedBy, hasAgent, sourcesMadeBy, writeAgentSource, writeStopped, type AgentName } from './store.ts'
