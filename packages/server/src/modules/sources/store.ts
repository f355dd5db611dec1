/** SQL that writes sources: identity, settings, status, schedule, counters. The `source` table is written here and nowhere else. */
import type { SourceSettings } from '@les/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { identityOf } from './naming.ts'
import { type Source, type Row, toSource, settingsColumns, scheduleColumns } from './row.ts'
import { endlessSchedule, type Schedule } from './rules/schedule.ts'

/**
 * True when the team may track one more source; its account is locked, so nobody adds one meanwhile. Reads as many rows
 * as the cap at most.
 */
export async function mayTrackMore(tx: Tx, teamId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select (select count(*)
      from (select 1 from source s
        where s.team_id = t.id and s.status = 'active' limit t.source_cap) active) < t.source_cap as free
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

/**
 * Writes a source's settings and that it is tracked. What a team tracks is the team's to pay, also what its free trial's agent has
 * left to an allowance that is closed by now; on a trial (`onTrial`) a source stays with who pays for it.
 */
export async function saveTracked(
  tx: Tx,
  {
    source,
    settings,
    revived,
    onTrial,
  }: {
    readonly source: Source
    readonly settings: SourceSettings
    readonly revived: boolean
    readonly onTrial: boolean
  },
): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({
      ...settingsColumns(settings),
      status: 'active',
      untracked_at: null,
      ...(revived ? { revived: true, next_sync_at: tx.now } : {}),
      ...(revived || !onTrial ? { pays_from: 'team' as const } : {}),
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

/** Writes the cap of one sync (null: no limit) to sources that are locked; never of a keyword search, whose cap stands with the search. */
export async function saveCaps(
  tx: Tx,
  { teamId, ids, cap }: { readonly teamId: string; readonly ids: readonly string[]; readonly cap: number | null },
): Promise<void> {
  await sql`update source set credit_cap_per_sync = ${cap}
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`.execute(tx.db)
}

/** Writes what ends a source, and whether it has ended; a stopped one is due no more, one that may run again is due at `nextSyncAt`. */
export async function saveSchedule(
  tx: Tx,
  {
    source,
    schedule,
    nextSyncAt,
  }: {
    readonly source: { teamId: string; id: string }
    readonly schedule: Schedule
    readonly nextSyncAt?: Date | undefined
  },
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

/** Notes the run that is open now and when the source is due again. */
export async function saveOpenRun(
  tx: Tx,
  {
    source,
    syncId,
    nextSyncAt,
  }: { readonly source: { teamId: string; id: string }; readonly syncId: string; readonly nextSyncAt: Date },
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
    update source
    set open_sync_id = null, last_sync_id = ${run.id}, ever_completed = ever_completed
      or ${ending.completed}, revived = revived and not ${ending.completed},
      next_sync_at = case when status = 'active' then greatest(next_sync_at, ${ending.notBefore}::timestamptz) end
    where team_id = ${run.teamId} and id = ${run.sourceId} returning source.*`.execute(tx.db)
  return toSource(rows[0]!)
}

/**
 * Says which account pays for the captures of a source whose row is locked; a source that is revived is paid by the
 * team until somebody says otherwise.
 */
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
    update source
    set lead_rows = lead_rows + ${pending + completed + failed + skipped}, raw_rows = raw_rows + ${raw},
      leads_pending = leads_pending + ${pending},
      leads_completed = leads_completed + ${completed}, leads_failed = leads_failed + ${failed},
      leads_skipped = leads_skipped + ${skipped}
    where team_id = ${source.teamId} and id = ${source.id}`.execute(tx.db)
}
