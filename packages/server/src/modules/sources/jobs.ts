/** What sources do by themselves: open the runs that are due, write off what untracking left (design §7). */
import type { PassFault } from '../../platform/faults.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { openRun, writeOff } from './actions.ts'
import { judged } from './rules/schedule.ts'
import {
  claimDueSources,
  claimEndedSearches,
  deleteWriteOff,
  findWriteOff,
  lockActiveSource,
  lockSource,
  saveSchedule,
} from './store.ts'

const batch = 100

/** Opens a run for every source that is due, one unit of work a batch; answers how many. Several due dates passed make one run. */
export async function openDueRuns(unitOfWork: UnitOfWork, pass: PassFault): Promise<number> {
  let opened = 0
  for (;;) {
    const count = await unitOfWork(async (tx) => {
      const due = await claimDueSources(tx, batch)
      for (const { teamId, id } of due) {
        const source = await lockActiveSource(tx, teamId, { id })
        if (source && !source.openSyncId) await openRun(tx, source, 'scheduled')
      }
      if (due.length > 0) await pass('clock.sync-opened')
      return due.length
    })
    opened += count
    if (count < batch) return opened
  }
}

/** Stops every keyword search whose `endAt` has passed, also one without a run; a run under way goes on to its end. Answers how many. */
export async function stopEndedSearches(unitOfWork: UnitOfWork): Promise<number> {
  let stopped = 0
  for (;;) {
    const count = await unitOfWork(async (tx) => {
      const ended = await claimEndedSearches(tx, batch)
      for (const source of ended) await saveSchedule(tx, source, judged(source.schedule, tx.now))
      return ended.length
    })
    stopped += count
    if (count < batch) return stopped
  }
}

/** Writes off the waiting leads that an untrack left behind, one unit of work a batch; answers how many batches. */
export async function writeOffUntracked(unitOfWork: UnitOfWork): Promise<number> {
  for (let batches = 0; ; batches++) {
    const worked = await unitOfWork(async (tx) => {
      const found = await findWriteOff(tx.db)
      if (!found) return false
      const source = await lockSource(tx, found.teamId, { id: found.id })
      if (source?.status !== 'inactive' || (await writeOff(tx, source)) === 'done') await deleteWriteOff(tx, found)
      return true
    })
    if (!worked) return batches
  }
}
