/** The public face of scoring: the people of an agent, scored and ranked. */
export { engagementName, filterAgentPeople, sourceAt } from './agent-filter.ts'
export {
  readAgentPeople,
  scoreAgentLeads,
  type AgentPeople,
  type AgentPerson,
  type LeadScore,
} from './agent-reader.ts'
export type { ListedEngagement, ListedPerson } from './listed-details.ts'
export { pageOfAgent, type ListAsked, type ListedPage } from './ranking-reader.ts'
export { rankingStep, rankingWork, type RankingDeps } from './ranking-jobs.ts'
export { readRescoring, type PeopleRescoring } from './ranking-read-store.ts'
export { askRanking } from './ranking-store.ts'
export {
  findAgentView,
  listDetails,
  ownersOf,
  type AgentOf,
  type AgentSource,
  type AgentView,
  type LeadDetail,
} from './agent-store.ts'
export { listTexts } from './post-store.ts'
export type { JudgedEngagement } from './rules/agent-people.ts'
export type { Signal } from './rules/signal.ts'
