/**
 * One session that listens to a channel for as long as a process lives: it is opened again, with growing waits, when it is lost, and
 * whoever listens hears that something may have been missed. A probe sent by another connection shows that messages arrive: a
 * connection that died silently, or a pooler that lends the session to others, carries none.
 */
import pg from 'pg'
import { atMost, type SystemClock } from '../clock.ts'
import { clientConfig, type ConnectionSettings } from '../db/open.ts'
import type { Log } from '../log.ts'

/** What a listener works with. */
export type ListenerParts = {
  readonly connection: ConnectionSettings
  readonly channel: string
  readonly system: SystemClock
  readonly log: Log
  /** Sends a message on the channel by another connection. */
  readonly echo: (text: string) => Promise<unknown>
  readonly heard: (message: string) => void
  /** A session was opened: what was told while there was none is in the rows alone. */
  readonly missed: () => void
}

/** Waits before the session is opened again, the longest for ever. */
const reopenMs = [200, 1_000, 5_000, 15_000, 30_000] as const
const connectMs = 10_000
/** How long the end of a session is waited for: a server that has gone silent says nothing of it. */
const endMs = 2_000
/** How often messages are shown to arrive, and how long one may take. */
const probeEveryMs = 60_000
const probeMs = 5_000
/** How long nothing is tried where no message has ever arrived. */
const deafMs = 10 * 60_000

type Session = {
  readonly client: pg.Client
  readonly lost: Promise<'lost'>
  answered(): Promise<'arrived' | 'not sent'>
}

/** Opens it; a database that is away is no error here. */
export function openListener({ connection, channel, system, log, echo, heard, missed }: ListenerParts) {
  const stopping = new AbortController()
  let current: pg.Client | undefined
  let probes = 0
  const pause = (ms: number) => system.sleep(ms, stopping.signal).catch(() => {})
  const stopped = new Promise<never>((_resolve, reject) => {
    stopping.signal.addEventListener('abort', () => reject(new Error('nobody listens any more')))
  })
  stopped.catch(() => {})
  const end = (): Promise<void> => atMost(system, endMs, current?.end() ?? Promise.resolve()).catch(() => {})

  const open = async (): Promise<Session> => {
    const client = new pg.Client({ ...clientConfig(connection), keepAlive: true, connectionTimeoutMillis: connectMs })
    current = client
    let arrived = Promise.withResolvers<'arrived'>()
    const lost = new Promise<'lost'>((resolve) => {
      client.on('error', () => resolve('lost'))
      client.on('end', () => resolve('lost'))
    })
    const probe = `probe-${system.nowMs()}-${(probes += 1)}`
    client.on('notification', ({ payload = '' }) => (payload === probe ? arrived.resolve('arrived') : heard(payload)))
    // A session that is ended while it is being opened answers nothing: neither that it is there nor that it failed.
    await Promise.race([client.connect(), stopped])
    await client.query(`listen ${channel}`)
    return {
      client,
      lost,
      answered: async () => {
        arrived = Promise.withResolvers<'arrived'>()
        // Whoever cannot send knows nothing of the session.
        return echo(probe).then(
          () => arrived.promise,
          () => 'not sent' as const,
        )
      },
    }
  }
  /** Listens until the session is lost or carries nothing; answers whether it ever carried anything. */
  const listenOnce = async (opened: () => void): Promise<boolean> => {
    const session = await open()
    let carried = false
    opened()
    while (!stopping.signal.aborted) {
      const silent = pause(probeMs).then(() => 'silent' as const)
      const found = await Promise.race([session.answered(), session.lost, silent])
      if (found === 'silent' || found === 'lost') return carried || found === 'lost'
      if (found === 'arrived') carried = true
      if ((await Promise.race([session.lost, pause(probeEveryMs)])) === 'lost') return true
    }
    return true
  }

  const keepListening = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      try {
        const carried = await listenOnce(() => {
          failures = 0
          missed()
        })
        if (!carried && !stopping.signal.aborted) {
          log.warn(
            'messages of other processes do not arrive: name a connection past ' +
              'the pooler in DATABASE_DIRECT_URL; the sweep finds work until then',
          )
          await pause(deafMs)
        }
      } catch (error) {
        if (!stopping.signal.aborted) log.warn('messages of other processes cannot be heard', { error })
      }
      await end()
      await pause(reopenMs[Math.min(failures, reopenMs.length - 1)]!)
    }
  }

  const listening = keepListening()
  return {
    stop: async (): Promise<void> => {
      stopping.abort()
      await end()
      await listening
    },
  }
}
