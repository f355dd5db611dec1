/**
 * Streams that wait for news of the tools: a share for each caller and each team, so that none takes what all need, and an end for
 * those whose key, consent or membership has gone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SystemClock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Principal } from './credentials.ts'

/** Streams at once of one caller, of one team, and of one process. */
export const toolStreamLimits = { principal: 5, team: 20, process: 1_000 } as const

const standingMs = 20_000

/** A stream that is open, and how its caller is recognised again. */
type Stream = {
  readonly response: ServerResponse
  readonly principal: Principal
  readonly recogniseAgain: () => Promise<Principal | null>
}

/** The streams of this process. */
export class ToolStreams {
  readonly #streams = new Set<Stream>()
  readonly #system: Pick<SystemClock, 'every'>
  readonly #log: Log
  #stopLooking: (() => void) | null = null
  #looking = false

  constructor({ system, log }: { readonly system: Pick<SystemClock, 'every'>; readonly log: Log }) {
    this.#system = system
    this.#log = log
  }

  /** Counts a stream until its response closes; answers why it may not be opened, or null. */
  open(raw: IncomingMessage, stream: Stream): string | null {
    const { principal, response } = stream
    const all = [...this.#streams]
    if (all.filter((open) => open.principal.id === principal.id).length >= toolStreamLimits.principal)
      return `You have ${toolStreamLimits.principal} streams open: close one of them first`
    if (all.filter((open) => open.principal.teamId === principal.teamId).length >= toolStreamLimits.team)
      return `The team has ${toolStreamLimits.team} streams open: close one of them first`
    // The server answers callers who have closed their half; who waits for news and does that has gone.
    const leave = () => this.#end(stream)
    raw.socket.once('end', leave)
    response.once('close', () => {
      raw.socket.off('end', leave)
      this.#forget(stream)
    })
    this.#streams.add(stream)
    this.#stopLooking ??= this.#system.every(standingMs, () => void this.#look())
    return null
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#stopLooking?.()
    this.#stopLooking = null
  }

  #end(stream: Stream): void {
    this.#forget(stream)
    if (stream.response.headersSent) stream.response.end()
    else stream.response.destroy()
  }

  /** Ends the streams of callers who would not be let in any more. */
  async #look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      for (const stream of [...this.#streams]) {
        const now = await stream.recogniseAgain()
        if (now === null || now.id !== stream.principal.id || now.teamId !== stream.principal.teamId) this.#end(stream)
      }
    } catch (error) {
      this.#log.warn('streams of agent tools: nobody could be checked', { error })
    } finally {
      this.#looking = false
    }
  }
}
