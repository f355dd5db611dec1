/** What sources do by themselves: open the runs that are due, write off what untracking left (design §7). */
import type { PassFault } from '../../platform/faults.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { openRun, writeOff } from './actions.ts'
import { claimDueSources, deleteWriteOff, findWriteOff, lockActiveSource, lockSource } from './store.ts'

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
