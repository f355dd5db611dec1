/** The address of the agent tools: who may call it from where, and a key in it that nobody else ever sees (G108). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { challenge, readCredential } from '../../src/edge/mcp/credentials.ts'
import { whyRefused } from '../../src/edge/origin.ts'
import { currentMessage } from './client.ts'
import { request, startLocalService, type Answer, type LocalService, type TestTeam } from '../edge/local-service.ts'

let service: LocalService
let team: TestTeam
beforeAll(async () => {
  service = await startLocalService()
  team = await service.team()
})
afterAll(() => service.stop())

const usual = { accept: 'application/json, text/event-stream' }

function send(
  path: string,
  headers: Record<string, string>,
  raw: string = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  method = 'POST',
  kinds: Record<string, string> = usual,
): Promise<Answer> {
  return request(service.url, method, path, {
    headers: { ...kinds, 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { raw } : {}),
  })
}
const keyed = (headers: Record<string, string> = {}) => ({ 'x-api-key': team.key, ...headers })

it('a connection ends with its answer, also with one that is streamed, when its caller has asked for that', async () => {
  for (const connection of ['close', 'keep-alive']) {
    const answer = await send('/mcp', keyed({ connection }))
    expect([answer.status, answer.headers['content-type'], answer.headers.connection]).toEqual([
      200,
      'text/event-stream',
      connection,
    ])
  }
})

describe('a key in the address', () => {
  it('works, and is in no log line, metric, header or answer, whatever goes wrong [MCP-04]', async () => {
    service.logLines.length = 0
    service.stubs.listSources = async () => {
      throw new Error(`broken while serving /mcp/${team.key}`)
    }
    const tool = (name: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
    const answers = [
      await send(`/mcp/${team.key}`, {}),
      await send(`/mcp/${team.key}?toolsets=leads`, {}, tool('list_sources')),
      await send(`/mcp/${team.key}?toolsets=${team.key}`, {}),
      await send(`/mcp/${team.key}/${team.key}`, {}),
      await send(`/mcp/${team.key}`, {}, '{bad'),
      await send(`/mcp/${team.key}`, {}, tool(team.key)),
      await send(`/mcp/${team.key}`, { 'mcp-protocol-version': '1999-01-01' }),
      await send(`/mcp/${team.key}`, {}, '', 'GET'),
      await send(`/mcp/${team.key}`, {}, '', 'DELETE'),
      await send(`/mcp/${team.key}`, { origin: 'https://evil.example' }),
    ]
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]!.text).toContain('Error 500')
    // The sixth answer repeats the unknown tool name, which its own caller sent.
    for (const answer of answers.filter((_, at) => at !== 5))
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(team.key)
    for (const answer of answers)
      expect([
        answer.headers['referrer-policy'],
        answer.headers['cache-control'],
        answer.headers['x-request-id'],
      ]).toEqual(['no-referrer', 'no-store', expect.any(String)])
    expect(service.logLines.length).toBeGreaterThan(0)
    expect(service.logLines.join('')).not.toContain(team.key)
    expect(await service.metrics.text()).not.toContain(team.key)
    expect(await service.metrics.text()).toContain('surface="mcp",operation="listSources"')
  })
})

describe('Host and Origin', () => {
  it.each([
    [{ host: 'evil.example:8080' }, 403],
    [{ host: 'localhost:8080' }, 200],
    [{ host: 'api.example', 'x-forwarded-for': '203.0.113.7' }, 200],
    [{ origin: 'http://localhost:6274' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
    [{ host: 'api.example', origin: 'https://api.example', 'x-forwarded-for': '203.0.113.7' }, 200],
    [{ host: 'api.example', origin: 'https://evil.example', 'x-forwarded-for': '203.0.113.7' }, 403],
  ])('%j over loopback is %i', async (headers: Record<string, string>, status) => {
    expect((await send('/mcp', keyed(headers))).status).toBe(status)
  })

  it('a service reached over the network answers under any name', () => {
    expect(whyRefused({ host: 'leads.example.com' }, '10.0.0.5')).toBeNull()
    expect(whyRefused({ host: 'leads.example.com', origin: 'https://leads.example.com' }, '10.0.0.5')).toBeNull()
    expect(whyRefused({ host: 'leads.example.com', origin: 'https://other.example.com' }, '10.0.0.5')).not.toBeNull()
    expect(whyRefused({}, '::1')).toBeNull()
  })
})

describe('what identifies a caller', () => {
  it.each([
    [{ 'x-api-key': 'cs_a', authorization: 'Bearer cs_b' }, 'cs_c', { kind: 'key', key: 'cs_a' }],
    [{ authorization: 'bearer   cs_b' }, 'cs_c', { kind: 'key', key: 'cs_b' }],
    [{ authorization: 'Bearer eyJhbGciOi' }, 'cs_c', { kind: 'token', token: 'eyJhbGciOi' }],
    [{ authorization: 'Basic cs_b' }, 'cs_c', { kind: 'key', key: 'cs_c' }],
    [{}, '', null],
    [{ 'x-api-key': '' }, undefined, null],
  ])('%j with %j in the path is %j [MCP-02, MCP-04]', (headers, inPath, credential) =>
    expect(readCredential(headers, inPath)).toEqual(credential),
  )

  it('a sign-in, where there is one, is named in the challenge [MCP-03]', () => {
    expect(
      challenge({
        resourceMetadata: 'https://x.example/.well-known/oauth-protected-resource/mcp',
        authenticate: async () => null,
      }),
    ).toBe(
      'Bearer realm="lead-engagement-service", ' +
        'resource_metadata="https://x.example/.well-known/oauth-protected-resource/mcp", scope="leads"',
    )
  })
})

describe('what a client takes', () => {
  const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
  })

  it.each(['*/*', undefined, 'application/json', 'application/*;q=0.8', 'application/json, text/plain, */*'])(
    'is JSON where it says %s, of every revision [G170]',
    async (accept) => {
      const taken = accept === undefined ? {} : { accept }
      for (const [body, more] of [
        [initialize, {}],
        [listTools, {}],
        [
          currentMessage({ method: 'tools/list' }, {}).body,
          { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
        ],
      ] as const) {
        const answer = await send('/mcp', { 'x-api-key': team.key, ...more, ...taken }, body, 'POST', {})
        expect([answer.status, answer.headers['content-type']?.split(';')[0], answer.headers['cache-control']]).toEqual(
          [200, 'application/json', 'no-store'],
        )
        expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: 1, result: expect.any(Object) })
      }
      const call = {
        jsonrpc: '2.0',
        id: 'a',
        method: 'tools/call',
        params: { name: 'get_account', arguments: { what: 'keys' } },
      }
      const called = await send('/mcp', { 'x-api-key': team.key, ...taken }, JSON.stringify(call), 'POST', {})
      expect(JSON.parse(called.text)).toMatchObject({
        id: 'a',
        result: { structuredContent: { keys: expect.any(Array) } },
      })
      const notified = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
      expect((await send('/mcp', { 'x-api-key': team.key, ...taken }, notified, 'POST', {})).status).toBe(202)
    },
  )

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'])(
    'is 405 to %s, whatever the client takes: there are no sessions and no streams to open [G170]',
    async (method) => {
      for (const accept of ['*/*', 'application/json', 'text/event-stream', undefined]) {
        const asked = accept === undefined ? {} : { accept }
        expect((await send('/mcp', { 'x-api-key': team.key, ...asked }, '', method, {})).status).toBe(405)
      }
    },
  )

  it('is a stream where it names streams and anything, and nothing where it takes neither [G170]', async () => {
    expect((await send('/mcp', keyed({ accept: 'text/event-stream, */*' }))).headers['content-type']).toBe(
      'text/event-stream',
    )
    for (const accept of ['text/html', 'text/event-stream'])
      expect((await send('/mcp', keyed({ accept }))).status).toBe(406)
  })

  it.each([`[${listTools}]`, `[${listTools},${listTools}]`, '[]'])(
    'a batch is 400 with a sentence that says what to do instead: %s [G170]',
    async (body) => {
      for (const accept of ['*/*', 'application/json, text/event-stream']) {
        const answer = await send('/mcp', keyed({ accept }), body)
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
          400,
          {
            jsonrpc: '2.0',
            id: null,
            error: { message: expect.stringMatching(/A batch is not taken: send each of its messages/) },
          },
        ])
      }
    },
  )
})

describe('the end of the service', () => {
  it('does not wait for a stream that has nothing to say, and lets a call under way finish', async () => {
    const ending = await startLocalService()
    const { key } = await ending.team()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let reached = () => {}
    const arrived = new Promise<void>((resolve) => (reached = resolve))
    ending.stubs.listSources = async () => {
      reached()
      await held
      return { sources: [], total: 0 }
    }
    const post = (method: string, params: object) =>
      fetch(`${ending.url}/mcp`, currentMessage({ method, params }, { 'x-api-key': key }))
    const stream = await post('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
    ])
    const call = post('tools/call', { name: 'list_sources', arguments: {} })
    await arrived
    const stopped = ending.stop()
    release()
    expect(
      ((await (await call).json()) as { result: { structuredContent: unknown } }).result.structuredContent,
    ).toEqual({ sources: [], total: 0 })
    // The service ended the stream properly; a stream that it waited for would be cut off, an error for the reader.
    await stream.text()
    await stopped
  })
})
