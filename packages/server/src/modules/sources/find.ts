/** SQL that finds and locks sources. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { findSourceByName, identityOf } from './naming.ts'
import { type Source, type SourceName, toSource } from './row.ts'

const named = (db: Reader, teamId: string, name: SourceName) => {
  const base = db.selectFrom('source').selectAll().where('team_id', '=', teamId)
  if ('id' in name) {
    if (name.id === null) return null
    return name.type === undefined
      ? base.where('id', '=', name.id)
      : base.where('id', '=', name.id).where('type', '=', name.type)
  }
  return base.where('identity', '=', identityOf(name.username)).where('type', '=', name.type)
}

/** A name as it leads to one row: a person's by whichever of their names the team knows them. */
async function pinpointed(db: Reader, teamId: string, name: SourceName): Promise<SourceName> {
  if ('id' in name || name.type === 'post') return name
  const id = await findSourceByName(db, { teamId, type: name.type, username: name.username })
  return id === undefined ? name : { id }
}

/** Finds a source, tracked or not. */
export async function findSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  const row = await named(db, teamId, await pinpointed(db, teamId, name))?.executeTakeFirst()
  return row && toSource(row)
}

/** Tracked sources of one company page, by its URN, the one that was made first before the others. */
export async function listPagesNamed(db: Reader, teamId: string, networkUrn: string): Promise<Source[]> {
  const rows = await db
    .selectFrom('source')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('type', '=', 'company')
    .where('network_urn', '=', networkUrn)
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => toSource(row))
}

/** True when a team tracks, or has tracked, a company page. */
export async function tracksCompanies(db: Reader, teamId: string): Promise<boolean> {
  const row = await db
    .selectFrom('source')
    .select('id')
    .where('team_id', '=', teamId)
    .where('type', '=', 'company')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds a source that is tracked now. */
export async function findActiveSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  const found = await findSource(db, teamId, name)
  return found?.status === 'active' ? found : undefined
}

/**
 * Refuses an id or a name that leads to nothing tracked, before the turn of the team is waited for: such a call has
 * nothing to wait for.
 */
export async function mustBeTracked(db: Reader, teamId: string, name: SourceName): Promise<void> {
  if (!(await findActiveSource(db, teamId, name))) refuse('not_tracked')
}

/**
 * Finds a source and locks it until the end of the unit; as weakly as possible, since the claim of a run has its key
 * checked while the run is locked.
 */
export async function lockSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  const query = named(tx.db, teamId, await pinpointed(tx.db, teamId, name))
  const row = await query?.forNoKeyUpdate().executeTakeFirst()
  return row && toSource(row)
}

/** Finds a source that is tracked now and locks it until the end of the unit. */
export async function lockActiveSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  const found = await lockSource(tx, teamId, name)
  return found?.status === 'active' ? found : undefined
}

/** A source that is tracked now, or a keyword search, also when it is deleted, however the request named it (C3). */
const served = (found: Source | undefined): Source | undefined =>
  found?.status === 'active' || found?.type === 'keyword' ? found : undefined

/** Finds a source whose webhook, criteria and pushes can be reached. */
export async function findServedSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  return served(await findSource(db, teamId, name))
}

/** The same, locked until the end of the unit. */
export async function lockServedSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  return served(await lockSource(tx, teamId, name))
}

/** Finds whatever holds an identifier, of any kind, and locks it; a keyword search tells its identity itself. */
export async function lockSourceByIdentity(
  tx: Tx,
  teamId: string,
  {
    username,
    identity = identityOf(username),
  }: { readonly username: string; readonly identity?: ReturnType<typeof identityOf> | undefined },
): Promise<Source | undefined> {
  const row = await tx.db
    .selectFrom('source')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('identity', '=', identity)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toSource(row)
}

/** Finds whatever holds an identity, of any kind, tracked or not. */
export async function findByIdentity(db: Reader, teamId: string, identity: Buffer): Promise<Source | undefined> {
  const row = await db
    .selectFrom('source')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('identity', '=', identity)
    .executeTakeFirst()
  return row && toSource(row)
}

/** Lists a team's sources, newest first. */
export async function listSources(
  db: Reader,
  teamId: string,
  filter: { type?: Source['type'] | undefined; includeInactive: boolean },
): Promise<Source[]> {
  let query = db.selectFrom('source').selectAll().where('team_id', '=', teamId)
  if (filter.type) query = query.where('type', '=', filter.type)
  if (!filter.includeInactive) query = query.where('status', '=', 'active')
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(toSource)
}

/** Which account pays for the captures of a source; asked before anything is locked, since the account is locked first. */
export async function findPayer(db: Reader, source: { teamId: string; id: string }): Promise<Source['paysFrom']> {
  const row = await db
    .selectFrom('source')
    .select('pays_from')
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .executeTakeFirst()
  return row?.pays_from ?? 'team'
}

/** Locks sources in id order, before their leads change. */
export async function lockSources(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    select 1 from source where team_id = ${teamId} and id = any(${[...ids]}::uuid[]) order by id
    for no key update`.execute(tx.db)
}
