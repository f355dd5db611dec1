/** Periodic tasks of sources, team by team: open due runs, stop ended searches, write off leads that untracking left. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { eachTeam, servedTeam, takesPart, type RoundDeps } from '../../platform/work/index.ts'
import { openRun, writeOff } from './actions.ts'
import { lockActiveSource, lockSource } from './find.ts'
import { isDue, stoppedIfEnded } from './rules/schedule.ts'
import type { SourceOfTeam } from './source.ts'
import { saveSchedule } from './store.ts'

const batch = 100

async function deleteWriteOff(tx: Tx, source: SourceOfTeam): Promise<void> {
  await sql`delete from write_off where team_id = ${source.teamId} and source_id = ${source.id}`.execute(tx.db)
}

/** True when a source has leads left to write off. */
export const writeOffsLeft = (): Condition =>
  sql<boolean>`exists (select 1 from write_off where team_id <> ${sampleTeamId}::uuid)`

async function listWriteOffs(db: Reader, without: readonly string[]): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select team_id as "teamId", source_id as id from write_off
    where team_id <> all(${[...without]}::uuid[]) limit ${batch}`.execute(db)
  return rows
}

/** Due sources: tracked, not stopped, without an open run, of served teams that may capture and have credits (CRD-33). */
const dueSources = (now: Date) => sql`
    from source s
    join team t on t.id = s.team_id and t.capture_allowed and ${servedTeam(now)}
    join credit_account a on a.team_id = s.team_id and a.account = s.pays_from
      and (a.granted - a.spent - a.held > 0 or a.period_end <= ${now})
    where s.status = 'active' and s.open_sync_id is null and s.next_sync_at <= ${now} and s.stopped_at is null
      and (s.end_at is null or s.end_at > ${now})`

const opening = 'open due syncs'

/** True when a due source waits for its run, also while a worker is about to open it. */
export const sourcesDue = (now: Date): Condition =>
  sql<boolean>`exists (select 1 ${dueSources(now)} and ${takesPart(opening, sql`s.team_id`, now)})`

async function listDueSources(db: Reader, now: Date, without: readonly string[]): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id ${dueSources(now)} and s.team_id <> all(${[...without]}::uuid[])
    order by s.next_sync_at limit ${batch}`.execute(db)
  return rows
}

const endedSearches = (now: Date) =>
  sql`source s where s.status = 'active' and s.stopped_at is null and s.end_at <= ${now}`

/** True when a search has passed its end and is not stopped. */
export const searchesEnded = (now: Date): Condition =>
  sql<boolean>`exists (select 1 from ${endedSearches(now)} and s.team_id <> ${sampleTeamId}::uuid)`

async function listEndedSearches(db: Reader, now: Date, without: readonly string[]): Promise<SourceOfTeam[]> {
  const { rows } = await sql<SourceOfTeam>`
    select s.team_id as "teamId", s.id from ${endedSearches(now)} and s.team_id <> all(${[...without]}::uuid[])
    order by s.end_at limit ${batch}`.execute(db)
  return rows
}

type SourceTaskDeps = RoundDeps & { readonly faultPoint: FaultPointHook }

/** Opens one run for every due source, even after several due dates; one unit of work a team. Returns how many. */
export function openDueRuns(deps: SourceTaskDeps): Promise<number> {
  return eachTeam(deps, {
    task: opening,
    find: (now, without) => listDueSources(deps.db, now, without),
    forTeam: (teamId, due) =>
      deps.unitOfWork(async (tx) => {
        let opened = 0
        for (const { id } of due) {
          const source = await lockActiveSource(tx, teamId, { id })
          // Listed without a lock: a run may have opened since, and even ended.
          if (!source || !isDue(source, tx.now)) continue
          await openRun(tx, source, 'scheduled')
          opened += 1
        }
        if (opened > 0) await deps.faultPoint('clock.sync-opened')
        return opened
      }),
  })
}

/** Stops every keyword search past its `endAt` (KRN-19), also without a run; an open run goes on. Returns how many. */
export function stopEndedSearches(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'stop searches whose end has passed',
    find: (now, without) => listEndedSearches(deps.db, now, without),
    forTeam: (teamId, ended) =>
      deps.unitOfWork(async (tx) => {
        let stopped = 0
        for (const { id } of ended) {
          const source = await lockActiveSource(tx, teamId, { id })
          // The end may have been moved meanwhile.
          if (!source || source.schedule.stoppedAt !== null) continue
          const schedule = stoppedIfEnded(source.schedule, tx.now)
          if (schedule.stoppedAt === null) continue
          await saveSchedule(tx, { source, schedule })
          stopped += 1
        }
        return stopped
      }),
  })
}

const writeOffsARound = 2

/** Writes off waiting leads that untracking left, one batch per unit of work. Returns the number of sources. */
export function writeOffUntracked(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'write off enrichment of untracked sources',
    find: (_now, without) => listWriteOffs(deps.db, without),
    forTeam: async (teamId, left) => {
      for (const { id } of left) {
        const writeOffSome = () =>
          deps.unitOfWork(async (tx) => {
            const source = await lockSource(tx, teamId, { id })
            const isDone = source?.status !== 'inactive' || (await writeOff(tx, source)).isDone
            if (isDone) await deleteWriteOff(tx, { teamId, id })
            return isDone
          })
        for (let unit = 0; unit < writeOffsARound; unit++) if (await writeOffSome()) break
      }
      return left.length
    },
  })
}
