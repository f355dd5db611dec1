import { doNotContact, foldAsked, optOutReasons } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { likeText } from '../../../platform/db/like-text.ts'
import { queryAll, queryOne, queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { discoverLeads, type Page } from '../list.ts'
import { isExcluded, verdictColumns, verdictOf, type VerdictColumns } from './verdict.ts'
import { isNetworkId, type ReadEntry } from './values.ts'

/** Where an entry came from. */
export type ExclusionOrigin = 'api' | 'dashboard' | 'csv' | 'destination' | 'result'

/** Entries to store, their list, and who adds them. */
type NewEntries = {
  readonly teamId: string
  readonly list: string
  readonly origin: ExclusionOrigin
  readonly createdBy: string
  readonly entries: readonly ReadEntry[]
  /** Ids of entries to delete where one of `entries` is the same person, company or value. */
  readonly replaces?: readonly string[] | undefined
}

/** A stored entry, with the one of the names asked for that it has. */
type Listed = { readonly id: string; readonly kind: string; readonly name: string; readonly key: string }

/** Stored entries that have a name of these as their key, or, for people and companies, as the value they were entered with. */
export async function listExisting(
  db: Reader,
  teamId: string,
  entries: readonly Pick<ReadEntry, 'kind' | 'names'>[],
): Promise<Listed[]> {
  const named = entries.flatMap(({ kind, names }) => names.map((name) => ({ kind, name })))
  const asked = sql`unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ name }) => name)}::text[]) as asked (kind, name)`
  return queryAll<Listed>(db)`
    select e.id, e.kind, asked.name, e.key from ${asked}
    join exclusion e on e.team_id = ${teamId} and e.kind = asked.kind and e.key = asked.name
    union select e.id, e.kind, asked.name, e.key from ${asked}
    join exclusion e on e.team_id = ${teamId} and e.kind = asked.kind and e.value = asked.name
      and e.kind in ('person', 'company')`
}

/** Whether a stored entry is one of `entries`; not when they share a handle or slug but have different network ids. */
function isSameEntry(entries: readonly ReadEntry[]): (listed: Listed) => boolean {
  const all = entries.flatMap(({ kind, names }) => names.map((name) => [`${kind} ${name}`, names] as const))
  const namesOf: ReadonlyMap<string, readonly string[]> = new Map(all)
  return ({ kind, name, key }) => {
    const names = namesOf.get(`${kind} ${name}`) ?? []
    return names.includes(key) || !isNetworkId(kind, key) || !names.some((own) => isNetworkId(kind, own))
  }
}

/**
 * Stores entries that are on no list yet; returns how many are new. A replacing entry takes over the replaced ones' network ids,
 * each as an entry, in the same unit of work, so that their people stay excluded throughout. If another person's entry has the
 * same value (a handle that changed hands), the new entry's value is its network id.
 */
export async function insertEntries(
  tx: Tx,
  { teamId, list, origin, createdBy, entries, replaces = [] }: NewEntries,
): Promise<number> {
  const named = await listExisting(tx.db, teamId, entries)
  const isOwn = isSameEntry(entries)
  const there = named.filter(isOwn)
  const ofOthers = new Set(named.filter((one) => !isOwn(one)).map(({ kind, name }) => `${kind} ${name}`))
  const staying = there.filter(({ id }) => !replaces.includes(id))
  const givingWay = Map.groupBy(
    there.filter(({ id }) => replaces.includes(id)),
    ({ kind, name }) => `${kind} ${name}`,
  )
  const listed = new Set(staying.map(({ kind, name }) => `${kind} ${name}`))
  const fresh = entries.flatMap((entry) => {
    const all = [entry.key, ...entry.names].map((name) => `${entry.kind} ${name}`)
    if (all.some((name) => listed.has(name))) return []
    for (const name of all) listed.add(name)
    const replaced = all.flatMap((name) => givingWay.get(name) ?? [])
    const ids = new Set(replaced.map((other) => other.key).filter((key) => isNetworkId(entry.kind, key)))
    const isTaken = ofOthers.has(`${entry.kind} ${entry.value}`)
    return (ids.size > 0 ? [...ids] : [entry.key]).map((key) => ({
      ...entry,
      key,
      value: isTaken ? key : entry.value,
      replaced: replaced.map(({ id }) => id),
    }))
  })
  if (fresh.length === 0) return 0
  const gone = fresh.flatMap(({ replaced }) => replaced)
  if (gone.length > 0)
    await sql`delete from exclusion where team_id = ${teamId} and id = any(${gone}::uuid[])`.execute(tx.db)
  // In key order, so that units that add the same entries do not deadlock.
  const rows = fresh
    .toSorted((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1))
    .map(({ kind, key, value, reason }) => ({ id: tx.newId(), kind, key, value, reason }))
  const { numAffectedRows } = await sql`
    insert into exclusion (team_id, id, kind, key, value, list, reason, origin, created_by, created_at)
    select ${teamId}, id, kind, key, value, ${list}, reason, ${origin}, ${createdBy}, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, kind text, key text, value text, reason text)
    on conflict do nothing`.execute(tx.db)
  tx.judgeAgain()
  const replacing = fresh.filter(({ replaced }) => replaced.length > 0).length
  return Math.max(0, Number(numAffectedRows ?? 0) - replacing)
}

const fewEntries = 100

/**
 * Analyzes the table after a call that added many entries. Autovacuum takes up to a minute, and until then statements planned for
 * few entries walk all of them for every row of a list. The entries are committed, so a failure here is ignored.
 */
export async function renewStatistics(db: Reader, added: number): Promise<void> {
  if (added < fewEntries) return
  try {
    const { rows } = await sql<{ known: number }>`
      select reltuples::double precision as known from pg_class where oid = 'exclusion'::regclass`.execute(db)
    if (added * 4 > rows[0]!.known) await sql`analyze exclusion`.execute(db)
  } catch {
    // Autovacuum does it later.
  }
}

/**
 * Stores opt-outs. Existing entries of these people keep their names and move to the opt-out list, with the given reason and a
 * new id, so that a client that removes another list's entries by the ids it has read removes none of them. Returns how many are
 * new or have moved.
 */
export async function addOptOuts(
  tx: Tx,
  { teamId, origin, createdBy, entries }: Omit<NewEntries, 'list' | 'replaces'>,
): Promise<number> {
  // Waits for units that are removing these entries; the insertion below waits for units that add them to another list.
  const before = (await listExisting(tx.db, teamId, entries)).map(({ id }) => id)
  await sql`select 1 from exclusion where team_id = ${teamId} and id = any(${before}::uuid[]) order by id for update`.execute(
    tx.db,
  )
  const added = await insertEntries(tx, { teamId, list: doNotContact, origin, createdBy, entries })
  const reasonOf = new Map(entries.flatMap(({ names, reason }) => names.map((name) => [name, reason])))
  const listed = (await listExisting(tx.db, teamId, entries)).filter(isSameEntry(entries)).map(({ id, name }) => ({
    id,
    newId: tx.newId(),
    reason: reasonOf.get(name),
  }))
  const { numAffectedRows } = await sql`
    update exclusion e set id = m."newId", list = ${doNotContact}, reason = m.reason, origin = ${origin}, created_by = ${createdBy},
      created_at = ${tx.now}
    from (select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb)
      as l (id uuid, "newId" uuid, reason text) order by id) m
    where e.team_id = ${teamId} and e.id = m.id
      and (e.list <> ${doNotContact} or coalesce(e.reason, '') <> all(${[...optOutReasons]}::text[]))`.execute(tx.db)
  return added + Number(numAffectedRows ?? 0)
}

/** Network ids that have become known: of people, with a handle they have or had, and of company pages. */
type KnownById = {
  readonly people: readonly { readonly urn: string; readonly handle: string | null }[]
  readonly companyUrns: readonly string[]
}

/**
 * Rekeys entries that were added by handle or slug to the network's id that has become known, which later entries use at once.
 * They then survive a change of name, and the removal of another entry of the same person or page.
 */
export async function rekeyById(tx: Tx, teamId: string, { people, companyUrns }: KnownById): Promise<void> {
  const { rows } = await sql<{ id: string; key: string }>`
    with known as (
      select * from unnest(${people.map(({ urn }) => urn)}::text[], ${people.map(({ handle }) => handle)}::text[]) as k (urn, handle)),
    named as (
      select 'person' as kind, urn as key, handle as name from known
      union select 'person', urn, l.handle from (select distinct urn from known) each
        cross join lateral (select handle from lead where team_id = ${teamId} and person_urn = each.urn offset 0) l
      union select 'company', substring(urn from '[0-9]+$'), slug from company
        where urn = any(${[...new Set(companyUrns)]}::text[]))
    select distinct on (e.id) e.id, named.key
    from named join exclusion e on e.team_id = ${teamId} and e.kind = named.kind and e.key = named.name and e.key <> named.key
    where (select exists (select 1 from exclusion where team_id = ${teamId} and kind in ('person', 'company')))
      and not exists (select 1 from exclusion listed
        where listed.team_id = ${teamId} and listed.kind = e.kind and listed.key = named.key and listed.value = e.value)
    order by e.id, named.key`.execute(tx.db)
  if (rows.length > 0)
    await sql`
      update exclusion e set key = held.key
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ key }) => key)}::text[]) as held (id, key)
      where e.team_id = ${teamId} and e.id = held.id`.execute(tx.db)
}

/**
 * Rekeys entries of pages that are about to be stored under another slug. Teams share a page's record, so that another team may have
 * met a page that is listed here by its slug alone. Call before `saveCompanies`.
 */
export async function holdRenamedPages(
  tx: Tx,
  pages: readonly { readonly urn: string; readonly slug: string }[],
): Promise<void> {
  const { rows } = await sql<{ slug: string; key: string }>`
    select c.slug, substring(c.urn from '[0-9]+$') as key
    from unnest(${pages.map(({ urn }) => urn)}::text[], ${pages.map(({ slug }) => slug)}::text[]) as p (urn, slug)
    join company c on c.urn = p.urn where c.slug <> p.slug`.execute(tx.db)
  if (rows.length > 0)
    await sql`
      update exclusion e set key = held.key
      from unnest(${rows.map(({ slug }) => slug)}::text[], ${rows.map(({ key }) => key)}::text[]) as held (slug, key)
      where e.kind = 'company' and e.key = held.slug and not exists (select 1 from exclusion listed
        where listed.team_id = e.team_id and listed.kind = e.kind and listed.key = held.key and listed.value = e.value)`.execute(
      tx.db,
    )
}

/**
 * Lists each of the member ids that share a handle, before one of them takes another handle and nothing links them any more. The entry
 * that is there stays: the ids may be two people, the later of whom has taken the handle over.
 */
export async function holdSharedHandles(
  tx: Tx,
  teamId: string,
  people: readonly { readonly urn: string; readonly handle: string }[],
): Promise<void> {
  const { rows } = await sql<{ entryId: string; urn: string }>`
    select distinct on (same.urn) x.id as "entryId", same.urn
    from unnest(${people.map(({ urn }) => urn)}::text[], ${people.map(({ handle }) => handle)}::text[]) as r (urn, handle)
    join person listed on listed.team_id = ${teamId} and listed.handle = r.handle
    join exclusion x on x.team_id = ${teamId} and x.kind = 'person' and x.key = listed.urn
    join person same on same.team_id = ${teamId} and same.handle = r.handle and (same.urn = r.urn or x.value <> r.handle)
    where not exists (select 1 from exclusion own
      where own.team_id = ${teamId} and own.kind = 'person' and own.key = same.urn)
    order by same.urn, x.created_at, x.id`.execute(tx.db)
  if (rows.length > 0)
    await sql`
      insert into exclusion (team_id, id, kind, key, value, list, reason, origin, created_by, created_at)
      select e.team_id, also.id, e.kind, also.urn, e.value, e.list, e.reason, e.origin, e.created_by, e.created_at
      from unnest(${rows.map(() => tx.newId())}::uuid[], ${rows.map(({ entryId }) => entryId)}::uuid[],
        ${rows.map(({ urn }) => urn)}::text[]) as also (id, entry_id, urn)
      join exclusion e on e.team_id = ${teamId} and e.id = also.entry_id
      on conflict do nothing`.execute(tx.db)
}

/** Undefined fields filter nothing; `query` is a part of the value or the reason. */
type EntryFilter = {
  readonly list?: string | undefined
  readonly kind?: string | undefined
  readonly query?: string | undefined
}

/** An entry as answers show it. */
export type EntryRow = {
  readonly id: string
  readonly kind: ReadEntry['kind']
  readonly value: string
  readonly list: string
  readonly reason: string | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly origin: ExclusionOrigin
}

const shown = sql`id, kind, value, list, reason, created_at as "createdAt", created_by as "createdBy", origin`

/** A page of entries, newest first, and the total. */
export async function listEntries(
  db: Reader,
  { teamId, filter, page }: { teamId: string; filter: EntryFilter; page: Page },
): Promise<{ rows: EntryRow[]; total: number }> {
  const text = filter.query === undefined ? '' : foldAsked(filter.query)
  const which = sql.join(
    [
      sql`team_id = ${teamId}`,
      ...(filter.list === undefined ? [] : [sql`list = ${filter.list.trim()}`]),
      ...(filter.kind === undefined ? [] : [sql`kind = ${filter.kind}`]),
      ...(text === ''
        ? []
        : [sql`(text_fold(value) like ${likeText(text)} or text_fold(reason) like ${likeText(text)})`]),
    ],
    sql` and `,
  )
  const { rows } = await sql<EntryRow>`
    select ${shown} from exclusion where ${which}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}`.execute(db)
  const total = (await queryValue<number>(db)`
    select count(*)::integer as total from exclusion where ${which}`)!
  return { rows, total }
}

/** The entry that has one of these names as its key, else as its value. */
export const findEntry = (
  db: Reader,
  teamId: string,
  { kind, names }: { kind: ReadEntry['kind']; names: readonly string[] },
) =>
  queryOne<EntryRow>(db)`
    select ${shown} from exclusion where team_id = ${teamId} and kind = ${kind}
      and (key = any(${[...names]}::text[]) or value = any(${[...names]}::text[]))
    order by key = any(${[...names]}::text[]) desc, created_at, id limit 1`

/** Deletes an entry; returns it with its key, or undefined when there is none. */
export const deleteEntry = (tx: Tx, teamId: string, id: string) =>
  queryOne<EntryRow & { key: string }>(tx.db)`
    delete from exclusion where team_id = ${teamId} and id = ${id} returning ${shown}, key`

/** What excludes people besides entries. */
export type ExclusionSettings = { readonly worksAtSource: boolean; readonly repliedElsewhere: boolean }

/** Settings to change; undefined ones stay. */
export type AskedSettings = { readonly [S in keyof ExclusionSettings]?: boolean | undefined }

/** Reads a team's settings, or the defaults. */
export const readSettings = async (db: Reader, teamId: string): Promise<ExclusionSettings> =>
  (await queryOne<ExclusionSettings>(db)`
    select works_at_source as "worksAtSource", replied_elsewhere as "repliedElsewhere"
    from exclusion_settings where team_id = ${teamId}`) ?? { worksAtSource: false, repliedElsewhere: true }

/** Saves the given settings; returns all. */
export async function saveSettings(
  tx: Tx,
  teamId: string,
  { worksAtSource, repliedElsewhere }: AskedSettings,
): Promise<ExclusionSettings> {
  await sql`
    insert into exclusion_settings as s (team_id, works_at_source, replied_elsewhere, changed_at)
    values (${teamId}, coalesce(${worksAtSource ?? null}::boolean, false), coalesce(${repliedElsewhere ?? null}::boolean, true),
      ${tx.now})
    on conflict (team_id) do update set changed_at = ${tx.now},
      works_at_source = coalesce(${worksAtSource ?? null}::boolean, s.works_at_source),
      replied_elsewhere = coalesce(${repliedElsewhere ?? null}::boolean, s.replied_elsewhere)`.execute(tx.db)
  tx.judgeAgain()
  return readSettings(tx.db, teamId)
}

/** The ids for which `which`, a condition on lead `l`, is true; `l` is null when the lead is gone. */
async function findLeads(
  db: Reader,
  { teamId, leadIds, which }: { teamId: string; leadIds: readonly string[]; which: RawBuilder<unknown> },
): Promise<ReadonlySet<string>> {
  if (leadIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${[...leadIds]}::uuid[]) as asked (id)
    left join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l on true
    where ${which}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The ids of excluded leads among these. */
export const findExcluded = (db: Reader, teamId: string, leadIds: readonly string[]): Promise<ReadonlySet<string>> =>
  findLeads(db, { teamId, leadIds, which: sql`l.id is not null and ${isExcluded(teamId)}` })

/** The ids of leads that are excluded, or were deleted and so cannot be judged. Asked before people are sent to a platform. */
export const findExcludedOrGone = (
  db: Reader,
  teamId: string,
  leadIds: readonly string[],
): Promise<ReadonlySet<string>> => findLeads(db, { teamId, leadIds, which: sql`l.id is null or ${isExcluded(teamId)}` })

/** Verdicts by lead id. */
export async function readVerdicts(
  db: Reader,
  teamId: string,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, VerdictColumns>> {
  if (leadIds.length === 0) return new Map()
  const { rows } = await sql<VerdictColumns & { id: string }>`
    select l.id, ${verdictColumns} from unnest(${[...leadIds]}::uuid[]) as asked (id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l
    cross join ${verdictOf(teamId)}`.execute(db)
  return new Map(rows.map(({ id, ...verdict }) => [id, verdict]))
}

/** How many leads a team's sources and Discover runs have. */
export const countListed = async (db: Reader, teamId: string): Promise<number> =>
  (await queryValue<number>(db)`
    select (coalesce(sum(lead_rows), 0) + (${discoverLeads(teamId)}))::bigint as leads from source
    where team_id = ${teamId}`)!
