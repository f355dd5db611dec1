/** Periodic tasks of sources, team by team: open due runs, stop ended searches, write off leads that untracking left. */
import { sql, type RawBuilder } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { eachTeam, servedTeam, takesPart, type RoundDeps } from '../../platform/work/index.ts'
import { openRun, writeOff } from './actions.ts'
import { lockActiveSource, lockSource } from './find.ts'
import { isDue, stoppedIfEnded } from './rules/schedule.ts'
import type { Source, SourceOfTeam } from './source.ts'
import { saveSchedule } from './store.ts'

const batch = 100

const withWriteOff = sql`from source s where s.has_write_off and s.status = 'inactive'`

/** True when a source has leads left to write off. */
export const writeOffsLeft = (): Condition =>
  sql<boolean>`exists (select 1 ${withWriteOff} and s.team_id <> ${sampleTeamId}::uuid)`

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

const endedSearches = (now: Date) =>
  sql`from source s where s.status = 'active' and s.stopped_at is null and s.end_at <= ${now}`

/** True when a search has passed its end and is not stopped. */
export const searchesEnded = (now: Date): Condition =>
  sql<boolean>`exists (select 1 ${endedSearches(now)} and s.team_id <> ${sampleTeamId}::uuid)`

/** At most a batch of sources `s`, but those of some teams. */
const listSome = (
  db: Reader,
  { from, order, without }: { from: RawBuilder<unknown>; order: RawBuilder<unknown>; without: readonly string[] },
) =>
  queryAll<SourceOfTeam>(db)`
    select s.team_id as "teamId", s.id ${from} and s.team_id <> all(${[...without]}::uuid[])
    order by ${order} limit ${batch}`

/** Locks the tracked ones among these sources of a team, one after the other; returns how many were changed. */
async function changeEach(
  tx: Tx,
  sources: readonly SourceOfTeam[],
  change: (source: Source) => Promise<boolean>,
): Promise<number> {
  let changed = 0
  for (const { teamId, id } of sources) {
    const source = await lockActiveSource(tx, teamId, { id })
    if (source && (await change(source))) changed += 1
  }
  return changed
}

type SourceTaskDeps = RoundDeps & { readonly faultPoint: FaultPointHook }

/** Opens one run for every due source, even after several due dates; one unit of work a team. Returns how many. */
export function openDueRuns(deps: SourceTaskDeps): Promise<number> {
  return eachTeam(deps, {
    task: opening,
    find: (now, without) => listSome(deps.db, { from: dueSources(now), order: sql`s.next_sync_at`, without }),
    forTeam: (_teamId, due) =>
      deps.unitOfWork(async (tx) => {
        const opened = await changeEach(tx, due, async (source) => {
          // Listed without a lock: a run may have opened since, and even ended.
          if (!isDue(source, tx.now)) return false
          await openRun(tx, source, 'scheduled')
          return true
        })
        if (opened > 0) await deps.faultPoint('clock.sync-opened')
        return opened
      }),
  })
}

/** Stops every keyword search past its `endAt` (KRN-19), also without a run; an open run goes on. Returns how many. */
export function stopEndedSearches(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'stop searches whose end has passed',
    find: (now, without) => listSome(deps.db, { from: endedSearches(now), order: sql`s.end_at`, without }),
    forTeam: (_teamId, ended) =>
      deps.unitOfWork((tx) =>
        changeEach(tx, ended, async (source) => {
          const schedule = stoppedIfEnded(source.schedule, tx.now)
          // It may have been stopped, or its end moved, meanwhile.
          if (source.schedule.stoppedAt !== null || schedule.stoppedAt === null) return false
          await saveSchedule(tx, { source, schedule })
          return true
        }),
      ),
  })
}

const writeOffsARound = 2

/** Writes off waiting leads that untracking left, one batch per unit of work. Returns the number of sources. */
export function writeOffUntracked(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'write off enrichment of untracked sources',
    find: (_now, without) => listSome(deps.db, { from: withWriteOff, order: sql`s.team_id, s.id`, without }),
    forTeam: async (teamId, left) => {
      for (const { id } of left) {
        const writeOffSome = () =>
          deps.unitOfWork(async (tx) => {
            const source = await lockSource(tx, teamId, { id })
            return source?.status === 'inactive' ? writeOff(tx, source) : 0
          })
        for (let unit = 0; unit < writeOffsARound; unit++) if ((await writeOffSome()) === 0) break
      }
      return left.length
    },
  })
}
