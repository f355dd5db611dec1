/** The Engagement Agent: searches a website's topics daily, watches people who talk about them, and ranks everybody they reach. */
export { erasePersonFromAgents } from './erasing.ts'
export { agentWork } from './jobs.ts'
export { agentScores, agentsForSends } from './leads.ts'
export { agentOperations } from './operations.ts'
