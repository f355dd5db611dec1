/** What a client accepts (G170): the protocol requires both types; clients that name only JSON, anything or nothing get JSON. */
import {
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'

export const bothKinds = 'application/json, text/event-stream'

/** `streams` when the header names them beside JSON, else `json`; null when it does not accept JSON. */
export function acceptedFormat(accept: string | undefined): 'streams' | 'json' | null {
  const kinds = (accept ?? '*/*').split(',').map((kind) => kind.split(';')[0]!.trim().toLowerCase())
  if (!kinds.some((kind) => ['*/*', 'application/*', 'application/json', ''].includes(kind))) return null
  return kinds.includes('text/event-stream') ? 'streams' : 'json'
}

/**
 * Answers a client of the 2025 revision in JSON: like the SDK (one server for each request), but without a stream. Null for a
 * client of the current revision, which the SDK itself answers in JSON.
 */
export async function answerInJson(
  makeServer: (context: McpRequestContext) => McpServer,
  request: Request,
  options: McpHandlerRequestOptions,
): Promise<Response | null> {
  if (!(await isLegacyRequest(request, options.parsedBody))) return null
  const who = options.authInfo === undefined ? {} : { authInfo: options.authInfo }
  const server = makeServer({ era: 'legacy', ...who, requestInfo: request })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}
