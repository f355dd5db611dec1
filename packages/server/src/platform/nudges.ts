/**
 * Nudges by NOTIFY and LISTEN: after units of work commit, one notification names the due kinds of work to other processes. It is
 * sent outside their transactions, because PostgreSQL serializes commits of those that notify (decision 0002). A lost or doubled
 * nudge is harmless: rows are the truth, and workers sweep.
 */
import pg from 'pg'
import { jobKinds, type JobKind } from '../job-catalog.ts'
import { atMost, type SystemClock } from './clock.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from './db/open.ts'
import type { Log } from './log.ts'

/** Due work of a kind, or: judge the sends that wait in memory again. */
type Nudge = JobKind | 'judge_again'

/** Sends and receives nudges. */
export type Nudges = {
  /** Never waits and never fails. */
  announce(nudges: readonly Nudge[]): void
  /** Called for each nudge of another process, and for all kinds when some may have been missed. */
  listen(wake: (kind: JobKind) => void, judgeAgain: () => void): void
  stop(): Promise<void>
}

type NudgeParts = {
  readonly connection: ConnectionSettings
  /** Bypasses a pooler, which would share the session. */
  readonly direct: ConnectionSettings
  /** Names the sender in messages: a process ignores its own. */
  readonly processId: string
  /** This process works itself, so it needs the others only for more than it can do. */
  readonly works: boolean
  readonly log: Log
  readonly system: SystemClock
}

/** A message is `processId kind,kind`. */
export const channel = 'les_work'

/** The least time between notifications, for a process that works itself and for one that does not. */
const notifyEveryMs = { working: 250, waiting: 50 } as const
const reopenMs = 1_000
const connectMs = 10_000
/** A silent server never confirms the end of a session. */
const endMs = 2_000

// A lost message is harmless, so its commit waits for no disk.
const notify = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`

/** Opens the nudges of a process. */
export function openNudges({ connection, direct, processId, works, log, system }: NudgeParts): Nudges {
  const stopping = new AbortController()
  const waiting = new Set<Nudge>()
  const pause = (ms: number) => system.sleep(ms, stopping.signal).catch(() => {})
  // A connection of its own: a full pool must not delay nudges.
  const pool = new pg.Pool({
    ...clientConfig(connection, poolTimeouts.health),
    max: 1,
    connectionTimeoutMillis: poolTimeouts.health.connectMs,
    query_timeout: poolTimeouts.health.connectMs,
  })
  pool.on('error', () => {})
  let sending: Promise<void> | undefined
  let listening: Promise<void> | undefined
  let session: pg.Client | undefined

  const send = async (): Promise<void> => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const kinds = [...waiting]
      waiting.clear()
      // A lost database is reported elsewhere, and the others' sweeps find the work.
      await pool.query(notify, [channel, `${processId} ${kinds.join(',')}`]).catch(() => {})
      await pause(works ? notifyEveryMs.working : notifyEveryMs.waiting)
    }
  }

  const endSession = (): Promise<void> => atMost(system, endMs, session?.end() ?? Promise.resolve()).catch(() => {})

  const listenOnce = async (...[wake, judgeAgain]: Parameters<Nudges['listen']>): Promise<void> => {
    const client = new pg.Client({ ...clientConfig(direct), keepAlive: true, connectionTimeoutMillis: connectMs })
    session = client
    const { promise: over, resolve } = Promise.withResolvers<'over'>()
    client.on('error', () => resolve('over'))
    client.on('end', () => resolve('over'))
    stopping.signal.addEventListener('abort', () => resolve('over'), { once: true })
    client.on('notification', ({ payload = '' }) => {
      const [sender, kinds = ''] = payload.split(' ')
      const named = new Set(sender === processId ? [] : kinds.split(','))
      // Another release may send unknown kinds.
      if (named.has('judge_again')) judgeAgain()
      for (const kind of jobKinds) if (named.has(kind)) wake(kind)
    })
    const opened = client.connect().then(() => client.query(`listen ${channel}`))
    if ((await Promise.race([opened, over])) === 'over') return
    // Nudges sent before the session are lost, so wake everything.
    judgeAgain()
    for (const kind of jobKinds) wake(kind)
    await over
  }

  const keepListening = async (...heard: Parameters<Nudges['listen']>): Promise<void> => {
    for (;;) {
      await listenOnce(...heard).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn('messages of other processes cannot be heard', { error })
      })
      await endSession()
      if (stopping.signal.aborted) return
      await pause(reopenMs)
    }
  }

  return {
    announce: (nudges) => {
      for (const nudge of nudges) waiting.add(nudge)
      sending ??= send().finally(() => {
        sending = undefined
      })
    },
    listen: (wake, judgeAgain) => {
      listening ??= keepListening(wake, judgeAgain)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([sending, listening])
      await pool.end()
    },
  }
}
