/** Enrichment: facts about people and companies, for captured leads and on request. */
export { enrichJobStep } from './requested-jobs.ts'
export { enrichmentStep, recordUnexpectedOfPerson } from './jobs.ts'
export { lookUpPerson, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
export { enrichmentOperations } from './operations.ts'
export { releaseTaskLeases, requestEnrichment, tasksDue } from './store.ts'
