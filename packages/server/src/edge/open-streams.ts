/** Answers that stay open to send news, limited per caller and team; ended when session, key, consent or membership has gone. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

export type OpenStream = { readonly response: ServerResponse; readonly callerId: string; readonly teamId: string }

type StreamLimits = { readonly caller: number; readonly team: number }

type Parts<S> = {
  readonly system: Pick<SystemClock, 'every'>
  readonly log: Log
  readonly limits: StreamLimits
  /** Whether each stream may stay open, in the order given. */
  readonly mayStay: (streams: readonly S[]) => Promise<readonly boolean[]>
}

const checkMs = 20_000

export class OpenStreams<S extends OpenStream> {
  readonly #parts: Parts<S>
  readonly #streams = new Set<S>()
  #stopChecking: (() => void) | null = null
  #checking = false

  constructor(parts: Parts<S>) {
    this.#parts = parts
  }

  get all(): readonly S[] {
    return [...this.#streams]
  }

  has(stream: S): boolean {
    return this.#streams.has(stream)
  }

  /** Counts a stream until its response closes; returns whose limit is reached, or null. */
  open(raw: IncomingMessage, stream: S, onClosed: () => void = () => {}): keyof StreamLimits | null {
    const { system, limits } = this.#parts
    const { callerId, teamId, response } = stream
    if (this.all.filter((open) => open.callerId === callerId).length >= limits.caller) return 'caller'
    if (this.all.filter((open) => open.teamId === teamId).length >= limits.team) return 'team'
    // The server still answers a caller who has closed its half of the connection; on a stream, such a caller has gone.
    const leave = () => this.end(stream)
    raw.socket.once('end', leave)
    response.once('close', () => {
      raw.socket.off('end', leave)
      this.forget(stream)
      onClosed()
    })
    this.#streams.add(stream)
    this.#stopChecking ??= system.every(checkMs, () => void this.#check())
    return null
  }

  end(stream: S): void {
    this.forget(stream)
    if (stream.response.headersSent) stream.response.end()
    else stream.response.destroy()
  }

  forget(stream: S): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    this.#stopChecking?.()
    this.#stopChecking = null
  }

  async #check(): Promise<void> {
    if (this.#checking) return
    this.#checking = true
    try {
      const streams = this.all
      const may = await this.#parts.mayStay(streams)
      for (const [index, stream] of streams.entries()) if (!may[index]) this.end(stream)
    } catch (error) {
      this.#parts.log.warn('nobody could be checked who has a stream open', { error })
    } finally {
      this.#checking = false
    }
  }
}
