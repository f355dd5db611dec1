/** The agent tools over standard input and output, as `les mcp` serves them; calls go to the service over HTTP. */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { createClient } from '@les/contract'
import { serveStdio } from '@les/mcp'
import { afterEach, describe, expect, it } from 'vitest'
import { silent, sourcesOf } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld()
const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: any
  readonly result?: any
  readonly error?: any
}

/** A client that writes protocol lines itself; `user` answers questions. */
function speaker(apiKey: string, url: string, user?: (message: string) => object) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const server = serveStdio({
    client: createClient({ baseUrl: url, apiKey, retry: false }),
    view: { toolsets: null, readOnly: false },
    clock: { now: () => performance.now(), id: () => `question-${Math.random()}` },
    streams: { input, output },
  })
  undo.push(() => server.close())
  const waiting = new Map<number, (message: Message) => void>()
  let rest = ''
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as Message
      if (message.method === 'elicitation/create')
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: user!(message.params.message) })}\n`)
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  let ids = 0
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      const id = ++ids
      waiting.set(id, resolve)
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  return {
    ask,
    input,
    hello: async () => {
      const greeting = await ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: user ? { elicitation: {} } : {},
        clientInfo: { name: 'tests', version: '1' },
      })
      input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
      return greeting
    },
    call: async (name: string, given: object) => (await ask('tools/call', { name, arguments: given })).result,
  }
}

const costly = (username: string) => ({ kind: 'person', username, mode: 'posts_only', postsPerSync: 7 })

describe('over standard input and output', () => {
  it('the same tools give the same answers and refusals, and read arguments the same way [MCP-01, WLD-05]', async () => {
    const team = await world.team({ credits: 40 })
    const { ask, hello, call } = speaker(team.apiKey, world.url)
    expect((await hello()).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'lead-engagement-service' },
    })
    expect((await ask('tools/list', {})).result.tools.length).toBeGreaterThan(15)
    expect((await call('get_account', {})).structuredContent).toEqual((await team.get('/credits')).body)
    expect((await call('get_sync_status', { by: 'person', username: 'nobody' })).content[0].text).toMatch(
      /^Error 404: Not tracked/,
    )
    expect((await call('get_account', { what: 'keys', from: null })).structuredContent.keys).toHaveLength(1)
    expect((await call('get_job', { of: null })).content[0].text).toMatch(/^Error 400: `?jobId`? is required/)
    const username = silent(world)
    const skipping = { ...costly(username), confirmSpend: true }
    const [{ text }] = (await call('track_source', skipping)).content
    expect(await sourcesOf(team)).toEqual([])
    const repeated = JSON.parse(/track_source (\{.*\})/.exec(text)![1]!)
    expect(repeated).toMatchObject({ ...costly(username), quoteToken: expect.stringMatching(/./) })
    const { quoteToken } = repeated
    expect((await call('track_source', { ...costly(silent(world)), quoteToken })).content[0].text).toMatch(
      /^That confirmation is not for this call/,
    )
    expect((await call('track_source', repeated)).isError ?? false).toBe(false)
    expect(await sourcesOf(team)).toMatchObject([{ username, postsPerSync: 7 }])
  })

  it('a client of 2025 with forms is asked before spending, and its yes performs it', async () => {
    const team = await world.team({ credits: 40 })
    const asked: string[] = []
    let word: object = { action: 'decline' }
    const { hello, call } = speaker(team.apiKey, world.url, (message) => (asked.push(message), word))
    await hello()
    const username = silent(world)
    expect((await call('track_source', costly(username))).content[0].text).toMatch(/^The user did not agree/)
    word = { action: 'accept', content: { confirm: true } }
    expect((await call('track_source', costly(username))).isError ?? false).toBe(false)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('up to 7 credits a day')
    expect(await sourcesOf(team)).toMatchObject([{ username, mode: 'posts_only', postsPerSync: 7 }])
  })

  it('a service that cannot be reached is an answer too, and the end of input ends it', async () => {
    const { hello, call, input } = speaker('cs_x', 'http://127.0.0.1:9')
    await hello()
    expect(await call('get_account', {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('cannot be reached') }],
    })
    expect(input.listenerCount('data')).toBe(1)
    const closed = once(input, 'close')
    input.end()
    await closed
    expect(input.listenerCount('data')).toBe(0)
  })
})
