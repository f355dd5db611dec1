import type { KnownCompanies } from './known-companies.ts'
import { isAbsent, remember } from './known-names.ts'
import { looksLikeMemberId, memberIdOfHandle, readMemberId, type MemberIdContent } from './member-id.ts'
import { createPeople, PERSON_COUNT, type Person } from './people.ts'
import type { PersonSeed } from './seed-schemas.ts'
import { withPersonSeed } from './seeded-people.ts'

/** The members of the world, generated and seeded. */
export type KnownPeople = {
  person(handleOrId: string): Person | undefined
  personAt(index: number): Person
  /** The member that an actor is named by: by their place or their name; made when nobody has that name. */
  ofKey(key: string | number): Person
  add(seed: PersonSeed): Person
  /** Generates members anew: pages that they work at have changed. */
  regenerate(): void
  clear(): void
}

/** A handle that cannot be read out of its member's id, so that it has to be remembered. */
const isUnreadable = (handle: string): boolean => handle.length > 30 || !/^[-0-9a-z_]+$/.test(handle)

/** Makes the members of a seed, who work at its companies. */
export function knownPeople(seed: string, { company, companyAt }: KnownCompanies): KnownPeople {
  const people = new Map<string, Person | null>()
  const handleOfId = new Map<string, string>()
  let generated = createPeople(seed, companyAt)
  const regenerate = () => {
    generated = createPeople(seed, companyAt)
  }
  const generatedPerson = (handle: string): Person => {
    const index = generated.indexOfHandle(handle)
    return index === undefined ? generated.ofHandle(handle) : generated.at(index)
  }
  const byHandle = (text: string): Person | undefined => {
    const handle = text.toLowerCase()
    const seeded = people.get(handle)
    if (seeded !== undefined) return seeded ?? undefined
    if (isAbsent(handle) || handle === '') return undefined
    const person = generatedPerson(handle)
    if (isUnreadable(handle)) remember(handleOfId, person.id, handle)
    return person
  }
  const byMemberId = (id: string): Person | undefined => {
    const handle = handleOfId.get(id)
    if (handle !== undefined) return byHandle(handle)
    const content: MemberIdContent = readMemberId(id) ?? { hashed: true }
    if ('index' in content && content.index < PERSON_COUNT) return byHandle(generated.at(content.index).handle)
    return 'handle' in content ? byHandle(content.handle) : generated.ofForeignId(id)
  }
  const person = (text: string): Person | undefined =>
    looksLikeMemberId(text) || handleOfId.has(text) ? byMemberId(text) : byHandle(text)
  const personAt = (index: number): Person => {
    const made = generated.at(index)
    return people.get(made.handle) ?? made
  }
  const add = (def: PersonSeed): Person => {
    const handle = looksLikeMemberId(def.handle) ? (person(def.handle)?.handle ?? def.handle) : def.handle.toLowerCase()
    const made = withPersonSeed(generatedPerson(handle), def, company)
    people.set(handle, def.exists === false ? null : made)
    handleOfId.set(made.id, handle)
    handleOfId.set(memberIdOfHandle(handle), handle)
    return made
  }
  return {
    person,
    personAt,
    ofKey: (key) => (typeof key === 'number' ? personAt(key) : (person(key) ?? generated.ofHandle(key.toLowerCase()))),
    add,
    regenerate,
    clear() {
      for (const map of [people, handleOfId]) map.clear()
      regenerate()
    },
  }
}
