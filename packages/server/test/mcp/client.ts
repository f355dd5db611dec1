/** Official MCP clients of the current and the 2025 revision, against a running service. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** A tool's answer. */
export type Called = { readonly text: string; readonly isError: boolean; readonly data: any }

export type ClientSettings = {
  readonly era?: '2026' | '2025'
  readonly headers?: Record<string, string>
  /** Answers questions to the user; without it, the client declares that it cannot ask. */
  readonly user?: (message: string) => { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } }
}

export type McpClient = {
  readonly client: Client
  call(name: string, input?: Record<string, unknown>): Promise<Called>
  close(): Promise<void>
}

/** Connects to an address of the agent tools. */
export async function connect(url: string, settings: ClientSettings = {}): Promise<McpClient> {
  const { era = '2026', user } = settings
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    {
      capabilities: user ? { elicitation: { form: {} } } : {},
      ...(era === '2026' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {}),
    },
  )
  if (user)
    client.setRequestHandler('elicitation/create', (request) => user((request.params as { message: string }).message))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: settings.headers ?? {} } }),
  )
  return {
    client,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input })
      const [first] = result.content as { text: string }[]
      return { text: first?.text ?? '', isError: result.isError === true, data: result.structuredContent }
    },
    close: () => client.close(),
  }
}

/** A message of the current revision built by hand, for what no official client sends; `from` holds its first headers. */
export const currentMessage = (
  message: { readonly method: string; readonly params?: object; readonly id?: number },
  from: Record<string, string>,
  capabilities: Record<string, unknown> = {},
): { method: 'POST'; headers: Record<string, string>; body: string } => {
  const { method, params = {}, id = 1 } = message
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  return {
    method: 'POST',
    headers: {
      ...from,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  }
}
