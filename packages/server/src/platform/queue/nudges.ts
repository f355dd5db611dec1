/**
 * Nudges between processes: NOTIFY and LISTEN on the database they share. When units of work have committed, their process tells the
 * others which kinds of work there are, once for many units and outside their transactions: PostgreSQL commits transactions that
 * notify one after another, and no request shall wait for that (decision 0002). Rows are the truth: a lost or doubled nudge changes
 * nothing, and where none arrives the sweep of each worker finds what is due.
 */
import pg from 'pg'
import { jobKinds, type JobKind } from '../../job-catalog.ts'
import type { SystemClock } from '../clock.ts'
import { clientConfig, poolTimeouts, type ConnectionSettings } from '../db/open.ts'
import type { Log } from '../log.ts'
import { openListener } from './listener.ts'

/** Carries nudges. */
export type Nudges = {
  /** Work of these kinds has been committed: the other processes hear of it soon. Never waits and never fails. */
  announce(kinds: readonly JobKind[]): void
  /** Calls `wake` for every kind that another process told of, and for all of them whenever something may have been missed. */
  listen(wake: (kind: JobKind) => void): void
  stop(): Promise<void>
}

/** What nudges work with. */
export type NudgeParts = {
  readonly connection: ConnectionSettings
  /** For the session that listens: straight to the database, since a pooler lends a session to many. */
  readonly direct: ConnectionSettings
  /** Who this process is: it does not listen to itself. */
  readonly owner: string
  /** It works itself, so that the others are wanted only when there is more than it can do. */
  readonly works: boolean
  readonly log: Log
  readonly system: SystemClock
}

/** The channel of a database; a message is `owner kind,kind`. */
export const channel = 'les_work'

/** A process tells at once, and then at most this often: one that works itself, and one that does not. */
const tellEveryMs = { working: 250, waiting: 50 } as const

// A message holds no row that could be lost: its commit waits for no disk while others wait for it.
const notify = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`

/** Opens the nudges of a process. */
export function openNudges({ connection, direct, owner, works, log, system }: NudgeParts): Nudges {
  const stopping = new AbortController()
  const waiting = new Set<JobKind>()
  // A connection of its own: units of work that wait for one keep nobody from being told.
  const pool = new pg.Pool({
    ...clientConfig(connection, poolTimeouts.health),
    max: 1,
    connectionTimeoutMillis: poolTimeouts.health.connectMs,
    query_timeout: poolTimeouts.health.connectMs,
  })
  pool.on('error', () => {})
  let sending: Promise<void> | undefined
  let listener: ReturnType<typeof openListener> | undefined

  const send = async (): Promise<void> => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const kinds = [...waiting]
      waiting.clear()
      await pool
        .query(notify, [channel, `${owner} ${kinds.join(',')}`])
        // Who has lost the database says so elsewhere; the sweep of the others finds the work.
        .catch(() => {})
      await system.sleep(works ? tellEveryMs.working : tellEveryMs.waiting, stopping.signal).catch(() => {})
    }
  }

  const heardBy = (wake: (kind: JobKind) => void) => (message: string) => {
    const [sender, kinds = ''] = message.split(' ')
    if (sender === owner) return
    const named = new Set(kinds.split(','))
    // A process of another release may know kinds that are none here.
    for (const kind of jobKinds) if (named.has(kind)) wake(kind)
  }

  return {
    announce: (kinds) => {
      for (const kind of kinds) waiting.add(kind)
      sending ??= send().finally(() => {
        sending = undefined
      })
    },
    listen: (wake) => {
      listener ??= openListener({
        connection: direct,
        channel,
        system,
        log,
        echo: (text) => pool.query(notify, [channel, text]),
        heard: heardBy(wake),
        missed: () => {
          for (const kind of jobKinds) wake(kind)
        },
      })
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([sending, listener?.stop()])
      await pool.end()
    },
  }
}
