/** `les mcp`: a client that starts it as a process gets the tools, and calls go to the service with the key of the caller. */
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type Stub } from './shell.ts'

const shim = fileURLToPath(new URL('../bin/les.mjs', import.meta.url))

let stub: Stub | undefined
afterEach(() => stub?.close())

describe('les mcp', () => {
  it('lists tools and calls the service', async () => {
    stub = await startStub(() => ({
      body: { balance: 7, used: 0, limit: 7, remaining: 7, plan: 'pro', nextReset: '2026-12-01T00:00:00.000Z' },
    }))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [shim, 'mcp', '--read-only', '--toolsets', 'account', '--base-url', stub.url],
        env: { PATH: '', LES_API_KEY: 'k-1' },
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('get_account')
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    const { structuredContent } = await client.callTool({ name: 'get_account', arguments: {} })
    expect(structuredContent).toMatchObject({ balance: 7 })
    expect(stub.received.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([['/api/v1/credits', 'k-1']])
    await client.close()
  })
  it('needs a key, and a toolset there is', async () => {
    expect((await les('mcp', { env: { LES_API_KEY: '' } })).code).toBe(4)
    expect((await les('mcp --toolsets nonsense')).code).toBe(2)
  })
})
