/** How much one caller of the agent tools can take of shared resources: waiting streams, and calls of no operation. */
import { describe, expect, it } from 'vitest'
import { toolStreamLimits } from '../../src/edge/mcp/index.ts'
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'
import { at, memberOf } from '../dashboard/stage.ts'
import { App } from '../sign-in/app.ts'
import { useWorld } from '../world/world.ts'
import { currentMessage } from './client.ts'

/** Makes the 20-second timer run all the time. */
const quick: SystemClock = { ...systemClock, every: (ms, work) => systemClock.every(ms === 20_000 ? 20 : ms, work) }
const world = useWorld({ overrides: { system: quick, signInLimits: null } })

type Sent = { readonly method: string; readonly params?: object; readonly signal?: AbortSignal }

const send = (credential: string, { method, params = {}, signal }: Sent): Promise<Response> =>
  fetch(`${world.url}/mcp`, {
    ...currentMessage({ method, params, id: 7 }, { authorization: `Bearer ${credential}` }),
    ...(signal === undefined ? {} : { signal }),
  })

type Stream = {
  readonly status: number
  readonly body: any
  readonly ended: Promise<string>
  readonly leave: () => void
}

async function listen(credential: string): Promise<Stream> {
  const leaving = new AbortController()
  const response = await send(credential, {
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
    signal: leaving.signal,
  })
  const isStream = response.headers.get('content-type')!.startsWith('text/event-stream')
  const ended = isStream ? response.text() : Promise.resolve('')
  ended.catch(() => {})
  return { status: response.status, body: isStream ? null : await response.json(), ended, leave: () => leaving.abort() }
}

const several = async (count: number, credential: string): Promise<Stream[]> =>
  await Promise.all(Array.from({ length: count }, () => listen(credential)))

describe('streams of the agent tools', () => {
  it('are 5 a caller and 20 a team, so that another team has its own, and one that was closed makes room [SEC-05]', async () => {
    const [team, other] = [await world.team(), await world.team()]
    const open = await several(toolStreamLimits.caller, team.apiKey)
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
    const refused = await listen(team.apiKey)
    expect([refused.status, refused.body]).toEqual([
      429,
      { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'You have 5 streams open: close one of them first' } },
    ])
    for (const name of ['second', 'third', 'fourth'])
      open.push(...(await several(toolStreamLimits.caller, (await team.post('/keys', { name })).body.key)))
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: toolStreamLimits.team }, () => 200))
    const { key } = (await team.post('/keys', { name: 'fifth' })).body
    expect((await listen(key)).body.error.message).toBe('The team has 20 streams open: close one of them first')
    const theirs = await listen(other.apiKey)
    expect(theirs.status).toBe(200)
    open[0]!.leave()
    await expect.poll(async () => (await listen(key)).status).toBe(200)
    // A refused stream does not affect other streams and calls.
    expect((await send(team.apiKey, { method: 'tools/list' })).status).toBe(200)
    for (const stream of [...open, theirs]) stream.leave()
  })

  it('end when their key is revoked, and those of other keys go on [SEC-05]', async () => {
    const team = await world.team()
    const spare = (await team.post('/keys', { name: 'spare' })).body
    const [ending, staying] = [await listen(spare.key), await listen(team.apiKey)]
    let isOver = false
    staying.ended.then(
      () => (isOver = true),
      () => {},
    )
    await team.del(`/keys/${spare.id}`)
    expect(await ending.ended).toContain('notifications/subscriptions/acknowledged')
    expect(isOver).toBe(false)
    staying.leave()
  })

  it('end when the access of an app, or the membership behind it, has ended [SEC-05]', async () => {
    const team = await world.team()
    await memberOf(world, team, 'owner')
    const [one, two] = [await memberOf(world, team, 'owner'), await memberOf(world, team, 'member')]
    const [app, other] = [await new App(world).register(), await new App(world).register()]
    const first = await listen((await app.signIn(one, team.id)).access_token)
    const second = await listen((await other.signIn(two, team.id)).access_token)
    const { connections } = (await one.send('GET', '/app/api/connections')).body
    await one.send('DELETE', `/app/api/connections/${connections[0].id}`)
    expect(await first.ended).toContain('acknowledged')
    await at(two, team.id).post('/leave')
    expect(await second.ended).toContain('acknowledged')
  })
})

describe('questions that call nothing', () => {
  it('count in a window of the team, ten times as wide as its reads, which leaves that of its calls alone [SEC-05]', async () => {
    const team = await world.team({ limits: { reads: 1, writes: 5 } })
    const methods: Sent[] = [
      { method: 'tools/list' },
      { method: 'prompts/list' },
      { method: 'prompts/get', params: { name: 'weekly_review' } },
      { method: 'resources/list' },
      { method: 'resources/templates/list' },
      { method: 'resources/read', params: { uri: 'les://errors', name: 'les://errors' } },
      { method: 'server/discover' },
      {
        method: 'completion/complete',
        params: { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } },
      },
      // Calls that reach no operation: an unknown tool, and an argument the tool does not take.
      { method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
      { method: 'tools/call', params: { name: 'get_account', arguments: { wrong: 1 } } },
    ]
    for (const message of methods)
      expect([message.method, (await send(team.apiKey, message)).status]).not.toContain(429)
    for (const message of methods) {
      const refused = await send(team.apiKey, message)
      expect([message.method, refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
        message.method,
        429,
        expect.closeTo(30, -2),
      ])
      expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    }
    const call = { method: 'tools/call', params: { name: 'get_account', arguments: { from: null } } }
    expect((await (await send(team.apiKey, call)).json()) as object).toMatchObject({
      result: { structuredContent: {} },
    })
    expect(((await (await send(team.apiKey, call)).json()) as any).result.content[0].text).toMatch(/^Error 429/)
    expect((await send((await world.team()).apiKey, { method: 'tools/list' })).status).toBe(200)
    await world.advance('1m')
    expect((await send(team.apiKey, { method: 'tools/list' })).status).toBe(200)
  })
})
