/** What is written onto leads from a profile and its company record. */
import type { KnownCompany, KnownPerson } from '../../network/index.ts'
import type { PersonFacts } from '../../leads/index.ts'

/** Joins a person with their company. `company` undefined: never resolved, or no page; its fields then stay unknown. */
export function factsOf(person: KnownPerson, company: KnownCompany | undefined): PersonFacts {
  return {
    name: person.name,
    handle: person.handle,
    headline: person.headline,
    linkedinUrl: person.linkedinUrl,
    avatarUrl: person.avatarUrl,
    jobTitle: person.jobTitle,
    country: person.country,
    countryCode: person.countryCode,
    companyUrn: person.companyUrn,
    companyName: company?.name ?? person.companyName,
    companyDomain: company?.domain ?? null,
    companyIndustry: company?.industry ?? null,
    companyEnrichedAt: company?.fetchedAt ?? null,
  }
}

/** True when a profile answers nothing that enrichment is for, as a hidden member's does: it is free and fills nothing (CRD-10). */
export const saysNothing = (person: Pick<KnownPerson, 'headline' | 'jobTitle' | 'country' | 'companyName'>): boolean =>
  person.headline === null && person.jobTitle === null && person.country === null && person.companyName === null
