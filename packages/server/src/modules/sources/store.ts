/** SQL of sources: the `source` table is written here and nowhere else. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { servedTeam, takesPart } from '../../platform/work/index.ts'
import { findSourceByName, identityOf } from './naming.ts'
import { endlessSchedule, type Schedule } from './rules/schedule.ts'
import type { SourceSettings } from './rules/settings.ts'

/** A source as the modules know it. */
export type Source = {
  readonly teamId: string
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly username: string
  readonly status: 'active' | 'inactive'
  readonly settings: SourceSettings
  /** Member id or company URN, once a run has learnt it. */
  readonly networkUrn: string | null
  readonly nextSyncAt: Date | null
  readonly openSyncId: string | null
  readonly lastSyncId: string | null
  /** Its first sync was made (G144). */
  readonly everCompleted: boolean
  readonly revived: boolean
  readonly counts: {
    readonly rows: number
    readonly pending: number
    readonly completed: number
    readonly failed: number
    readonly skipped: number
  }
  readonly createdAt: Date
  /** A post's address as it was submitted. */
  readonly postUrl: string | null
  readonly schedule: Schedule
  /** The account of the ledger that its captures are paid from. */
  readonly paysFrom: 'team' | 'agent_trial'
}

/** How a source is named: by kind and identifier, or by id (null: a malformed id, which names nothing). */
export type SourceName =
  | { readonly type: 'person' | 'company' | 'post'; readonly username: string }
  | { readonly id: string | null; readonly type?: 'keyword' }

type Row = {
  team_id: string
  id: string
  type: Source['type']
  username: string
  status: Source['status']
  mode: SourceSettings['mode']
  posts_per_sync: number | null
  credit_cap_per_sync: number | null
  capture_replies: boolean
  enrich_leads: boolean
  first_sync_posts: number | null
  first_sync_days: number | null
  network_urn: string | null
  next_sync_at: Date | null
  open_sync_id: string | null
  last_sync_id: string | null
  ever_completed: boolean
  revived: boolean
  lead_rows: number
  leads_pending: number
  leads_completed: number
  leads_failed: number
  leads_skipped: number
  created_at: Date
  post_url: string | null
  runs_completed: number
  max_runs: number | null
  end_at: Date | null
  run_once: boolean
  stopped_at: Date | null
  stopped_reason: Schedule['stoppedReason']
  pays_from: Source['paysFrom']
}

const toSource = (row: Row): Source => ({
  teamId: row.team_id,
  id: row.id,
  type: row.type,
  username: row.username,
  status: row.status,
  settings: {
    mode: row.mode,
    postsPerSync: row.posts_per_sync,
    creditCapPerSync: row.credit_cap_per_sync,
    captureReplies: row.capture_replies,
    enrichLeads: row.enrich_leads,
    firstSyncPosts: row.first_sync_posts,
    firstSyncDays: row.first_sync_days,
  },
  networkUrn: row.network_urn,
  nextSyncAt: row.next_sync_at,
  openSyncId: row.open_sync_id,
  lastSyncId: row.last_sync_id,
  everCompleted: row.ever_completed,
  revived: row.revived,
  counts: {
    rows: row.lead_rows,
    pending: row.leads_pending,
    completed: row.leads_completed,
    failed: row.leads_failed,
    skipped: row.leads_skipped,
  },
  createdAt: row.created_at,
  postUrl: row.post_url,
  schedule: {
    runsCompleted: row.runs_completed,
    maxRuns: row.max_runs,
    endAt: row.end_at,
    runOnce: row.run_once,
    stoppedAt: row.stopped_at,
    stoppedReason: row.stopped_reason,
  },
  paysFrom: row.pays_from,
})

const settingsColumns = (settings: SourceSettings) => ({
  mode: settings.mode,
  posts_per_sync: settings.postsPerSync,
  credit_cap_per_sync: settings.creditCapPerSync,
  capture_replies: settings.captureReplies,
  enrich_leads: settings.enrichLeads,
  first_sync_posts: settings.firstSyncPosts,
  first_sync_days: settings.firstSyncDays,
})

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
  const id = await findSourceByName(db, teamId, name.type, name.username)
  return id === undefined ? name : { id }
}

const scheduleColumns = (schedule: Schedule) => ({
  runs_completed: schedule.runsCompleted,
  max_runs: schedule.maxRuns,
  end_at: schedule.endAt,
  run_once: schedule.runOnce,
  stopped_at: schedule.stoppedAt,
  stopped_reason: schedule.stoppedReason,
})

/** Finds a source, tracked or not. */
export async function findSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  const row = await named(db, teamId, await pinpointed(db, teamId, name))?.executeTakeFirst()
  return row && toSource(row)
}

