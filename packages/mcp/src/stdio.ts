import { ApiError, type Client, type OperationId } from '@les/contract'
import { PassThrough, Writable, type Readable } from 'node:stream'
import { serveStdio as serve, StdioServerTransport, type StdioServerHandle } from '@modelcontextprotocol/server/stdio'
import type { ToolAnswer } from './answer.ts'
import type { Dispatch } from './call.ts'
import type { View } from './definition.ts'
import { makeToolServer } from './server.ts'
import { questionsInMemory } from './spend.ts'

export type StdioParts = {
  readonly client: Client
  readonly view: View
  /** Milliseconds since the epoch, and an unguessable id. */
  readonly clock: { now(): number; id(): string }
  readonly onError?: (error: Error) => void
  readonly streams?: { readonly input: Readable; readonly output: Writable }
}

type AnyCall = (input: Readonly<Record<string, unknown>>, settings: object) => Promise<Record<string, unknown>>

/** Calls operations through the typed client; refusals and an unreachable service become answers. */
export function dispatchThrough(client: Client): Dispatch {
  return async (operationId: OperationId, input, { idempotencyKey, signal }): Promise<ToolAnswer> => {
    try {
      const call = client[operationId] as unknown as AnyCall
      return {
        status: 200,
        body: await call(input, {
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
          ...(signal === undefined ? {} : { signal }),
        }),
      }
    } catch (error) {
      if (error instanceof ApiError)
        return { status: error.status, body: error.body, retryAfterSeconds: error.retryAfterSeconds }
      if (error instanceof TypeError && / needs /.test(error.message))
        return { status: 400, body: { error: `${error.message.split(' needs ')[1]} is required` } }
      return {
        status: 502,
        body: { error: `The service cannot be reached: ${error instanceof Error ? error.message : String(error)}` },
      }
    }
  }
}

/** Serves until the client closes its end. */
export function serveStdio(parts: StdioParts): StdioServerHandle {
  const dispatch = dispatchThrough(parts.client)
  const questions = questionsInMemory(parts.clock)
  return serve(() => makeToolServer({ dispatch, questions, view: parts.view, newKey: parts.clock.id }), {
    ...(parts.onError ? { onerror: parts.onError } : {}),
    ...(parts.streams ? { transport: new StdioServerTransport(parts.streams.input, parts.streams.output) } : {}),
  })
}

type Message = { readonly id?: unknown; readonly method?: unknown }

function lineReader(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      try {
        const message: unknown = JSON.parse(line)
        if (typeof message === 'object' && message !== null) onMessage(message)
      } catch {
        // Not a message, so no answer is awaited.
      }
    }
  }
}

/**
 * For input that may end before its answers are written (piped lines): the streams to serve on, and a promise that resolves
 * when the input has ended and nothing is left to answer.
 */
export function untilAnswered(
  input: Readable,
  output: Writable,
): { readonly streams: { readonly input: Readable; readonly output: Writable }; readonly done: Promise<void> } {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const open = new Set<unknown>()
  let ended = false
  const finishIfAnswered = () => ended && open.size === 0 && resolve()
  const asked = lineReader(({ id, method }) => {
    if (method !== undefined && id !== undefined) open.add(id)
  })
  const answered = lineReader(({ id, method }) => {
    // A question to the client cannot be answered any more.
    if (method !== undefined && id !== undefined && ended) resolve()
    if (method === undefined) open.delete(id)
    finishIfAnswered()
  })
  const given = new PassThrough()
  input.on('data', (chunk: Buffer) => {
    asked(chunk)
    given.write(chunk)
  })
  const end = () => {
    ended = true
    finishIfAnswered()
  }
  input.once('end', end).once('close', end)
  const written = new Writable({
    write: (chunk: Buffer, _encoding, next) =>
      void output.write(chunk, () => {
        answered(chunk)
        next()
      }),
  })
  return { streams: { input: given, output: written }, done }
}
