import { createCompanies, companyIndex, companyIdOf, COMPANY_COUNT, type Company } from './companies.ts'
import { isAbsent, remember } from './known-names.ts'
import type { CompanySeed } from './seed-schemas.ts'
import { withCompanySeed } from './seeded-people.ts'

/** The pages of the world, generated and seeded. */
export type KnownCompanies = {
  company(slugOrId: string): Company | undefined
  companyAt(index: number): Company
  /** The page that an actor is named by: by its place or its name; made when nothing has that name. */
  ofKey(key: string | number): Company
  /** `isGenerated`: it takes the place of a page that people may work at. */
  add(seed: CompanySeed): { readonly made: Company; readonly isGenerated: boolean }
  clear(): void
}

/** Makes the pages of a seed. */
export function knownCompanies(seed: string): KnownCompanies {
  const companies = new Map<string, Company | null>()
  const slugOfId = new Map<string, string>()
  const generated = createCompanies(seed)
  const companyAt = (index: number): Company => {
    const made = generated.at(index % COMPANY_COUNT)
    return companies.get(made.slug) ?? made
  }
  const company = (text: string): Company | undefined => {
    const key = text.toLowerCase()
    const slug = slugOfId.get(key) ?? key
    const seeded = companies.get(slug)
    if (seeded !== undefined) return seeded ?? undefined
    if (isAbsent(slug) || slug === '') return undefined
    const index = companyIndex(slug)
    if (index !== undefined) return companyAt(index)
    if (/^\d+$/.test(slug)) return generated.byUnknownId(slug)
    remember(slugOfId, companyIdOf(slug), slug)
    return generated.bySlug(slug)
  }
  return {
    company,
    companyAt,
    ofKey: (key) => (typeof key === 'number' ? companyAt(key) : (company(key) ?? generated.bySlug(key))),
    add(def) {
      const slug = def.slug.toLowerCase()
      const index = companyIndex(slug)
      const made = withCompanySeed(index === undefined ? generated.bySlug(slug) : generated.at(index), def)
      companies.set(made.slug, def.exists === false ? null : made)
      slugOfId.set(made.id, made.slug)
      return { made, isGenerated: index !== undefined }
    },
    clear() {
      for (const map of [companies, slugOfId]) map.clear()
    },
  }
}
