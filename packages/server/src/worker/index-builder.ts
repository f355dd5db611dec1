/**
 * The clock's part in what is too long for a start: rows that a migration changes, and large indexes. It looks whether any is left, and
 * lets it be done beside everything else.
 */
import { changeRows } from '../platform/db/change-rows.ts'
import { buildIndexes, readIndexes } from '../platform/db/indexes.ts'
import type { ConnectionSettings } from '../platform/db/open.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import type { PeriodicTask } from './clock.ts'

/** Looks once a minute until all is done. It may take hours, and no task waits for it. */
export function openIndexBuilder(parts: {
  readonly db: Reader
  readonly connection: ConnectionSettings
  readonly log: Log
}): { readonly task: PeriodicTask; stop(): Promise<void> } {
  let [complete, changed] = [false, false]
  let building: Promise<void> | undefined
  let cancel = (): void => {}
  let stopped = false
  const build = async (): Promise<void> => {
    try {
      while (!stopped && !changed) changed = await changeRows(parts.db, 1)
      if (stopped) return
      await buildIndexes({ ...parts, connected: (end) => (stopped ? end() : (cancel = end)) })
    } catch (error) {
      // Whatever it is, the next look tries again: a full disk, a database that went away, a stop.
      if (!stopped) parts.log.warn('an index could not be built, or rows not be changed', { error })
    } finally {
      building = undefined
    }
  }
  return {
    task: {
      name: 'build missing indexes',
      everyMs: 60_000,
      run: async () => {
        if (complete || building || stopped) return 0
        changed ||= await changeRows(parts.db, 0)
        complete = changed && Object.values(await readIndexes(parts.db)).every((state) => state === 'valid')
        if (!complete) building = build()
        return 0
      },
    },
    stop: async () => {
      stopped = true
      cancel()
      await building
    },
  }
}
