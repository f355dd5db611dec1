/** The export of leads as CSV. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DispatchParts } from '../dispatch.ts'
import type { Target } from '../http/target.ts'
import type { Visitor } from './api.ts'

/** Streams the leads that fit a query. */
export async function serveExport(_parts: Pick<DispatchParts, 'db' | 'clock'>, _visitor: Visitor, _query: Target['query'], _raw: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(503).end()
}
