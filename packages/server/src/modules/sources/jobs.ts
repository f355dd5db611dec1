/**
 * What sources do by themselves, team by team: open the runs that are due, stop searches that have ended, write off
 * what untracking left (design §7).
 */
import type { FaultPointHook } from '../../platform/faults.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { openRun, writeOff } from './actions.ts'
import { isDue, judged } from './rules/schedule.ts'
import { deleteWriteOff, listDueSources, listEndedSearches, listWriteOffs, opening } from './due.ts'
import { lockActiveSource, lockSource } from './find.ts'
import { saveSchedule } from './store.ts'

/** What the periodic tasks of sources work with. */
export type SourceTaskDeps = RoundDeps & { readonly faultPoint: FaultPointHook }

const batch = 100

/** Opens a run for every source that is due, one unit of work a team; answers how many. Several due dates passed make one run. */
export function openDueRuns(deps: SourceTaskDeps): Promise<number> {
  return eachTeam(deps, {
    task: opening,
    find: (now, without) => listDueSources(deps.db, { now, limit: batch, without }),
    forTeam: (teamId, due) =>
      deps.unitOfWork(async (tx) => {
        let opened = 0
        for (const { id } of due) {
          const source = await lockActiveSource(tx, teamId, { id })
          // It was listed without a lock: a run may have been opened since, and be over already.
          if (!source || !isDue(source, tx.now)) continue
          await openRun(tx, source, 'scheduled')
          opened += 1
        }
        if (opened > 0) await deps.faultPoint('clock.sync-opened')
        return opened
      }),
  })
}

/** Stops every keyword search whose `endAt` has passed, also one without a run; a run under way goes on to its end. Answers how many. */
export function stopEndedSearches(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'stop searches whose end has passed',
    find: (now, without) => listEndedSearches(deps.db, { now, limit: batch, without }),
    forTeam: (teamId, ended) =>
      deps.unitOfWork(async (tx) => {
        let stopped = 0
        for (const { id } of ended) {
          const source = await lockActiveSource(tx, teamId, { id })
          // Its end may have been moved meanwhile.
          if (!source || source.schedule.stoppedAt !== null) continue
          const schedule = judged(source.schedule, tx.now)
          if (schedule.stoppedAt === null) continue
          await saveSchedule(tx, { source, schedule })
          stopped += 1
        }
        return stopped
      }),
  })
}

/** Units of work that a look spends on one source. */
const writeOffsALook = 2

/** Writes off the waiting leads that untracking left behind, one unit of work a batch; answers how many sources that were. */
export function writeOffUntracked(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'write off enrichment of untracked sources',
    find: (_now, without) => listWriteOffs(deps.db, batch, without),
    forTeam: async (teamId, left) => {
      for (const { id } of left) {
        const writeOffSome = () =>
          deps.unitOfWork(async (tx) => {
            const source = await lockSource(tx, teamId, { id })
            const isDone = source?.status !== 'inactive' || (await writeOff(tx, source)).isDone
            if (isDone) await deleteWriteOff(tx, { teamId, id })
            return isDone
          })
        for (let unit = 0; unit < writeOffsALook; unit++) if (await writeOffSome()) break
      }
      return left.length
    },
  })
}
