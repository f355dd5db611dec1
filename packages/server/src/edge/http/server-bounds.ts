/** What the HTTP server allows, in bytes, milliseconds and calls at once. */

/** Concurrent reads of one team, and as many writes: both together leave connections for the other teams. */
export const teamConcurrency = { limit: 6, waitMs: 4_000 }
/** For a request to arrive whole, in milliseconds. */
export const requestTimeoutMs = 10_000
/**
 * Of the head of a request: 2,000 characters of a path parameter can take 18 KB once encoded. Time-outs are looked at every second;
 * Node swaps the two when that for the head is the longer one, and its default is a minute.
 */
export const headBounds = {
  maxHeaderSize: 32_768,
  headersTimeout: requestTimeoutMs,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
} as const
/** How much a server holds for callers: connections at once, and how long an answer waits for one who does not read it. */
export type ConnectionBounds = { readonly connections: number; readonly unreadMs: number }
/**
 * Of the service: room for all streams of live updates and of agent tools, and as many again. An answer that nobody has read a byte
 * of for a minute keeps up to a few megabytes of memory.
 */
export const connectionBounds: ConnectionBounds = { connections: 2_000, unreadMs: 60_000 }
/** Of the operator's own port. */
export const operatorConnectionBounds: ConnectionBounds = { ...connectionBounds, connections: 200 }
/** For what is under way when the server closes, and then for what a caller or a vendor holds up: together under 10 s. */
export const closeMs = 7_000
/** The second of the two. */
export const lastMs = 1_000
