import type { Company } from './companies.ts'
import { knownCompanies } from './known-companies.ts'
import { knownPeople } from './known-people.ts'
import type { Person } from './people.ts'
import type { ActorRef } from './posts.ts'
import type { CompanySeed, PersonSeed } from './seed-schemas.ts'

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

/** Makes the directory of a seed. */
export function createDirectory(seed: string): Directory {
  const companies = knownCompanies(seed)
  const people = knownPeople(seed, companies)
  return {
    person: people.person,
    company: companies.company,
    personAt: people.personAt,
    companyAt: companies.companyAt,
    actor: (ref) =>
      ref.kind === 'company'
        ? { kind: 'company', company: companies.ofKey(ref.key) }
        : { kind: 'person', person: people.ofKey(ref.key) },
    seedPerson: people.add,
    seedCompany(def) {
      const { made, isGenerated } = companies.add(def)
      if (isGenerated) people.regenerate()
      return made
    },
    clear() {
      companies.clear()
      people.clear()
    },
  }
}
