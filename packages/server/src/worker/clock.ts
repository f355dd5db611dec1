/** Runs periodic tasks in the process that holds the advisory lock. Service time says what is due, system time how often to look. */
import pg from 'pg'
import { clientConfig, type ConnectionSettings } from '../platform/db/open.ts'
import { atMost, passedMs, type SystemClock } from '../platform/clock.ts'
import type { Condition } from '../platform/db/conditions.ts'
import type { Log } from '../platform/log.ts'
import { isFailureOfTheRow } from '../platform/task-context.ts'

export type PeriodicTask = {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<number>
  /** SQL: something may be due. One statement asks it for many tasks; without it, `run` looks itself. */
  readonly mayBeDue?: (now: Date) => Condition
  /** Searches for missed work, so a drain runs it last. */
  readonly seeksMissed?: true
}

/** Returns the names of the tasks that may have something due, in one statement. */
export type AskDue = (
  asked: Readonly<Record<string, NonNullable<PeriodicTask['mayBeDue']>>>,
) => Promise<ReadonlySet<string>>

/** The names of tasks with nothing due; none when the database cannot be asked, so that every task looks itself. */
export async function findIdle(tasks: readonly PeriodicTask[], ask: AskDue): Promise<ReadonlySet<string>> {
  const asked = Object.fromEntries(tasks.flatMap(({ name, mayBeDue }) => (mayBeDue ? [[name, mayBeDue]] : [])))
  const names = Object.keys(asked)
  if (names.length === 0) return new Set()
  const due = await ask(asked).catch(() => null)
  return new Set(due === null ? [] : names.filter((name) => !due.has(name)))
}

type Clock = {
  /** Runs all tasks now, if this process acts: service time was moved. */
  tickNow(): Promise<void>
  readonly acting: boolean
  stop(): Promise<void>
}

/** An otherwise unused advisory lock; shards use the thousand numbers after it, the clock of shared tasks the one before. */
const lockKey = 7_103_022_118
const tickMs = 500
const usualSilentMs = 10_000

type ClockParts = {
  /** How long to wait for the database to say who acts, in milliseconds, before asking again. */
  readonly silentMs?: number
  readonly tasks: readonly PeriodicTask[]
  readonly connection: ConnectionSettings
  /** Clocks with different numbers act independently: one per shard, and one for shared tasks. */
  readonly number?: number
  readonly system: SystemClock
  readonly log: Log
  readonly ask: AskDue
}

/** Starts a clock. */
export function startClock(parts: ClockParts): Clock {
  const { tasks, system, log, silentMs = usualSilentMs } = parts
  const lastRun = new Map<string, number>()
  let lock: pg.Client | undefined
  let stopped = false
  let busy: Promise<void> | undefined

  const drop = async (): Promise<void> => {
    const client = lock
    lock = undefined
    await client?.end().catch(() => {})
  }

  const acquire = async (): Promise<boolean> => {
    if (lock) return true
    const client = new pg.Client({
      ...clientConfig(parts.connection),
      keepAlive: true,
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
    })
    client.on('error', () => {
      if (lock === client) lock = undefined
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1::bigint) as held', [
        lockKey + (parts.number ?? 0),
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
    const nowMs = system.nowMs()
    const turns = tasks.filter(({ name, everyMs }) => all || passedMs(lastRun.get(name) ?? 0, nowMs) >= everyMs)
    for (const { name } of turns) lastRun.set(name, nowMs)
    const idle = await findIdle(turns, parts.ask)
    let didSome = false
    for (const task of turns) {
      // After a move of service time, what an earlier task did may be work for later ones.
      if (idle.has(task.name) && !(all && didSome)) continue
      if (stopped || !lock) return
      try {
        const done = await task.run()
        didSome ||= done > 0
        if (done > 0) log.info('clock', { task: task.name, done })
      } catch (error) {
        log.error('a periodic task failed', { task: task.name, error })
        // A task's own failure must not stop the others; without its database this process gives up the lock.
        if (isFailureOfTheRow(error)) continue
        void drop()
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
    tickNow: () => tick(true),
    get acting() {
      return lock !== undefined
    },
    stop: async () => {
      stopped = true
      stopTimer()
      await busy
      // Releases the lock, so that the next clock acts at once; a silent database delays this by at most `silentMs`.
      await atMost(system, silentMs, drop())
    },
  }
}
