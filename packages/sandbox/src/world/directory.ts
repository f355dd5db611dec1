import { readActivityId } from './activity-id.ts'
import { COMPANY_COUNT, createCompanies, type Company } from './companies.ts'
import { createPeople, PERSON_COUNT, type Person } from './people.ts'
import { codeOf, hasPublished, type ActorRef, type Author } from './posts.ts'
import { hash32 } from './random.ts'
import type { ActorSeed, CompanySeed } from './seed-schemas.ts'

export type Actor = { kind: 'person'; person: Person } | { kind: 'company'; company: Company }

export type Directory = ReturnType<typeof createDirectory>

export function createDirectory(seed: string) {
  const companies = createCompanies(seed)
  const people = createPeople(seed, companies)
  return {
    person: people.person,
    company: companies.company,
    personAt: people.personAt,
    companyAt: companies.companyAt,
    actor: (ref: ActorRef): Actor =>
      ref.kind === 'company'
        ? { kind: 'company', company: companies.ofKey(ref.key) }
        : { kind: 'person', person: people.ofKey(ref.key) },
    seedPerson: people.add,
    seedCompany(def: CompanySeed): Company {
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

/** Authors by name and by the number of a post. */
export type Authors = ReturnType<typeof createAuthors>

const REMEMBERED = 20_000

/** `onNewAuthor` is called for authors with ambiguous codes in post numbers: their posts are found only while they are known. */
export function createAuthors(
  seed: string,
  directory: Directory,
  onNewAuthor: (author: ActorSeed) => void = () => undefined,
) {
  const byCode = new Map<string, Map<string, Author>>()
  const remember = (author: Author): void => {
    const code = codeOf(author)
    if (code.exact) return
    const sameCode = byCode.get(`${code.kind}:${code.tag}`) ?? new Map<string, Author>()
    if (!sameCode.has(author.id)) onNewAuthor(author.kind === 'person' ? author.handle : { company: author.handle })
    byCode.set(`${code.kind}:${code.tag}`, sameCode.set(author.id, author))
    if (byCode.size > REMEMBERED) byCode.delete(byCode.keys().next().value as string)
  }
  const of = (ref: ActorSeed): Author | undefined => {
    const found = typeof ref === 'string' ? directory.person(ref) : directory.company(ref.company)
    if (!found) return undefined
    const author: Author =
      'slug' in found
        ? { kind: 'company', id: found.id, handle: found.slug }
        : { kind: 'person', id: found.id, handle: found.handle }
    remember(author)
    return author
  }
  const numbered = (kind: Author['kind'], number: number): Author | undefined =>
    kind === 'person'
      ? of(directory.personAt(number % PERSON_COUNT).handle)
      : of({ company: directory.companyAt(number % COMPANY_COUNT).slug })
  return {
    of,
    /** The author of a post number, or one who may be; known authors are tried first. */
    ofPost(id: string): Author | undefined {
      const { code } = readActivityId(id)
      if (code.exact && code.tag < (code.kind === 'person' ? PERSON_COUNT : COMPANY_COUNT))
        return numbered(code.kind, code.tag)
      for (const author of byCode.get(`${code.kind}:${code.tag}`)?.values() ?? [])
        if (hasPublished(seed, author, id)) return author
      return numbered(code.kind, hash32(String(code.tag), 71))
    },
    clear: () => byCode.clear(),
  }
}
