/**
 * Nudges between processes, by NOTIFY and LISTEN on the shared database. After units of work commit, their process notifies the
 * others which kinds of work are due: once for many units, and outside their transactions, since PostgreSQL serializes the
 * commits of transactions that notify (decision 0002). Rows are the truth: a lost or doubled nudge is harmless, each worker's
 * sweep finds due work.
 */
import pg from 'pg'
import { jobKinds, type JobKind } from '../job-catalog.ts'
import { atMost, type SystemClock } from './clock.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from './db/open.ts'
import type { Log } from './log.ts'

/** A kind of work to look for, or a request to judge again the sends that wait in memory. */
type Nudge = JobKind | 'judge_again'

export type Nudges = {
  /** Notifies the other processes soon. Never waits and never fails. */
  announce(nudges: readonly Nudge[]): void
  /** Calls back for each nudge of another process, and for all kinds whenever nudges may have been missed. */
  listen(wake: (kind: JobKind) => void, judgeAgain: () => void): void
  stop(): Promise<void>
}

type NudgeParts = {
  readonly connection: ConnectionSettings
  /** For the listening session: bypasses a pooler, which would share one session between clients. */
  readonly direct: ConnectionSettings
  /** Written in each message, so that a process ignores its own. */
  readonly processId: string
  /** This process also works, so the others are needed only when there is more than it can do. */
  readonly works: boolean
  readonly log: Log
  readonly system: SystemClock
}

/** The NOTIFY channel; a message is `processId kind,kind`. */
export const channel = 'les_work'

/** The shortest time between notifications, in milliseconds: for a process that works itself, and for one that does not. */
const notifyEveryMs = { working: 250, waiting: 50 } as const
const reopenMs = 1_000
const connectMs = 10_000
/** How long to wait for a session to close: a silent server never confirms it. */
const endMs = 2_000

// A lost message is harmless, so its commit waits for no disk.
const notify = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`

/** Opens the nudges of a process. */
export function openNudges({ connection, direct, processId, works, log, system }: NudgeParts): Nudges {
  const stopping = new AbortController()
  const waiting = new Set<Nudge>()
  const pause = (ms: number) => system.sleep(ms, stopping.signal).catch(() => {})
  // A separate connection: a full pool of units of work must not delay nudges.
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

  /** Listens until the session is lost. */
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
      // Another release may send kinds unknown here.
      if (named.has('judge_again')) judgeAgain()
      for (const kind of jobKinds) if (named.has(kind)) wake(kind)
    })
    const opened = client.connect().then(() => client.query(`listen ${channel}`))
    if ((await Promise.race([opened, over])) === 'over') return
    // Nudges sent while there was no session were missed: wake everything.
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
