/**
 * Live updates as server-sent events: `{"topics": […]}` names what has changed, without data. One query a second serves all
 * streams of the process. A browser that reconnects has missed changes, so it reloads everything.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readChangeMarks, topicsBetween, type ChangeMarks } from '../../modules/reports/index.ts'
import { refuse } from '../../platform/refusal.ts'
import type { SignIn } from '../../sign-in/index.ts'
import type { DispatchParts } from '../dispatch.ts'
import { OpenStreams, type OpenStream } from '../open-streams.ts'
import type { Visitor } from './visitor.ts'

export type Events = {
  /** Resolves once the stream is open; refuses `rate_limited` at the person's or team's limit, `unavailable` at the process's. */
  serve(raw: IncomingMessage, response: ServerResponse, visitor: Visitor): Promise<void>
  close(): void
}

type EventParts = Pick<DispatchParts, 'db' | 'shards' | 'system' | 'log'> & { readonly signIn: Pick<SignIn, 'stillIn'> }

/** Streams at once per person, team and process. */
export const streamLimits = { person: 20, team: 100, process: 500 }

const queryMs = 1_000
const heartbeatMs = 15_000
/** Pause after a query, as a multiple of its duration: queries take at most a tenth of the time. */
const restPerQuery = 9
/** A browser with more unread bytes is disconnected. */
const maxUnreadBytes = 64 * 1_024

type Stream = OpenStream & { readonly userId: string; readonly sessionId: string }

export function makeEvents({ db, shards, system, log, signIn }: EventParts): Events {
  const readMarks = async (teamIds: readonly string[]) =>
    new Map((await shards.byTeams(teamIds, (its) => readChangeMarks(db, its))).flatMap((marks) => [...marks]))
  const streams = new OpenStreams<Stream>({
    system,
    log,
    limits: { caller: streamLimits.person, team: streamLimits.team },
    mayStay: (open) => signIn.stillIn(db, open, new Date(system.nowMs())),
  })
  const seen = new Map<string, ChangeMarks>()
  let timers: readonly (() => void)[] = []
  let isAsking = false
  let restsUntilMs = 0
  let isClosed = false

  const write = ({ response }: Stream, text: string): void => {
    if (!response.headersSent) return
    if (response.writableLength > maxUnreadBytes) response.destroy()
    else response.write(text)
  }
  const ask = async (): Promise<void> => {
    const beganMs = system.nowMs()
    if (isAsking || beganMs < restsUntilMs) return
    isAsking = true
    try {
      for (const [teamId, now] of await readMarks([...seen.keys()])) {
        const before = seen.get(teamId)
        if (!before) continue
        seen.set(teamId, now)
        const topics = topicsBetween(before, now)
        if (topics.length === 0) continue
        for (const stream of streams.all)
          if (stream.teamId === teamId) write(stream, `data: ${JSON.stringify({ topics })}\n\n`)
      }
    } catch (error) {
      log.warn('live updates: what has changed could not be read', { error })
    } finally {
      isAsking = false
      const endedMs = system.nowMs()
      restsUntilMs = endedMs + restPerQuery * (endedMs - beganMs)
    }
  }
  const start = (): void => {
    if (timers.length > 0) return
    timers = [
      system.every(queryMs, () => void ask()),
      system.every(heartbeatMs, () => {
        for (const stream of streams.all) write(stream, ': still here\n\n')
      }),
    ]
  }
  const onClosed = (): void => {
    const listenedTo = new Set(streams.all.map(({ teamId }) => teamId))
    for (const teamId of seen.keys()) if (!listenedTo.has(teamId)) seen.delete(teamId)
    if (listenedTo.size > 0) return
    for (const stop of timers) stop()
    timers = []
  }

  return {
    serve: async (raw, response, { person, team }) => {
      if (isClosed || streams.all.length >= streamLimits.process)
        return refuse('unavailable', {}, 'There are too many live updates at once: try again in a moment')
      const stream: Stream = {
        response,
        teamId: team.id,
        callerId: person.id,
        userId: person.id,
        sessionId: person.sessionId,
      }
      const usedUp = streams.open(raw, stream, onClosed)
      if (usedUp !== null) {
        const has = usedUp === 'caller' ? `You have ${streamLimits.person}` : `The team has ${streamLimits.team}`
        return refuse('rate_limited', {}, `${has} pages with live updates open: close some of them`)
      }
      start()
      try {
        // Marks are read before the page learns that it is connected, so no change after that is missed.
        if (!seen.has(team.id)) {
          const marks = (await readMarks([team.id])).get(team.id)
          if (marks && !seen.has(team.id)) seen.set(team.id, marks)
        }
      } catch (error) {
        streams.forget(stream)
        onClosed()
        throw error
      }
      if (!streams.has(stream) || response.destroyed) return
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      response.write(': connected\n\n')
    },
    close: () => {
      isClosed = true
      for (const stream of streams.all) streams.end(stream)
    },
  }
}
