/** The public face of scoring: the people of an agent, scored and ranked. */
export {
  engagementName,
  filterAgentPeople,
  readAgentPeople,
  scoreAgentLeads,
  sourceAt,
  type AgentPeople,
  type AgentPerson,
  type LeadScore,
} from './agent-reader.ts'
export { readRanking } from './agent-ranking.ts'
export {
  findAgentView,
  listDetails,
  listTexts,
  ownersOf,
  type AgentOf,
  type AgentSource,
  type AgentView,
  type LeadDetail,
} from './agent-store.ts'
export type { JudgedEngagement } from './rules/agent-people.ts'
export type { Signal } from './rules/signal.ts'
