/**
 * The clock: everything that happens by itself, in one table. However many processes have the role, one acts at a time: the one
 * whose connection holds the lock. What is due is judged by service time; how often it is looked at follows the machine.
 */
import pg from 'pg'
import { clientConfig, type ConnectionSettings } from '../platform/db/open.ts'
import { passedMs, type SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { isOfTheWork } from '../platform/work-in-hand.ts'

/** Something that happens by itself. */
export type PeriodicTask = {
  readonly name: string
  /** How often it is looked at, in system time. */
  readonly everyMs: number
  /** Does what is due; answers how much that was. */
  readonly run: () => Promise<number>
}

/** A running clock. */
export type Clock = {
  /** Looks at everything now, if this process is the one that acts: service time has moved. */
  look(): Promise<void>
  /** True while this process acts. */
  readonly acting: boolean
  stop(): Promise<void>
}

/** Any number that nobody else uses as an advisory lock. */
const lockKey = 7_103_022_118
const tickMs = 500

/** Starts the clock. */
export function startClock(parts: {
  tasks: readonly PeriodicTask[]
  connection: ConnectionSettings
  system: SystemClock
  log: Log
}): Clock {
  const { tasks, system, log } = parts
  const lastRun = new Map<string, number>()
  let lock: pg.Client | undefined
  let stopped = false
  let busy: Promise<void> | undefined

  const drop = (): void => {
    const client = lock
    lock = undefined
    client?.end().catch(() => {})
  }

  const acquire = async (): Promise<boolean> => {
    if (lock) return true
    const client = new pg.Client(clientConfig(parts.connection))
    client.on('error', () => {
      if (lock === client) lock = undefined
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1::bigint) as held', [
        lockKey,
      ])
      if (rows[0]?.held && !stopped) {
        lock = client
        return true
      }
    } catch (error) {
      log.warn('the clock cannot reach the database', { error })
    }
    await client.end().catch(() => {})
    return false
  }

  const runDue = async (all: boolean): Promise<void> => {
    if (!(await acquire())) return
    for (const task of tasks) {
      if (stopped || !lock) return
      const nowMs = system.nowMs()
      if (!all && passedMs(lastRun.get(task.name) ?? 0, nowMs) < task.everyMs) continue
      lastRun.set(task.name, nowMs)
      try {
        const done = await task.run()
        if (done > 0) log.info('clock', { task: task.name, done })
      } catch (error) {
        log.error('a periodic task failed', { task: task.name, error })
        // What fails by itself keeps no other task from its turn; without its database this process is not the one that acts.
        if (isOfTheWork(error)) continue
        drop()
        return
      }
    }
  }

  const tick = (all: boolean): Promise<void> => {
    if (busy) return all ? busy.then(() => tick(true)) : busy
    busy = runDue(all).finally(() => {
      busy = undefined
    })
    return busy
  }

  const stopTimer = system.every(tickMs, () => {
    if (!stopped && !busy) void tick(false)
  })

  return {
    look: () => tick(true),
    get acting() {
      return lock !== undefined
    },
    stop: async () => {
      stopped = true
      stopTimer()
      await busy
      drop()
    },
  }
}