/** Finds a source that is tracked now. */
export async function findActiveSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  const found = await findSource(db, teamId, name)
  return found?.status === 'active' ? found : undefined
}

/** Finds a source and locks it until the end of the unit; as weakly as possible, since the claim of a run has its key checked while the run is locked. */
export async function lockSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  const row = await named(tx.db, teamId, await pinpointed(tx.db, teamId, name))
    ?.forNoKeyUpdate()
    .executeTakeFirst()
  return row && toSource(row)
}

/** Finds a source that is tracked now and locks it until the end of the unit. */
export async function lockActiveSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  const found = await lockSource(tx, teamId, name)
  return found?.status === 'active' ? found : undefined
}

/** Finds a source whose webhook, criteria and pushes can be reached: one that is tracked now, and a keyword search named as one even when it is deleted (C3). */
export async function findServedSource(db: Reader, teamId: string, name: SourceName): Promise<Source | undefined> {
  return 'id' in name && name.type === 'keyword' ? findSource(db, teamId, name) : findActiveSource(db, teamId, name)
}

/** The same, locked until the end of the unit. */
export async function lockServedSource(tx: Tx, teamId: string, name: SourceName): Promise<Source | undefined> {
  return 'id' in name && name.type === 'keyword' ? lockSource(tx, teamId, name) : lockActiveSource(tx, teamId, name)
}

