/** The public face of fit: the one filter language, and ICP criteria. */
export { scoreLeads } from './actions.ts'
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
export { rescoreStep, rescoreWork, type RescoreDeps } from './jobs.ts'
export { fitOperations, type FitOperationId, type Owners } from './operations.ts'
export type { JudgedEngagement } from './rules/agent-people.ts'
export type { Signal } from './rules/signal.ts'
export { foldCase, matches, rowMatches, type FilterRecord } from './rules/matches.ts'
export { compile, compileForLeads } from './sql.ts'
