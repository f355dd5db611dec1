/**
 * The clock: everything that happens by itself, in one table. However many processes have the role, one acts at a time: the one
 * whose connection holds the lock. What is due is judged by service time; how often it is looked at follows the machine.
 */
import pg from 'pg'
import { clientConfig, type ConnectionSettings } from '../platform/db/open.ts'
import { atMost, passedMs, type SystemClock } from '../platform/clock.ts'
import type { Condition } from '../platform/db/conditions.ts'
import type { Log } from '../platform/log.ts'
import { isOfTheWork } from '../platform/task-context.ts'

/** Something that happens by itself. */
export type PeriodicTask = {
  readonly name: string
  /** How often it is looked at, in system time. */
  readonly everyMs: number
  /** Does what is due; answers how much that was. */
  readonly run: () => Promise<number>
  /** SQL that is true when something may be due: of all tasks whose turn it is, one statement asks. Without it, `run` looks itself. */
  readonly mayBeDue?: (now: Date) => Condition
  /** Looks for what was missed: of use to a drain when nothing is left that it knows of. */
  readonly seeksMissed?: true
}

/** Answers, in one statement, which of the tasks named may have something due. */
export type AskDue = (
  asked: Readonly<Record<string, NonNullable<PeriodicTask['mayBeDue']>>>,
) => Promise<ReadonlySet<string>>

/** The names of those of some tasks that have nothing to do. What cannot be asked of the database is left to the tasks. */
export async function findIdle(tasks: readonly PeriodicTask[], ask: AskDue): Promise<ReadonlySet<string>> {
  const asked = Object.fromEntries(tasks.flatMap(({ name, mayBeDue }) => (mayBeDue ? [[name, mayBeDue]] : [])))
  const names = Object.keys(asked)
  if (names.length === 0) return new Set()
  const due = await ask(asked).catch(() => null)
  return new Set(due === null ? [] : names.filter((name) => !due.has(name)))
}

/** A running clock. */
type Clock = {
  /** Looks at everything now, if this process is the one that acts: service time has moved. */
  tickNow(): Promise<void>
  /** True while this process acts. */
  readonly acting: boolean
  stop(): Promise<void>
}

/** Any number that nobody else uses as an advisory lock; the thousand after it are those of further shards, the one before it what all share. */
const lockKey = 7_103_022_118
const tickMs = 500
const usualSilentMs = 10_000

type ClockParts = {
  /** How long the database may take to answer who acts, in milliseconds: one that has gone silent is asked again. */
  readonly silentMs?: number
  readonly tasks: readonly PeriodicTask[]
  readonly connection: ConnectionSettings
  /** Clocks of different numbers act beside each other: one a shard, and one for what all shards share. */
  readonly number?: number
  readonly system: SystemClock
  readonly log: Log
  readonly ask: AskDue
}

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
      // When service time was moved, what one task has done may be work for those behind it.
      if (idle.has(task.name) && !(all && didSome)) continue
      if (stopped || !lock) return
      try {
        const done = await task.run()
        didSome ||= done > 0
        if (done > 0) log.info('clock', { task: task.name, done })
      } catch (error) {
        log.error('a periodic task failed', { task: task.name, error })
        // What fails by itself keeps no other task from its turn; without its database this process is not the one that acts.
        if (isOfTheWork(error)) continue
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
      // A clock that starts after this one has stopped acts at once; a silent database delays the stop by `silentMs` at most.
      await atMost(system, silentMs, drop())
    },
  }
}
