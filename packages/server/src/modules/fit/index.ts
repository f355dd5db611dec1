/** The public face of fit: the one filter language, and ICP criteria. */
export { scoreLeads } from './actions.ts'
export { rescoreStep, type RescoreDeps } from './jobs.ts'
export { fitOperations, type FitOperationId, type Owners } from './operations.ts'
export { foldCase, matches, rowMatches, type FilterRecord } from './rules/matches.ts'
export { compile, compileForLeads } from './sql.ts'
export { releaseRescoreLeases, rescoresDue } from './store.ts'
