/** The public face of fit: the filter language, ICP criteria, and the scored and ranked people of an agent. */
export { compileForLeads, compileForPeople, scoresOfPerson } from './filter-sql.ts'
export { eraseScores, lockRankings } from './erasing.ts'
export { rowMatches } from './rules/matches.ts'
export {
  findCriteria,
  listRescoring,
  rescoreStep,
  rescoreWork,
  saveCriteria,
  scoreLeads,
  type RescoreDeps,
} from './criteria.ts'
export { comparisonOperations, icpOperations } from './criteria-operations.ts'
export {
  engagementName,
  filterAgentPeople,
  readAgentPeople,
  scoreAgentLeads,
  sourceAt,
  type LeadScore,
} from './ranking/people.ts'
export { pageOfAgent, readRescoring, type ListAsked, type ListedEngagement, type ListedPerson } from './ranking/list.ts'
export { askRanking, noteCompanies, rankingStep, rankingWork } from './ranking/pass.ts'
export { findAgentView, ownersOf, type AgentView } from './ranking/people-store.ts'
