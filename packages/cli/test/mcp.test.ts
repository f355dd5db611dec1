/** `les mcp`: a client that starts it as a process gets the tools, and calls go to the service with the key of the caller. */
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { les, type Stub } from './shell.ts'

const _shim = fileURLToPath(new URL('../bin/les.mjs', import.meta.url))

let stub: Stub | undefined
afterEach(() => stub?.close())

describe('les mcp', () => {
  it('needs a key, and a toolset there is', async () => {
    expect((await les('mcp', { env: { LES_API_KEY: '' } })).code).toBe(4)
    expect((await les('mcp --toolsets nonsense')).code).toBe(2)
  })
})
