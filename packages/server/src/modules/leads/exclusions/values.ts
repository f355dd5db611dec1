/** Reads entries and finds the keys they are stored and compared by, using what the team knows of people and companies. */
import { isMemberId, readCompanyNumber, readExclusionValue, type ExclusionKind } from '@les/contract'
import { sql } from 'kysely'
import { countryNamed } from '../../../platform/rules/countries.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { NamesErased } from '../../accounts/index.ts'

/** An entry as a request gives it. */
type AskedEntry = { readonly kind: string; readonly value: string; readonly reason?: string | null | undefined }

/** An entry that can be stored. `names`: all keys under which the same person or company may be listed already. */
export type ReadEntry = {
  readonly index: number
  readonly kind: ExclusionKind
  readonly value: string
  readonly key: string
  readonly names: readonly string[]
  readonly reason: string | null
}

/** An entry that cannot be stored, and why. */
export type InvalidEntry = { readonly index: number; readonly error: string }

function readOne({ kind, value, reason }: AskedEntry, index: number): ReadEntry | InvalidEntry {
  const read = readExclusionValue(kind, value)
  if ('error' in read) return { index, error: `${kindNamed(kind)} ${read.error}` }
  const code = kind === 'country' ? countryNamed(read.value) : null
  if (kind === 'country' && code === null)
    return { index, error: 'the country must be a whole name of a country, a usual short form or its code' }
  const key = code ?? read.key
  return { index, kind: kind as ExclusionKind, value: read.value, key, names: [key], reason: reason?.trim() || null }
}

/** How an error names a value: `kind` may be anything. */
const kindNamed = (kind: string): string => (/^[a-z]{1,20}$/.test(kind) ? `the ${kind}` : 'the entry')

/** All names of the people with these keys (handles or member ids), by key: member ids, last looked up first, then handles. */
export async function listPersonNames(
  db: Reader,
  teamId: string,
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ key: string; names: string[] }>`
    with asked as (select distinct key from unnest(${[...keys]}::text[]) as key),
      named as (
        select key, key as urn from asked
        union select key, p.urn from asked join person p on p.team_id = ${teamId} and p.handle = key
        union select key, l.person_urn from asked cross join lateral (
          select person_urn from lead where team_id = ${teamId} and handle = asked.key limit 100) l),
      people as (
        select * from named
        union select named.key, same.urn from named join person p on p.team_id = ${teamId} and p.urn = named.urn
          join person same on same.team_id = ${teamId} and same.handle = p.handle)
    select people.key, array_agg(people.urn order by p.enriched_at desc nulls last, people.urn)
      || coalesce(array_agg(distinct p.handle) filter (where p.handle is not null), '{}') as names
    from people left join person p on p.team_id = ${teamId} and p.urn = people.urn group by people.key`.execute(db)
  return new Map(rows.map(({ key, names }) => [key, names]))
}

/** All slugs and numbers of the company pages with these keys (slugs or numbers), by key; pages looked up last come first. */
export async function listCompanyNames(db: Reader, keys: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ key: string; names: string[] }>`
    select asked.key, array_agg(alias order by c.fetched_at desc) as names
    from (select distinct key from unnest(${[...keys]}::text[]) as key) asked
    join company c on c.slug = asked.key or c.urn = 'urn:li:company:' || asked.key
    cross join lateral unnest(array[c.slug, substring(c.urn from '[0-9]+$')]) as alias
    where alias is not null group by asked.key`.execute(db)
  return new Map(rows.map(({ key, names }) => [key, names]))
}

/** Whether a name is the network's own id of a person or company, which stays when handle or slug change. */
export const isNetworkId = (kind: string, name: string): boolean =>
  (kind === 'person' && isMemberId(name)) || (kind === 'company' && readCompanyNumber(name) !== null)

type ReadEntries = { readonly valid: readonly ReadEntry[]; readonly invalid: readonly InvalidEntry[] }

/** Reads entries. People and companies are keyed by the network's id where known, so that a new name changes nothing. */
export async function readEntries(db: Reader, teamId: string, asked: readonly AskedEntry[]): Promise<ReadEntries> {
  const read = asked.map(readOne)
  const invalid = read.filter((one) => 'error' in one)
  const valid = read.filter((one): one is ReadEntry => !('error' in one))
  const keysOf = (kind: ExclusionKind) => valid.flatMap((one) => (one.kind === kind ? [one.key] : []))
  const [people, companies] = [keysOf('person'), keysOf('company')]
  const known = {
    person: people.length === 0 ? new Map<string, string[]>() : await listPersonNames(db, teamId, people),
    company: companies.length === 0 ? new Map<string, string[]>() : await listCompanyNames(db, companies),
  }
  return {
    invalid,
    valid: valid.map((one) => {
      if (one.kind !== 'person' && one.kind !== 'company') return one
      const names = [one.key, ...(known[one.kind].get(one.key) ?? []).filter((name) => name !== one.key)]
      return { ...one, names, key: names.find((name) => isNetworkId(one.kind, name)) ?? one.key }
    }),
  }
}

/** A person by member id, handle or both, and why they are listed. */
export type ListedPerson = { readonly urn: string | null; readonly handle: string | null; readonly reason: string }

/** Entries of people: keyed by the member id where known, with the handle as value, which also matches their other ids. */
export async function entriesOfPeople(
  db: Reader,
  teamId: string,
  people: readonly ListedPerson[],
): Promise<readonly ReadEntry[]> {
  const givenOf = ({ urn, handle }: ListedPerson) => [urn, handle].flatMap((name) => name ?? [])
  const known = await listPersonNames(db, teamId, people.flatMap(givenOf))
  return people.map((person, index): ReadEntry => {
    const given = givenOf(person)
    const names = [...new Set([...given, ...given.flatMap((name) => known.get(name) ?? [])])]
    const key = names.find((name) => isNetworkId('person', name)) ?? names[0]!
    return { index, kind: 'person', value: person.handle ?? key, key, names, reason: person.reason }
  })
}

/** Makes entries of erased people invalid (they stay blocked without one), and removes reasons that name an erased person. */
export async function withoutErased(
  db: Reader,
  {
    teamId,
    namesErased,
    read: { valid, invalid },
  }: { readonly teamId: string; readonly namesErased: NamesErased; readonly read: ReadEntries },
): Promise<ReadEntries> {
  const isPerson = ({ kind }: ReadEntry) => kind === 'person' || kind === 'email'
  const erased = await namesErased(
    db,
    valid.flatMap((one) => [
      { teamId, value: isPerson(one) ? [one.value, ...one.names] : null },
      { teamId, value: one.reason },
    ]),
  )
  const left = valid.map((one, place) => (erased[2 * place + 1] ? { ...one, reason: null } : one))
  const error = 'the team has had this person erased: they are kept out already, and nothing of them is stored'
  return {
    valid: left.filter((_one, place) => !erased[2 * place]),
    invalid: [...invalid, ...valid.flatMap(({ index }, place) => (erased[2 * place] ? [{ index, error }] : []))].sort(
      (a, b) => a.index - b.index,
    ),
  }
}
