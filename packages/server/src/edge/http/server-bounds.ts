/** Limits of the HTTP server, in bytes, milliseconds and concurrent calls. */
import { Refusal } from '../../platform/refusal.ts'

/** Concurrent reads of one team, and as many writes: together they leave connections for other teams. */
export const teamConcurrency = {
  limit: 6,
  waitMs: 4_000,
  refused: () =>
    new Refusal(
      'unavailable',
      {},
      'Too many calls of this team are under way at once: wait for the seconds in Retry-After and try again',
      { 'retry-after': '1' },
    ),
}
/** Time for a whole request to arrive, in milliseconds. */
export const requestTimeoutMs = 10_000
/**
 * Limits of a request's head: a path parameter of 2,000 characters can take 18 KB once encoded. Time-outs are checked every
 * second; the default head time-out is a minute, and Node swaps it with the request's when it is the longer one.
 */
export const headBounds = {
  maxHeaderSize: 32_768,
  headersTimeout: requestTimeoutMs,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
} as const
/** Connections at once, and how long an answer may stay unread, in milliseconds. */
export type ConnectionBounds = { readonly connections: number; readonly unreadMs: number }
/** The service: room for all streams and as many again. An answer unread for a minute holds up to a few megabytes. */
export const connectionBounds: ConnectionBounds = { connections: 2_000, unreadMs: 60_000 }
export const operatorConnectionBounds: ConnectionBounds = { ...connectionBounds, connections: 200 }
/** Time for running requests to end when the server closes; with `lastMs` under 10 s in total. */
export const closeMs = 7_000
/** Time after that for what a caller or a vendor still holds up. */
export const lastMs = 1_000
