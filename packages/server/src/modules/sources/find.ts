/** Finds and locks sources: one per person (handle or member id) and per company page (slug or number) (G146, G153). */
import { companyUrnNamed, foldCase, isMemberId, readCompanyNumber } from '@les/contract'
import { sql } from 'kysely'
import { isOfTeamHere } from '../../platform/db/shards.ts'
import { queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { labelJoins, labelOfSource } from '../leads/index.ts'
import { findCompanies, findCompanyBySlug, findPerson, findPersonByHandle } from '../network/index.ts'
import { toSource, type Source, type SourceName, type SourceOfTeam, type SourceRow } from './source.ts'

type Kind = 'person' | 'company'

/** What identifies a source, unique per team over all kinds. Only member ids are case-sensitive. */
export const identityOf = (username: string): Buffer => sha256(isMemberId(username) ? username : foldCase(username))

/** The name that never changes: a person's member id, a company page's number. */
export const lastingName = (networkUrn: string): string => readCompanyNumber(networkUrn) ?? networkUrn

/** The network's own id, when the name is one; null for a handle or slug. */
export function networkUrnNamed(type: Kind, username: string): string | null {
  if (type === 'company') return companyUrnNamed(username)
  return isMemberId(username) ? username : null
}

const sourcesOf = (db: Reader, teamId: string) =>
  db.selectFrom('source').selectAll('source').where('team_id', '=', teamId)

type SourceQuery = ReturnType<typeof sourcesOf>

async function first(query: SourceQuery | null): Promise<Source | undefined> {
  const row: SourceRow | undefined = await query?.executeTakeFirst()
  return row && toSource(row)
}

async function knownNames(
  db: Reader,
  { teamId, type, username }: { teamId: string; type: Kind; username: string },
): Promise<{ urn: string | null; name: string | null }> {
  const urn = networkUrnNamed(type, username)
  if (type === 'company')
    return urn === null
      ? { urn: (await findCompanyBySlug(db, username))?.urn ?? null, name: username }
      : { urn, name: (await findCompanies(db, [urn])).get(urn)?.slug ?? null }
  return urn === null
    ? { urn: (await findPersonByHandle(db, teamId, username))?.urn ?? null, name: username }
    : { urn, name: (await findPerson(db, teamId, urn))?.handle ?? null }
}

/** Tracked under that exact name; else another of the same person or page, tracked first; else untracked under that name. */
async function findIdByName(
  db: Reader,
  { teamId, type, username }: { teamId: string; type: Kind; username: string },
): Promise<string | undefined> {
  const ofKind = sourcesOf(db, teamId).where('type', '=', type)
  const exact = await first(ofKind.where('identity', '=', identityOf(username)))
  if (exact?.status === 'active') return exact.id
  const { urn, name } = await knownNames(db, { teamId, type, username })
  const urns = [...new Set([urn, exact?.networkUrn ?? null])].filter((each) => each !== null)
  if (urns.length === 0) return exact?.id
  const identities = [username, name, ...urns.map(lastingName)].filter((each) => each !== null).map(identityOf)
  const same = await first(
    ofKind
      // Leaves out a source known to be another's, even under this name: handles are given up and reused.
      .where((is) =>
        is.or([
          is('network_urn', 'in', urns),
          is.and([is('network_urn', 'is', null), is('identity', 'in', identities)]),
        ]),
      )
      .orderBy('status')
      .orderBy('created_at')
      .orderBy('id'),
  )
  return exact && same?.status !== 'active' ? exact.id : same?.id
}

async function named(db: Reader, teamId: string, name: SourceName): Promise<SourceQuery | null> {
  const base = sourcesOf(db, teamId)
  if ('id' in name) {
    if (name.id === null) return null
    const byId = base.where('id', '=', name.id)
    return name.type === undefined ? byId : byId.where('type', '=', name.type)
  }
  const { type, username } = name
  const id = type === 'post' ? undefined : await findIdByName(db, { teamId, type, username })
  return id === undefined
    ? base.where('identity', '=', identityOf(username)).where('type', '=', type)
    : base.where('id', '=', id)
}

const ifActive = (found: Source | undefined): Source | undefined => (found?.status === 'active' ? found : undefined)

/** A keyword search is served even when deleted, however the request names it (C3). */
const ifServed = (found: Source | undefined): Source | undefined =>
  found?.status === 'active' || found?.type === 'keyword' ? found : undefined

/** Finds a source, tracked or not. */
export const findSource = async (db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> =>
  first(await named(db, teamId, name))

/** Finds and locks a source; weakly, because the claim of a run checks its key while the run is locked. */
export async function lockSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  return first((await named(tx.db, teamId, name))?.forNoKeyUpdate() ?? null)
}

/** Finds a tracked source. */
export const findActiveSource = async (db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> =>
  ifActive(await findSource(db, teamId, name))

/** Finds and locks a tracked source. */
export const lockActiveSource = async (tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> =>
  ifActive(await lockSource(tx, teamId, name))

/** Finds a source whose webhook, criteria and pushes can be used. */
export const findServedSource = async (db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> =>
  ifServed(await findSource(db, teamId, name))

/** Like `findServedSource`, and locks it. */
export const lockServedSource = async (tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> =>
  ifServed(await lockSource(tx, teamId, name))

/** Refuses an untracked name before the caller waits for the team's lock. */
export async function mustBeTracked(db: Reader, teamId: string, name: SourceName): Promise<void> {
  if (!(await findActiveSource(db, teamId, name))) refuse('not_tracked')
}

/** Finds the source with an identity, of any kind, tracked or not. */
export const findByIdentity = (db: Reader, teamId: string, identity: Buffer): Promise<Source | undefined> =>
  first(sourcesOf(db, teamId).where('identity', '=', identity))

/** Finds and locks the source with an identifier, of any kind; a keyword search has its own `identity`. */
export const lockSourceByIdentity = (
  tx: Tx,
  teamId: string,
  { username, identity = identityOf(username) }: { username: string; identity?: Buffer | undefined },
): Promise<Source | undefined> => first(sourcesOf(tx.db, teamId).where('identity', '=', identity).forNoKeyUpdate())

/** Tracked sources of one company page, oldest first. */
export async function listPagesNamed(db: Reader, teamId: string, networkUrn: string): Promise<Source[]> {
  const pages = sourcesOf(db, teamId)
    .where('type', '=', 'company')
    .where('network_urn', '=', networkUrn)
    .where('status', '=', 'active')
  return (await pages.orderBy('created_at').orderBy('id').execute()).map(toSource)
}

/** True when a team tracks, or has tracked, a company page. */
export const tracksCompanies = async (db: Reader, teamId: string): Promise<boolean> =>
  (await first(sourcesOf(db, teamId).where('type', '=', 'company').limit(1))) !== undefined

/** A team's sources, newest first. */
export async function listSources(
  db: Reader,
  teamId: string,
  filter: { type?: Source['type'] | undefined; includeInactive: boolean },
): Promise<Source[]> {
  let query = sourcesOf(db, teamId)
  if (filter.type) query = query.where('type', '=', filter.type)
  if (!filter.includeInactive) query = query.where('status', '=', 'active')
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(toSource)
}

/** The account that pays for a source's captures; read before any lock, because the account is locked first. */
export const findPayer = async (db: Reader, { teamId, id }: SourceOfTeam): Promise<Source['paysFrom']> =>
  (await findSource(db, teamId, { id }))?.paysFrom ?? 'team'

/** Locks sources in id order; must come before changes of their leads. */
export async function lockSources(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    select 1 from source where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) order by id
    for no key update`.execute(tx.db)
}

/** Kind and label of sources, by id; untracked ones are included. */
export async function describeSources(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly type: string; readonly label: string }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; type: string; label: string }>`
    select s.id, s.type, ${labelOfSource} as label from source s ${labelJoins}
    where s.team_id = ${teamId} and s.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...description }) => [id, description]))
}

