/** Enrichment: facts about people and companies, for captured leads and on request. */
export { enrichJobStep } from './asked.ts'
export { enrichmentStep } from './jobs.ts'
export type { EnrichmentDeps } from './lookup.ts'
export { enrichmentOperations } from './operations.ts'
export { releaseTaskLeases, requestEnrichment, tasksDue } from './store.ts'