/** Finds whatever holds an identifier, of any kind, and locks it; a keyword search tells its identity itself. */
export async function lockSourceByIdentity(
  tx: Tx,
  teamId: string,
  username: string,
  identity = identityOf(username),
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

/** True when the team may track one more source; its account is locked, so nobody adds one meanwhile. Reads as many rows as the cap at most. */
export async function mayTrackMore(tx: Tx, teamId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select (select count(*) from (select 1 from source s where s.team_id = t.id and s.status = 'active' limit t.source_cap) active) < t.source_cap as free
    from team t where t.id = ${teamId}`.execute(tx.db)
  return rows[0]?.free ?? false
}

/** Makes a source; undefined when another request made one with that identifier meanwhile. */
export async function insertSource(
  tx: Tx,
  source: {
    teamId: string
    type: Source['type']
    username: string
    settings: SourceSettings
    schedule?: Schedule
    identity?: Buffer
    networkUrn?: string | undefined
  },
): Promise<Source | undefined> {
  const row = await tx.db
    .insertInto('source')
    .values({
      team_id: source.teamId,
      id: tx.newId(),
      type: source.type,
      username: source.username,
      identity: source.identity ?? identityOf(source.username),
      status: 'active',
      ...settingsColumns(source.settings),
      ...scheduleColumns(source.schedule ?? endlessSchedule),
      network_urn: source.networkUrn ?? null,
      next_sync_at: tx.now,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toSource(row)
}

/** Writes a source's settings and that it is tracked. */
export async function saveTracked(tx: Tx, source: Source, settings: SourceSettings, revived: boolean): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({
      ...settingsColumns(settings),
      status: 'active',
      untracked_at: null,
      ...(revived ? { revived: true, next_sync_at: tx.now, pays_from: 'team' as const } : {}),
    })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Writes the settings of a source that is tracked. */
export async function saveSettings(tx: Tx, source: Source, settings: SourceSettings): Promise<void> {
  await tx.db
    .updateTable('source')
    .set(settingsColumns(settings))
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Writes what ends a source, and whether it has ended; a stopped one is due no more, one that may run again is due at `nextSyncAt`. */
export async function saveSchedule(
  tx: Tx,
  source: { teamId: string; id: string },
  schedule: Schedule,
  nextSyncAt?: Date,
): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({
      ...scheduleColumns(schedule),
      ...(schedule.stoppedAt === null ? (nextSyncAt ? { next_sync_at: nextSyncAt } : {}) : { next_sync_at: null }),
    })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Writes that a source is no longer tracked. */
export async function saveUntracked(tx: Tx, source: Source): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ status: 'inactive', untracked_at: tx.now, next_sync_at: null, revived: false })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Notes that an untracked source has waiting leads left to be written off. */
export async function insertWriteOff(tx: Tx, source: { teamId: string; id: string }): Promise<void> {
  await sql`insert into write_off (team_id, source_id) values (${source.teamId}, ${source.id}) on conflict do nothing`.execute(
    tx.db,
  )
}

/** Notes that nothing is left to be written off, or that the source is tracked again. */
export async function deleteWriteOff(tx: Tx, source: { teamId: string; id: string }): Promise<void> {
  await sql`delete from write_off where team_id = ${source.teamId} and source_id = ${source.id}`.execute(tx.db)
}

/** Sources with leads left to be written off, of other teams than these. */
export async function listWriteOffs(db: Reader, limit: number, without: readonly string[]): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select team_id as "teamId", source_id as id from write_off where team_id <> all(${[...without]}::uuid[]) limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Notes the run that is open now and when the source is due again. */
export async function saveOpenRun(
  tx: Tx,
  source: { teamId: string; id: string },
  syncId: string,
  nextSyncAt: Date,
): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ open_sync_id: syncId, next_sync_at: nextSyncAt })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Makes a source due now: its run is opened as soon as nothing stands in its way. */
export async function saveDue(tx: Tx, source: { teamId: string; id: string }): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ next_sync_at: tx.now })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** Notes that a run has ended, and answers its source; a source that is due earlier than a day after its start waits until then. */
export async function saveClosedRun(
  tx: Tx,
  run: { teamId: string; sourceId: string; id: string },
  ending: { completed: boolean; notBefore: Date | null },
): Promise<Source> {
  const { rows } = await sql<Row>`
    update source set open_sync_id = null, last_sync_id = ${run.id}, ever_completed = ever_completed or ${ending.completed}, revived = revived and not ${ending.completed},
      next_sync_at = case when status = 'active' then greatest(next_sync_at, ${ending.notBefore}::timestamptz) end
    where team_id = ${run.teamId} and id = ${run.sourceId} returning source.*`.execute(tx.db)
  return toSource(rows[0]!)
}

/** Says which account pays for the captures of a source whose row is locked; a source that is revived is paid by the team until somebody says otherwise. */
export async function savePayer(
  tx: Tx,
  source: { teamId: string; id: string },
  paysFrom: Source['paysFrom'],
): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ pays_from: paysFrom })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
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

/** Remembers the network's own id of a person or company source. */
export async function saveNetworkUrn(tx: Tx, source: { teamId: string; id: string }, urn: string): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ network_urn: urn })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** How a source's counters change; they follow the `lead` table in the same unit of work. */
export type CountChange = {
  readonly raw?: number
  readonly pending?: number
  readonly completed?: number
  readonly failed?: number
  readonly skipped?: number
}

/** Moves a source's counters. */
export async function moveCounts(tx: Tx, source: { teamId: string; id: string }, change: CountChange): Promise<void> {
  const { raw = 0, pending = 0, completed = 0, failed = 0, skipped = 0 } = change
  await sql`
    update source set lead_rows = lead_rows + ${pending + completed + failed + skipped}, raw_rows = raw_rows + ${raw}, leads_pending = leads_pending + ${pending},
      leads_completed = leads_completed + ${completed}, leads_failed = leads_failed + ${failed}, leads_skipped = leads_skipped + ${skipped}
    where team_id = ${source.teamId} and id = ${source.id}`.execute(tx.db)
}

/** Locks sources in id order, before their leads change. */
export async function lockSources(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await sql`select 1 from source where team_id = ${teamId} and id = any(${[...ids].sort()}) order by id for no key update`.execute(
      tx.db,
    )
}

/** A source of a team, by name. */
export type SourceOfTeam = { readonly teamId: string; readonly id: string }

/** Sources that are due: tracked, not stopped, without an open run, of served teams that may capture and have credits (CRD-33). */
const dueSources = (now: Date) => sql`
    from source s
    join team t on t.id = s.team_id and t.capture_allowed and ${servedTeam(now)}
    join credit_account a on a.team_id = s.team_id and a.account = s.pays_from and (a.granted - a.spent - a.held > 0 or a.period_end <= ${now})
    where s.status = 'active' and s.open_sync_id is null and s.next_sync_at <= ${now} and s.stopped_at is null and (s.end_at is null or s.end_at > ${now})`

/** The task that opens the runs of due sources. */
export const opening = 'open due syncs'

/** True when a source waits for its run to be opened, also while somebody is about to. */
export const sourcesDue = (now: Date): Condition =>
  sql<boolean>`exists (select 1 ${dueSources(now)} and ${takesPart(opening, sql`s.team_id`, now)})`

/** Sources that are due, the longest due first, of other teams than these; not locked. */
export async function listDueSources(
  db: Reader,
  now: Date,
  limit: number,
  without: readonly string[],
): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id ${dueSources(now)} and s.team_id <> all(${[...without]}::uuid[])
    order by s.next_sync_at limit ${limit}`.execute(db)
  return rows
}

/** Searches whose end has passed and that nobody has stopped yet, of other teams than these (KRN-19); not locked. */
export async function listEndedSearches(
  db: Reader,
  now: Date,
  limit: number,
  without: readonly string[],
): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id from source s
    where s.status = 'active' and s.stopped_at is null and s.end_at <= ${now} and s.team_id <> all(${[...without]}::uuid[])
    order by s.end_at limit ${limit}`.execute(db)
  return rows
}
