/** Enrichment: facts about people and companies, for captured leads and on request. */
export { companyResolver } from './company-lookup.ts'
export { saveFound } from './fill.ts'
export { enrichJobStep, enrichJobWork } from './requested-jobs.ts'
export { enrichmentStep, enrichmentWork } from './jobs.ts'
export { lookUpPerson, type EnrichmentDeps, type LookedUpPerson } from './lookup.ts'
export { enrichmentOperations } from './operations.ts'
export { purgeCompanyLookups, releaseAllCompanyLookups } from './store.ts'
