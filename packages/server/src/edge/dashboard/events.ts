/** Live updates as server-sent events. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DispatchParts } from '../dispatch.ts'
import type { Visitor } from './api.ts'
import type { DashboardParts } from './ports.ts'

/** The streams of this process. */
export type Events = { serve(raw: IncomingMessage, response: ServerResponse, visitor: Visitor): Promise<void>; close(): void }

/** Makes them. */
export function makeEvents(_parts: DispatchParts & DashboardParts): Events {
  return { serve: async (_raw, response) => void response.writeHead(503).end(), close: () => {} }
}
