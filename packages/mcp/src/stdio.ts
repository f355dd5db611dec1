/** The tools over standard input and output, for a client that starts `les mcp`; calls go to the service over HTTP. */
import { ApiError, type Client, type OperationId } from '@les/contract'
import type { Readable, Writable } from 'node:stream'
import { serveStdio as serve, StdioServerTransport, type StdioServerHandle } from '@modelcontextprotocol/server/stdio'
import type { ToolAnswer } from './answer.ts'
import type { Dispatch } from './call.ts'
import type { View } from './definition.ts'
import { makeToolServer } from './server.ts'
import { questionsInMemory } from './spend.ts'

/** What serving needs. */
export type StdioParts = {
  readonly client: Client
  readonly view: View
  /** Milliseconds since the epoch, and an id nobody can guess: a yes lasts ten minutes and is used once. */
  readonly clock: { now(): number; id(): string }
  readonly onError?: (error: Error) => void
  /** Standard input and output unless told otherwise. */
  readonly streams?: { readonly input: Readable; readonly output: Writable }
}

type AnyCall = (input: Readonly<Record<string, unknown>>, settings: object) => Promise<Record<string, unknown>>

/** Calls operations through the typed client; a refusal is its answer, and an unreachable service says so. */
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
