/** Whether people named by profile address, not by lead, are excluded: by what the caller says and the team knows of them. */
import {
  bareDomain,
  foldText,
  maxTitleWords,
  normalizeCompany,
  readExclusionValue,
  readPersonName,
  titleWords,
} from '@les/contract'
import { sql } from 'kysely'
import { countriesSaid } from '../../../platform/rules/locations.ts'
import { queryColumn } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { mailsSaid } from './mails.ts'
import { listCompanyNames, listPersonNames } from './values.ts'
import { isExcluded, personOf } from './verdict.ts'

/** A person by profile address, with free text the caller gives about them. */
type NamedContact = {
  readonly profileUrl: string
  readonly jobTitle?: string | null | undefined
  readonly company?: string | null | undefined
  readonly country?: string | null | undefined
  readonly email?: string | null | undefined
}

type Key = { readonly place: number; readonly kind: string; readonly key: string }

const keyed = (kind: string, texts: readonly (string | null)[], place: number): Key[] =>
  texts.flatMap((key) => (key === null || key === '' ? [] : [{ place, kind, key }]))

/** A host and every domain above it, except the top-level one. */
function domainsOf(host: string | null): string[] {
  const labels = host?.split('.') ?? []
  return labels.slice(0, -1).map((_label, first) => labels.slice(first).join('.'))
}

/** The listed titles that a title contains as whole words. */
function listedIn(title: string | null | undefined, listed: ReadonlySet<string>): string[] {
  const words = listed.size === 0 ? [] : titleWords(title ?? '')
  return words.flatMap((_word, first) =>
    words
      .slice(first, first + maxTitleWords)
      .map((_last, more) => words.slice(first, first + more + 1).join(' '))
      .filter((run) => listed.has(run)),
  )
}

type Facts = {
  title: string | null
  country: string | null
  company: string | null
  slug: string | null
  domain: string | null
}

/** Facts from profiles by member id, of people who were looked up, the latest first. */
async function listFacts(db: Reader, teamId: string, names: readonly string[]): Promise<Map<string, Facts>> {
  const { rows } = await sql<Facts & { name: string }>`
    select asked.name, p.job_title as title, p.country_code as country, substring(p.company_urn from '[0-9]+$') as company,
      c.slug, c.domain
    from unnest(${[...names]}::text[]) as asked (name)
    cross join lateral (select asked.name as person_urn) l
    cross join lateral (${personOf(teamId)}) p
    left join company c on c.urn = p.company_urn where p.enriched_at is not null order by p.enriched_at desc`.execute(
    db,
  )
  return new Map(rows.map(({ name, ...facts }) => [name, facts]))
}

/** The `names` (member ids or handles) of people who have replied or were won; none if the team does not exclude such people. */
async function listAnswered(db: Reader, teamId: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const answered = await queryColumn<string>(db)`
    select asked.name from unnest(${[...names]}::text[]) as asked (name)
    where coalesce((select replied_elsewhere from exclusion_settings where team_id = ${teamId}), true)
      and (exists (select 1 from result where team_id = ${teamId} and person_urn = asked.name and outcome in ('replied', 'won'))
        or exists (select 1 from result where team_id = ${teamId} and handle = asked.name and outcome in ('replied', 'won')))`
  return new Set(answered)
}

/** What a company text may be on the network: a slug or number as it is, and the slug that a page of that name has. */
const slugsOf = (company: string): string[] => {
  const name = normalizeCompany(company)
  return name === '' ? [] : [...new Set([name, name.replace(/\s+/g, '-')])]
}

/** Domains of the companies that contacts name, from company pages and from leads of the team, by the place of the contact. */
async function listDomainsSaid(
  db: Reader,
  teamId: string,
  contacts: readonly NamedContact[],
): Promise<Map<number, string[]>> {
  const said = contacts.flatMap(({ company }, place) => (company ? [{ place, name: foldText(company).trim() }] : []))
  const slugs = contacts.flatMap(({ company }, place) => slugsOf(company ?? '').map((slug) => ({ place, slug })))
  const { rows } = await sql<{ place: number; domains: string[] }>`
    select place, array_agg(distinct domain) as domains from (
      select asked.place, c.domain
      from unnest(${slugs.map(({ place }) => place)}::integer[], ${slugs.map(({ slug }) => slug)}::text[]) as asked (place, slug)
      join company c on c.slug = asked.slug or c.urn = 'urn:li:company:' || asked.slug
      union all select asked.place, l.company_domain
      from unnest(${said.map(({ place }) => place)}::integer[], ${said.map(({ name }) => name)}::text[]) as asked (place, name)
      cross join lateral (select company_domain from lead
        where team_id = ${teamId} and company_name_key = hashtextextended(asked.name, 0) and company_name_key is not null
          and enrichment <> 'raw' limit 100) l) found
    where domain is not null group by place`.execute(db)
  return new Map(rows.map(({ place, domains }) => [place, domains]))
}

/** The places of contacts whose company has the name or the domain of a company on a list. */
async function listPlacesOfCompanies(
  db: Reader,
  teamId: string,
  contacts: readonly NamedContact[],
): Promise<readonly number[]> {
  const said = contacts.flatMap(({ company }, place) =>
    company ? [foldText(company).trim(), bareDomain(company) ?? []].flat().map((name) => ({ place, name })) : [],
  )
  if (said.length === 0) return []
  return queryColumn<number>(db)`
    select distinct asked.place
    from (select key from exclusion where team_id = ${teamId} and kind = 'company') e
    cross join lateral (select name, domain from company where slug = e.key
      union all select name, domain from company where urn = 'urn:li:company:' || e.key) c
    cross join lateral unnest(array[text_fold(c.name), c.domain]) as called
    join unnest(${said.map(({ place }) => place)}::integer[], ${said.map(({ name }) => name)}::text[]) as asked (place, name)
      on asked.name = called`
}

