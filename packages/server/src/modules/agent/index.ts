/** The Engagement Agent: searches a website's topics every day, watches the people who talk about them, and ranks whom they reach. */
export { agentFaultPoints } from './fault-points.ts'
export { agentWork, type AgentDeps } from './jobs.ts'
export { agentOperations, type AgentOperationDeps, type AgentOperationId } from './operations.ts'
export { agentScores } from './outreach.ts'
export { agentsForSends } from './push.ts'
