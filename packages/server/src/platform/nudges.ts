/**
 * Nudges between processes, by NOTIFY and LISTEN on the database they share. When units of work have committed, their process notifies
 * the others which kinds of work there are, once for many units and outside their transactions: PostgreSQL commits transactions that
 * notify one after another, and no request shall wait for that (decision 0002). Rows are the truth: a lost or doubled nudge changes
 * nothing, and where none arrives the sweep of each worker finds what is due.
 */
import pg from 'pg'
import { jobKinds, type JobKind } from '../job-catalog.ts'
import { atMost, type SystemClock } from './clock.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from './db/open.ts'
import type { Log } from './log.ts'

/** What one process has another do: work of a kind, or judge again what waits in memory to be sent. */
type Nudge = JobKind | 'judge_again'

/** Carries nudges. */
export type Nudges = {
  /** Work of these kinds has been committed, or what is sent is to be judged again: the other processes hear of it soon. Never waits and never fails. */
  announce(nudges: readonly Nudge[]): void
  /** Calls back for everything that another process named, and for all there is whenever something may have been missed. */
  listen(wake: (kind: JobKind) => void, judgeAgain: () => void): void
  stop(): Promise<void>
}

type NudgeParts = {
  readonly connection: ConnectionSettings
  /** For the session that listens: straight to the database, since a pooler lends a session to many. */
  readonly direct: ConnectionSettings
  /** Who this process is: it does not listen to itself. */
  readonly processId: string
  /** It works itself, so that the others are wanted only when there is more than it can do. */
  readonly works: boolean
  readonly log: Log
  readonly system: SystemClock
}

/** The channel of a database; a message is `process kind,kind`. */
export const channel = 'les_work'

/** The first nudge goes at once, later ones at most this often: for a process that works itself, and for one that does not. */
const notifyEveryMs = { working: 250, waiting: 50 } as const
const reopenMs = 1_000
const connectMs = 10_000
/** How long the end of a session is waited for: a server that has gone silent never confirms it. */
const endMs = 2_000

// A message holds no row that could be lost: its commit waits for no disk while others wait for it.
const notify = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`

/** Opens the nudges of a process. */
export function openNudges({ connection, direct, processId, works, log, system }: NudgeParts): Nudges {
  const stopping = new AbortController()
  const waiting = new Set<Nudge>()
  const pause = (ms: number) => system.sleep(ms, stopping.signal).catch(() => {})
  // A connection of its own: units of work that wait for one delay no nudge.
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
      // A lost database is reported elsewhere; the sweep of the others finds the work.
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
      // A process of another release may name kinds that are none here.
      if (named.has('judge_again')) judgeAgain()
      for (const kind of jobKinds) if (named.has(kind)) wake(kind)
    })
    const opened = client.connect().then(() => client.query(`listen ${channel}`))
    if ((await Promise.race([opened, over])) === 'over') return
    // What was announced while there was no session is in the rows alone.
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
