/** The public face of fit: the filter language, ICP criteria, and the scored and ranked people of an agent. */
export { compileForLeads } from './filter-sql.ts'
export { rowMatches } from './rules/matches.ts'
export {
  findCriteria,
  icpFaultPoints,
  listRescoring,
  rescoreStep,
  rescoreWork,
  saveCriteria,
  scoreLeads,
  type Criteria,
  type RescoreDeps,
  type Rescoring,
} from './criteria.ts'
export { comparisonOperations, icpOperations, type IcpOperationId, type Owners } from './criteria-operations.ts'
export { engagementName, filterAgentPeople, sourceAt } from './ranking/filter.ts'
export {
  readAgentPeople,
  scoreAgentLeads,
  type AgentPeople,
  type AgentPerson,
  type LeadScore,
} from './ranking/people.ts'
export type { ListedEngagement, ListedPerson } from './ranking/details.ts'
export { pageOfAgent, type ListAsked, type ListedPage } from './ranking/list.ts'
export { rankingStep, rankingWork, type RankingDeps } from './ranking/pass.ts'
export { readRescoring, type PeopleRescoring } from './ranking/kept-store.ts'
export { askRanking, noteCompanies } from './ranking/store.ts'
export {
  findAgentView,
  listDetails,
  ownersOf,
  type AgentOf,
  type AgentSource,
  type AgentView,
  type LeadDetail,
} from './ranking/people-store.ts'
export { listTexts } from './ranking/post-store.ts'
export type { JudgedEngagement } from './rules/agent-people.ts'
export type { Signal } from './rules/signal.ts'
