/** Results of enrichment jobs (G21, G22). */
import type { CompanyRecord } from '../../providers/ports.ts'
import type { KnownPerson } from '../network/index.ts'

/** Result of a profile job. */
export function presentPerson(
  person: KnownPerson,
  outcome: { charged: number; updated: number },
): Record<string, unknown> {
  return {
    creditsCharged: outcome.charged,
    entityUrn: person.urn,
    leadsUpdated: outcome.updated,
    name: person.name,
    headline: person.headline,
    jobTitle: person.jobTitle,
    company: person.companyName,
    country: person.country,
    linkedinUrl: person.linkedinUrl,
    avatarUrl: person.avatarUrl,
  }
}

/** Result of a company job: flat, never charged. */
export function presentCompany(record: CompanyRecord, leadsUpdated: number): Record<string, unknown> {
  return {
    creditsCharged: 0,
    leadsUpdated,
    name: record.name,
    username: record.slug,
    urn: record.urn,
    linkedinUrl: record.linkedinUrl,
    website: record.website,
    industry: record.industry,
    employeeCount: record.employeeCount,
    staffRange: record.staffRange,
    headquarters: record.headquarters,
    description: record.description,
    foundedYear: record.foundedYear,
    followerCount: record.followerCount,
    specialties: record.specialties,
    images: { logo: record.logoUrl, cover: record.coverUrl },
  }
}
