/** Turns a profile and its company record into lead facts, their price, and job results (G21, G22, G141). */
import type { CompanyRecord } from '../../../providers/ports.ts'
import type { KnownCompany, KnownPerson } from '../../network/index.ts'
import type { PersonFacts } from '../../leads/index.ts'

/** Joins a person with their company; an undefined `company` (unresolved, or without a page) leaves its fields null. */
export function factsOf(person: KnownPerson, company: KnownCompany | undefined): PersonFacts {
  const { urn: _urn, enrichedAt: _enrichedAt, ...facts } = person
  return {
    ...facts,
    companyName: company?.name ?? person.companyName,
    companyDomain: company?.domain ?? null,
    companyIndustry: company?.industry ?? null,
    companyEnrichedAt: company?.fetchedAt ?? null,
  }
}

/** True when a profile holds nothing enrichment needs, such as a hidden member's: it is free and fills nothing (CRD-10). */
export const saysNothing = (person: Pick<KnownPerson, 'headline' | 'jobTitle' | 'country' | 'companyName'>): boolean =>
  person.headline === null && person.jobTitle === null && person.country === null && person.companyName === null

/** Filling a lead that enrichment gave up on costs one credit. Waiting leads were paid at capture, enriched ones are free. */
export const owesCredit = (state: string): boolean => state === 'failed' || state === 'skipped'

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

/** Result of a company job; never charged. */
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