/** The URN under which a team tracks the post that one of these URNs names; tracked sources first, then in the order given. */
export const findTrackedUrn = (db: Reader, teamId: string, urns: readonly string[]) =>
  queryValue<string>(db)`
    select s.username from unnest(${urns}::text[]) with ordinality as asked(urn, position)
    left join source_alias a on a.team_id = ${teamId} and a.urn = asked.urn
    join source s on s.team_id = ${teamId} and s.type = 'post' and (s.username = asked.urn or s.id = a.source_id)
    order by s.status, asked.position limit 1`

/** A source for the operator to look at: an older one (`other`) is of the same person or page, and both are kept (G146, G153). */
type SourceReport = Pick<Source, 'teamId' | 'type' | 'username' | 'status'> & {
  readonly sourceId: string
  readonly reason: 'double'
  readonly leads: number
  readonly other: Pick<Source, 'type' | 'status'> & { readonly sourceId: string; readonly leads: number }
}

const maxReports = 1_000

/** Doubles of older sources, tracked ones first, at most 1,000, and their total. */
export async function listSourceReports(db: Reader): Promise<{ reports: SourceReport[]; total: number }> {
  const { rows } = await sql<SourceReport & { total: number }>`
    select s.team_id as "teamId", s.id as "sourceId", 'double' as reason, s.type, s.username, s.status,
      s.lead_rows + s.raw_rows as leads, jsonb_build_object('sourceId', older.id, 'type', older.type,
        'status', older.status, 'leads', older.lead_rows + older.raw_rows) as other, count(*) over ()::int as total
    from source s
    join lateral (select * from source o
      where o.team_id = s.team_id and o.network_urn = s.network_urn and o.type = s.type
        and (o.created_at, o.id) < (s.created_at, s.id)
      order by o.created_at, o.id limit 1) older on true
    where ${isOfTeamHere(sql`s.team_id`)}
    order by s.status, s.team_id, s.id limit ${maxReports}`.execute(db)
  return { reports: rows.map(({ total: _, ...report }) => report), total: rows[0]?.total ?? 0 }
}
