/**
 * What a client takes (G170). The protocol wants both kinds named; scripts and some clients name JSON alone, anything, or nothing,
 * and are answered in JSON.
 */
import {
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHandlerRequestOptions,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server'

/** Both kinds, as the SDK wants them named. */
export const bothKinds = 'application/json, text/event-stream'

/** What an `Accept` header takes: streams where it names them; null when it takes nothing that is ever answered here. */
export function takes(accept: string | undefined): 'streams' | 'json' | null {
  const kinds = (accept ?? '*/*').split(',').map((kind) => kind.split(';')[0]!.trim().toLowerCase())
  if (!kinds.some((kind) => ['*/*', 'application/*', 'application/json', ''].includes(kind))) return null
  return kinds.includes('text/event-stream') ? 'streams' : 'json'
}

/**
 * Answers a client of 2025 in JSON: like the SDK's own way for them, with a server of its own for each request, but for the stream.
 * Null for a client of the current revision, which the SDK answers in JSON by itself.
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
