import { createCompanies, companyIndex, companyIdOf, COMPANY_COUNT, type Company } from './companies.ts'
import { looksLikeMemberId, memberIdOfHandle, readMemberId } from './member-id.ts'
import { createPeople, PERSON_COUNT, type Person } from './people.ts'
import type { ActorRef } from './posts.ts'
import type { CompanySeed, PersonSeed } from './seed-schemas.ts'
import { withCompanySeed, withPersonSeed } from './seeded-people.ts'

/** Whoever engages: a member or a page. */
export type Actor = { kind: 'person'; person: Person } | { kind: 'company'; company: Company }

/** The members and pages of the world, generated and seeded. */
export type Directory = {
  person(handleOrId: string): Person | undefined
  company(slugOrId: string): Company | undefined
  personAt(index: number): Person
  companyAt(index: number): Company
  actor(ref: ActorRef): Actor
  seedPerson(seed: PersonSeed): Person
  seedCompany(seed: CompanySeed): Company
  clear(): void
}

const REMEMBERED = 50_000

/** Makes the directory of a seed. */
export function createDirectory(seed: string): Directory {
  const people = new Map<string, Person | null>()
  const handleOfId = new Map<string, string>()
  const companies = new Map<string, Company | null>()
  const slugOfId = new Map<string, string>()
  const madeCompanies = createCompanies(seed)
  const companyAt = (index: number): Company => {
    const made = madeCompanies.at(index % COMPANY_COUNT)
    return companies.get(made.slug) ?? made
  }
  let madePeople = createPeople(seed, companyAt)

  const generatedPerson = (handle: string): Person => {
    const index = madePeople.indexOfHandle(handle)
    return index === undefined ? madePeople.ofHandle(handle) : madePeople.at(index)
  }
  const byHandle = (text: string): Person | undefined => {
    const handle = text.toLowerCase()
    const seeded = people.get(handle)
    if (seeded !== undefined) return seeded ?? undefined
    if (isAbsent(handle) || handle === '') return undefined
    const person = generatedPerson(handle)
    if (handle.length > 30 || !/^[-0-9a-z_]+$/.test(handle)) remember(handleOfId, person.id, handle)
    return person
  }
  const byMemberId = (id: string): Person | undefined => {
    const handle = handleOfId.get(id)
    if (handle !== undefined) return byHandle(handle)
    const content = readMemberId(id)
    if (content && 'index' in content && content.index < PERSON_COUNT)
      return byHandle(madePeople.at(content.index).handle)
    if (content && 'handle' in content) return byHandle(content.handle)
    return madePeople.ofForeignId(id)
  }
  const person = (text: string): Person | undefined =>
    looksLikeMemberId(text) || handleOfId.has(text) ? byMemberId(text) : byHandle(text)
  const company = (text: string): Company | undefined => {
    const key = text.toLowerCase()
    const slug = slugOfId.get(key) ?? key
    const seeded = companies.get(slug)
    if (seeded !== undefined) return seeded ?? undefined
    if (isAbsent(slug) || slug === '') return undefined
    const index = companyIndex(slug)
    if (index !== undefined) return companyAt(index)
    if (/^\d+$/.test(slug)) return madeCompanies.byUnknownId(slug)
    remember(slugOfId, companyIdOf(slug), slug)
    return madeCompanies.bySlug(slug)
  }
  const personAt = (index: number): Person => {
    const made = madePeople.at(index)
    return people.get(made.handle) ?? made
  }

  return {
    person,
    company,
    personAt,
    companyAt,
    actor(ref) {
      if (ref.kind === 'company')
        return {
          kind: 'company',
          company:
            typeof ref.key === 'number' ? companyAt(ref.key) : (company(ref.key) ?? madeCompanies.bySlug(ref.key)),
        }
      return {
        kind: 'person',
        person:
          typeof ref.key === 'number'
            ? personAt(ref.key)
            : (person(ref.key) ?? madePeople.ofHandle(ref.key.toLowerCase())),
      }
    },
    seedPerson(def) {
      const handle = looksLikeMemberId(def.handle)
        ? (person(def.handle)?.handle ?? def.handle)
        : def.handle.toLowerCase()
      const made = withPersonSeed(generatedPerson(handle), def, company)
      people.set(handle, def.exists === false ? null : made)
      handleOfId.set(made.id, handle)
      handleOfId.set(memberIdOfHandle(handle), handle)
      return made
    },
    seedCompany(def) {
      const slug = def.slug.toLowerCase()
      const index = companyIndex(slug)
      const made = withCompanySeed(index === undefined ? madeCompanies.bySlug(slug) : madeCompanies.at(index), def)
      companies.set(made.slug, def.exists === false ? null : made)
      slugOfId.set(made.id, made.slug)
      if (index !== undefined) madePeople = createPeople(seed, companyAt)
      return made
    },
    clear() {
      for (const map of [people, handleOfId, companies, slugOfId]) map.clear()
      madePeople = createPeople(seed, companyAt)
    },
  }
}

function isAbsent(name: string): boolean {
  return name.startsWith('nobody-') || name.startsWith('missing-')
}

function remember(map: Map<string, string>, key: string, value: string): void {
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value as string)
}