/** The places of contacts who are excluded by an entry or because they have replied or were won. */
export async function findExcludedContacts(
  db: Reader,
  teamId: string,
  contacts: readonly NamedContact[],
): Promise<ReadonlySet<number>> {
  const named = contacts.map(({ profileUrl }) => readPersonName(profileUrl))
  const aliases = await listPersonNames(
    db,
    teamId,
    named.flatMap((name) => name ?? []),
  )
  const namesOf = (place: number) => aliases.get(named[place] ?? '') ?? []
  const facts = await listFacts(db, teamId, [...aliases.values()].flat())
  // A handle is that of whoever was looked up last with it.
  const factsOf = (place: number): Facts | undefined =>
    facts.get(named[place] ?? '') ?? [...facts].find(([name]) => namesOf(place).includes(name))?.[1]
  const pages = await listCompanyNames(
    db,
    contacts.flatMap(({ company }) => slugsOf(company ?? '')),
  )
  const domainsSaid = await listDomainsSaid(db, teamId, contacts)
  const titles = new Set(
    await queryColumn<string>(db)`select key from exclusion where team_id = ${teamId} and kind = 'title'`,
  )
  const keys = contacts.flatMap(({ jobTitle, company, country, email }, place): Key[] => {
    const known = factsOf(place)
    // `jane+crm@acme.com` is the mailbox of `jane@acme.com`.
    const mails = mailsSaid(email ?? '').flatMap((mail) => [mail, `${mail.split(/[+@]/)[0]}@${mail.split('@').at(-1)}`])
    const addresses = mails.flatMap((mail) => {
      const read = readExclusionValue('email', mail)
      return 'key' in read ? read.key : []
    })
    const hosts = [
      ...addresses.map((address) => address.split('@').at(-1)!),
      bareDomain(company ?? '') ?? null,
      known?.domain ?? null,
      ...(domainsSaid.get(place) ?? []),
    ]
    const companies = slugsOf(company ?? '').flatMap((name) => [name, ...(pages.get(name) ?? [])])
    return [
      ...keyed('person', [named[place] ?? null, ...namesOf(place)], place),
      ...keyed('email', addresses, place),
      ...keyed('domain', hosts.flatMap(domainsOf), place),
      ...keyed('company', [...companies, known?.company ?? null, known?.slug ?? null], place),
      ...keyed(
        'title',
        [jobTitle, known?.title].flatMap((title) => listedIn(title, titles)),
        place,
      ),
      ...keyed('country', [...countriesSaid(country ?? ''), known?.country ?? null], place),
    ]
  })
  const answered = await listAnswered(db, teamId, [
    ...named.flatMap((name) => name ?? []),
    ...[...aliases.values()].flat(),
  ])
  const hasAnswered = (place: number) => [named[place] ?? '', ...namesOf(place)].some((name) => answered.has(name))
  const places = contacts.flatMap((_contact, place) => (hasAnswered(place) ? [place] : []))
  return new Set([
    ...places,
    ...(await listPlacesOfCompanies(db, teamId, contacts)),
    ...(await listPlacesOnLists(db, teamId, keys)),
  ])
}

/** The places of contacts whose leads are all excluded, for instance since they work at the source of each. */
export async function findExcludedByLeads(
  db: Reader,
  teamId: string,
  contacts: readonly Pick<NamedContact, 'profileUrl'>[],
): Promise<ReadonlySet<number>> {
  const named = contacts.map(({ profileUrl }) => readPersonName(profileUrl) ?? '')
  const aliases = await listPersonNames(db, teamId, named)
  const asked = named.flatMap((name, place) => (aliases.get(name) ?? []).map((alias) => ({ place, alias })))
  const { rows } = await sql<{ place: number }>`
    select asked.place
    from unnest(${asked.map(({ place }) => place)}::integer[], ${asked.map(({ alias }) => alias)}::text[]) as asked (place, alias)
    cross join lateral (select * from lead where team_id = ${teamId} and person_urn = asked.alias offset 0) l
    group by asked.place having bool_and(${isExcluded(teamId)})`.execute(db)
  return new Set(rows.map(({ place }) => place))
}

async function listPlacesOnLists(db: Reader, teamId: string, keys: readonly Key[]): Promise<number[]> {
  if (keys.length === 0) return []
  // An entry asked for by a handle or slug may be keyed by the network's id, and perhaps no row links the two.
  const named = keys.filter(({ kind }) => kind === 'person' || kind === 'company')
  return queryColumn<number>(db)`
    select distinct asked.place from unnest(${keys.map(({ place }) => place)}::integer[],
      ${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[]) as asked (place, kind, key)
    join exclusion e on e.team_id = ${teamId} and e.kind = asked.kind and e.key = asked.key
    union select asked.place from unnest(${named.map(({ place }) => place)}::integer[],
      ${named.map(({ kind }) => kind)}::text[], ${named.map(({ key }) => key)}::text[]) as asked (place, kind, name)
    join exclusion e on e.team_id = ${teamId} and e.kind = asked.kind and e.value = asked.name
      and e.kind in ('person', 'company')`
}
