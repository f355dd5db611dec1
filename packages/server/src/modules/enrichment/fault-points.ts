/** The fault points that `enrichment` passes, with what each lies between. */

/** By name. */
export const enrichmentFaultPoints = {
  'enrichment.leased': 'a person was leased, nothing fetched',
  'enrichment.profile-fetched': 'a profile is here, nothing written',
  'enrichment.company-fetched': 'a company record is here, nothing written',
  'enrichment.written': 'facts written, deliveries not offered, not committed',
  'enrichment.before-commit': 'facts and deliveries written, not committed',
  'enrich-job.fetched': 'an asked-for profile is here, nothing written',
  'enrich-job.charged': 'an asked-for enrichment charged, job not closed, not committed',
} as const

type EnrichmentFaultPoints = typeof enrichmentFaultPoints
declare module '../../platform/faults.ts' {
  interface FaultPoints extends EnrichmentFaultPoints {}
}
