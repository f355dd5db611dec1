/** SQL that writes `source` and `source_alias`; only this module writes them. */
import type { SourceSettings } from '@les/contract'
import { sql, type Updateable } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import { queryValue } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { identityOf } from './find.ts'
import { endlessSchedule, type Schedule } from './rules/schedule.ts'
import { scheduleColumns, settingsColumns, toSource, type Source, type SourceOfTeam, type SourceRow } from './source.ts'

/** Writes columns of a source. */
export async function updateSource(tx: Tx, source: SourceOfTeam, changes: Updateable<Tables['source']>): Promise<void> {
  await tx.db
    .updateTable('source')
    .set(changes)
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
}

/** True when the team may track one more source, under its account's lock; reads at most `source_cap` rows. */
export const mayTrackMore = async (tx: Tx, teamId: string): Promise<boolean> =>
  (await queryValue<boolean>(tx.db)`
    select (select count(*)
      from (select 1 from source s
        where s.team_id = t.id and s.status = 'active' limit t.source_cap) active) < t.source_cap as free
    from team t where t.id = ${teamId}`) ?? false

/** Inserts a source; undefined when another request inserted that identifier meanwhile. */
export async function insertSource(
  tx: Tx,
  source: Pick<Source, 'teamId' | 'type' | 'username' | 'settings'> & {
    readonly schedule?: Schedule
    readonly identity?: Buffer
    readonly networkUrn?: string | undefined
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
 * Writes settings and that a source is tracked. The team pays for what it tracks, also for sources that its agent's closed trial
 * paid for; on a trial (`onTrial`), a source that was not revived keeps its payer.
 */
export async function saveTracked(
  tx: Tx,
  source: Source,
  { settings, revived, onTrial }: { settings: SourceSettings; revived: boolean; onTrial: boolean },
): Promise<void> {
  await updateSource(tx, source, {
    ...settingsColumns(settings),
    status: 'active',
    untracked_at: null,
    ...(revived ? { revived: true, next_sync_at: tx.now } : {}),
    ...(revived || !onTrial ? { pays_from: 'team' as const } : {}),
  })
}

/** Writes the settings of a tracked source. */
export const saveSettings = (tx: Tx, source: Source, settings: SourceSettings): Promise<void> =>
  updateSource(tx, source, settingsColumns(settings))

/** Writes the cap of one sync (null: no limit) to locked sources; not for keyword searches, which have their own cap. */
export async function saveCaps(
  tx: Tx,
  { teamId, ids, cap }: { teamId: string; ids: readonly string[]; cap: number | null },
): Promise<void> {
  await sql`update source set credit_cap_per_sync = ${cap}
    where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`.execute(tx.db)
}

/** Writes the schedule; a stopped source is due no more, another is due at `nextSyncAt` when given. */
export async function saveSchedule(
  tx: Tx,
  { source, schedule, nextSyncAt }: { source: SourceOfTeam; schedule: Schedule; nextSyncAt?: Date | undefined },
): Promise<void> {
  await updateSource(tx, source, {
    ...scheduleColumns(schedule),
    ...(schedule.stoppedAt === null ? (nextSyncAt ? { next_sync_at: nextSyncAt } : {}) : { next_sync_at: null }),
  })
}

export const saveDue = (tx: Tx, source: SourceOfTeam): Promise<void> =>
  updateSource(tx, source, { next_sync_at: tx.now })

/** Clears the open run of a source and returns the source, which is not due before `notBefore`. */
export async function saveClosedRun(
  tx: Tx,
  run: { teamId: string; sourceId: string; id: string },
  ending: { completed: boolean; notBefore: Date | null },
): Promise<Source> {
  const { rows } = await sql<SourceRow>`
    update source
    set open_sync_id = null, last_sync_id = ${run.id}, ever_completed = ever_completed
      or ${ending.completed}, revived = revived and not ${ending.completed},
      next_sync_at = case when status = 'active' then greatest(next_sync_at, ${ending.notBefore}::timestamptz) end
    where team_id = ${run.teamId} and id = ${run.sourceId} returning source.*`.execute(tx.db)
  return toSource(rows[0]!)
}

/** Sets which account pays for a locked source; reviving the source sets it back to the team. */
export async function savePayer(tx: Tx, source: SourceOfTeam, paysFrom: Source['paysFrom']): Promise<void> {
  await updateSource(tx, source, { pays_from: paysFrom })
}

/** Writes the network's own id of a person or company source. */
export const saveNetworkUrn = (tx: Tx, source: SourceOfTeam, urn: string): Promise<void> =>
  updateSource(tx, source, { network_urn: urn })

/** Changes to a source's counters; they must follow the `lead` table in the same unit of work. */
type CountChange = {
  readonly raw?: number
  readonly pending?: number
  readonly completed?: number
  readonly failed?: number
  readonly skipped?: number
}

/** Adds to a source's counters. */
export async function moveCounts(tx: Tx, source: SourceOfTeam, change: CountChange): Promise<void> {
  const { raw = 0, pending = 0, completed = 0, failed = 0, skipped = 0 } = change
  await sql`
    update source
    set lead_rows = lead_rows + ${pending + completed + failed + skipped}, raw_rows = raw_rows + ${raw},
      leads_pending = leads_pending + ${pending},
      leads_completed = leads_completed + ${completed}, leads_failed = leads_failed + ${failed},
      leads_skipped = leads_skipped + ${skipped}
    where team_id = ${source.teamId} and id = ${source.id}`.execute(tx.db)
}

/** Writes a tracked post's submitted address and its other URNs. */
export async function savePostNames(
  tx: Tx,
  source: SourceOfTeam,
  names: { postUrl: string; aliases: readonly string[] },
): Promise<void> {
  await updateSource(tx, source, { post_url: names.postUrl })
  if (names.aliases.length === 0) return
  await sql`
    insert into source_alias (team_id, urn, source_id) select ${source.teamId}, urn, ${source.id}
    from unnest(${[...names.aliases].sort()}::text[]) as urn
    on conflict (team_id, urn) do update set source_id = excluded.source_id`.execute(tx.db)
}
