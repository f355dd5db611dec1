/** The public face of icp: ICP criteria, and judging leads by them. */
export { icpFaultPoints } from './fault-points.ts'
export { scoreLeads } from './actions.ts'
export { rescoreStep, rescoreWork, type RescoreDeps } from './jobs.ts'
export { leadVerdicts, listRescoring, saveCriteriaOf, type Criteria, type Rescoring } from './store.ts'
export { comparisonOperations } from './compare-operations.ts'
export { icpOperations, type IcpOperationId, type Owners } from './operations.ts'
