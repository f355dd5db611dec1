/**
 * Live updates: `GET /app/api/teams/{teamId}/events`, server-sent events. Whenever something of the team has changed, one message
 * `{"topics": […]}` says what to ask for again; it carries no data itself. One look a second serves all streams of the process, and
 * nothing is looked at while nobody listens. Whoever connects again has missed what happened meanwhile, and asks for everything.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readChangeMarks, topicsBetween, type ChangeMarks } from '../../modules/dashboard/index.ts'
import { refuse } from '../../platform/refusal.ts'
import type { DispatchParts } from '../dispatch.ts'
import type { Visitor } from './visitor.ts'
import type { DashboardParts } from './ports.ts'

/** The streams of this process. */
export type Events = {
  /** Opens a stream; resolves once it is open. Refuses when the person, or the process, has as many as may be. */
  serve(raw: IncomingMessage, response: ServerResponse, visitor: Visitor): Promise<void>
  /** Ends all streams, and opens no more. */
  close(): void
}

/** What live updates need. */
export type EventParts = Pick<DispatchParts, 'db' | 'system' | 'log'> & {
  readonly signIn: Pick<DashboardParts['signIn'], 'stillIn'>
}

/** Streams at once of one person, of one team, and of one process. */
export const streamLimits = { person: 20, team: 100, process: 500 }

const lookMs = 1_000
const heartbeatMs = 15_000
const standingMs = 20_000
/** Looks take a tenth of the time at most: a slow database is not asked again at once. */
const restPerLook = 9
/** A browser that does not read is let go. */
const mostUnreadBytes = 64 * 1_024

type Stream = {
  readonly response: ServerResponse
  readonly teamId: string
  readonly userId: string
  readonly sessionId: string
}

/** Makes them. */
export function makeEvents(parts: EventParts): Events {
  return new Streams(parts)
}

class Streams implements Events {
  readonly #parts: EventParts
  readonly #streams = new Set<Stream>()
  /** What was seen of each team that somebody listens to. */
  readonly #seen = new Map<string, ChangeMarks>()
  #timers: readonly (() => void)[] = []
  #looking = false
  #restsUntilMs = 0
  #closed = false

  constructor(parts: EventParts) {
    this.#parts = parts
  }

  async serve(raw: IncomingMessage, response: ServerResponse, { person, team }: Visitor): Promise<void> {
    if (this.#closed || this.#streams.size >= streamLimits.process)
      return refuse('unavailable', {}, 'There are too many live updates at once: try again in a moment')
    if ([...this.#streams].filter(({ userId }) => userId === person.id).length >= streamLimits.person)
      return refuse(
        'rate_limited',
        {},
        `You have ${streamLimits.person} pages with live updates open: close some of them`,
      )
    if ([...this.#streams].filter(({ teamId }) => teamId === team.id).length >= streamLimits.team)
      return refuse(
        'rate_limited',
        {},
        `The team has ${streamLimits.team} pages with live updates open: close some of them`,
      )
    const stream: Stream = { response, teamId: team.id, userId: person.id, sessionId: person.sessionId }
    // The server answers callers who have closed their half; of a browser that means that it has gone.
    const leave = () => this.#end(stream)
    raw.socket.once('end', leave)
    response.on('close', () => {
      raw.socket.off('end', leave)
      this.#forget(stream)
    })
    this.#streams.add(stream)
    this.#wake()
    try {
      // Before the page hears that it is connected: what changes from then on is told.
      if (!this.#seen.has(team.id)) await this.#learn(team.id)
    } catch (error) {
      this.#forget(stream)
      throw error
    }
    if (!this.#streams.has(stream) || response.destroyed) return
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.write(': connected\n\n')
  }

  close(): void {
    this.#closed = true
    for (const stream of [...this.#streams]) this.#end(stream)
  }

  async #learn(teamId: string): Promise<void> {
    const look = (await readChangeMarks(this.#parts.db, [teamId])).get(teamId)
    if (look && !this.#seen.has(teamId)) this.#seen.set(teamId, look)
  }

  #wake(): void {
    if (this.#timers.length > 0) return
    const { system } = this.#parts
    this.#timers = [
      system.every(lookMs, () => void this.#look()),
      system.every(heartbeatMs, () => this.#beat()),
      system.every(standingMs, () => void this.#checkStanding()),
    ]
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream)
    if (![...this.#streams].some(({ teamId }) => teamId === stream.teamId)) this.#seen.delete(stream.teamId)
    if (this.#streams.size > 0) return
    for (const stop of this.#timers) stop()
    this.#timers = []
  }

  #end(stream: Stream): void {
    this.#forget(stream)
    if (stream.response.headersSent) stream.response.end()
    else stream.response.destroy()
  }

  #write(stream: Stream, text: string): void {
    if (!stream.response.headersSent) return
    if (stream.response.writableLength > mostUnreadBytes) {
      this.#forget(stream)
      stream.response.destroy()
    } else stream.response.write(text)
  }

  #beat(): void {
    for (const stream of [...this.#streams]) this.#write(stream, ': still here\n\n')
  }

  /** Looks at all teams that somebody listens to, and tells what has changed since the look before. */
  async #look(): Promise<void> {
    const { db, system, log } = this.#parts
    const beganMs = system.nowMs()
    if (this.#looking || beganMs < this.#restsUntilMs) return
    this.#looking = true
    try {
      for (const [teamId, now] of await readChangeMarks(db, [...this.#seen.keys()])) {
        const before = this.#seen.get(teamId)
        if (!before) continue
        this.#seen.set(teamId, now)
        const topics = topicsBetween(before, now)
        if (topics.length > 0)
          for (const stream of [...this.#streams].filter((each) => each.teamId === teamId))
            this.#write(stream, `data: ${JSON.stringify({ topics })}\n\n`)
      }
    } catch (error) {
      log.warn('live updates: a look failed', { error })
    } finally {
      this.#looking = false
      const endedMs = system.nowMs()
      this.#restsUntilMs = endedMs + restPerLook * (endedMs - beganMs)
    }
  }

  /** Ends the streams of those whose session is over or who are no members any more. */
  async #checkStanding(): Promise<void> {
    const { db, system, signIn, log } = this.#parts
    const streams = [...this.#streams]
    try {
      const may = await signIn.stillIn(db, streams, new Date(system.nowMs()))
      for (const [index, stream] of streams.entries()) if (!may[index]) this.#end(stream)
    } catch (error) {
      log.warn('live updates: nobody could be checked', { error })
    }
  }
}
