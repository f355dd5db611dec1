/** Commands that need a signed-in person, and commands that combine several reads. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { les, startStub, type Circumstances, type ReceivedRequest, type Reply, type Stub } from './shell.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
let stub: Stub
let home: string
let answer: (request: ReceivedRequest, nth: number) => Reply
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'les-person-'))
  stub = await startStub((request, nth) => answer(request, nth))
  mkdirSync(join(home, 'les'), { mode: 0o700 })
  keep({ session: { token: 'secret-token', teamId: 'team-1', teamName: 'North' }, apiKey: 'cs_x' })
})
afterEach(async () => {
  await stub.close()
  rmSync(home, { recursive: true })
})
const file = () => join(home, 'les', 'config.json')
const keep = (profile: object) =>
  writeFileSync(
    file(),
    JSON.stringify({ current: 'default', profiles: { default: { baseUrl: stub.url, ...profile } }, settings: {} }),
    { mode: 0o600 },
  )
const run = (argv: string | readonly string[], more: Circumstances = {}) =>
  les(argv, { ...more, env: { XDG_CONFIG_HOME: home, LES_API_KEY: '', LES_SIGNING_SECRET: secret, ...more.env } })
const call = {
  id: '0199aa00-0000-7000-8000-000000000001',
  at: '2026-11-21T09:00:00.000Z',
  surface: 'api',
  operation: 'enrichProfile',
  method: 'POST',
  path: '/enrich/profile',
  status: 409,
  code: 'spend_confirmation_required',
  durationMs: 12,
  caller: { kind: 'key', id: 'k', name: 'CI (cs_…)' },
  requestId: 'r-1',
  standsFor: 1,
}

describe('the log of calls', () => {
  it('is asked for with the session of the person, and shown as rows', async () => {
    answer = () => ({ body: { requests: [call], nextCursor: null } })
    const { code, stdout } = await run('requests list --status 4xx')
    expect([code, stdout.split('\t').slice(0, 3)]).toEqual([0, [call.at, '409', call.code]])
    expect(stub.received[0]).toMatchObject({
      path: '/app/api/teams/team-1/requests',
      query: { status: '4xx' },
      headers: { authorization: 'Bearer secret-token' },
    })
    expect(stub.received[0]!.headers['x-api-key']).toBeUndefined()
  })

  it('shows a call as the command that makes it again', async () => {
    answer = () => ({ body: { request: call, body: {}, curl: 'curl …', les: 'les enrich profile --username x' } })
    expect(await run(['requests', 'show', call.id, '--as', 'les'])).toMatchObject({
      code: 0,
      stdout: 'les enrich profile --username x\n',
    })
    expect(stub.received[0]!.path).toBe(`/app/api/teams/team-1/requests/${call.id}`)
  })

  it('ends with 4 without a session, and when it has ended; no token is ever shown', async () => {
    answer = () => ({ status: 401, body: { error: 'Sign in', code: 'session_required' } })
    const ended = await run('requests list --debug')
    expect([ended.code, ended.stderr.includes('secret-token')]).toEqual([4, false])
    keep({ apiKey: 'cs_x' })
    expect(await run('deliveries list')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('les auth login --session'),
    })
    keep({ session: { token: 't', teamId: 'team-1', teamName: 'North' }, baseUrl: 'https://elsewhere.example' })
    expect((await run(['requests', 'list', '--base-url', stub.url])).code).toBe(4)
    expect(stub.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token'])
  })
})

it('a delivery is sent again under a key that makes trying twice safe', async () => {
  answer = () => ({ body: { delivery: { id: 'd1', state: 'pending' } } })
  expect((await run('deliveries replay d1')).code).toBe(0)
  expect(stub.received[0]).toMatchObject({
    method: 'POST',
    path: '/app/api/teams/team-1/deliveries/d1/replay',
    body: {},
  })
  expect(stub.received[0]!.headers['idempotency-key']).toMatch(/./)
})

it('les auth login --session keeps the session beside the key, and logout ends it at the service', async () => {
  answer = ({ path }) => {
    if (path.endsWith('/device/code'))
      return { body: { user_code: 'AB', device_code: 'd', verification_uri: 'http://x/', interval: 1, expires_in: 60 } }
    if (path.endsWith('/device/token')) return { body: { access_token: 'new-token' } }
    if (path.endsWith('/me')) return { body: { teams: [{ id: 'team-2', name: 'South', role: 'viewer' }] } }
    return { body: {} }
  }
  const { code, stdout } = await run(['auth', 'login', '--session', '--base-url', stub.url])
  expect([code, stdout]).toEqual([0, `signed in\tdefault\t${stub.url}\tSouth\n`])
  expect(JSON.parse(readFileSync(file(), 'utf8')).profiles.default).toEqual({
    baseUrl: stub.url,
    apiKey: 'cs_x',
    session: { token: 'new-token', teamId: 'team-2', teamName: 'South' },
  })
  // A key of another service is useless here and must not be sent.
  keep({ apiKey: 'cs_x', baseUrl: 'https://elsewhere.example' })
  await run(['auth', 'login', '--session', '--base-url', stub.url])
  expect(JSON.parse(readFileSync(file(), 'utf8')).profiles.default).toEqual({
    baseUrl: stub.url,
    session: { token: 'new-token', teamId: 'team-2', teamName: 'South' },
  })
  expect((await run('auth logout')).code).toBe(0)
  expect(stub.received.at(-1)).toMatchObject({
    path: '/app/api/auth/sign-out',
    headers: { authorization: 'Bearer new-token' },
  })
})

it('les webhooks listen --hosted shows deliveries made since, signed anew so that a receiver here verifies them, and none of somebody excluded [EXC-10]', async () => {
  const taken: ReceivedRequest[] = []
  const receiver = await startStub((request) => {
    taken.push(request)
    return { status: 204, text: '' }
  })
  let lists = 0
  answer = ({ path }) => {
    if (path.endsWith('/deliveries')) {
      const rows = lists++ === 0 ? [{ id: 'old' }] : [{ id: 'new' }, { id: 'gone' }, { id: 'old' }]
      return { body: { deliveries: rows, nextCursor: null } }
    }
    if (path.endsWith('/gone'))
      return {
        body: { delivery: { id: 'gone', event: 'lead.detected', state: 'excluded' }, payload: '{}', attempts: [] },
      }
    const payload = lists < 3 ? null : JSON.stringify({ id: 'new', event: 'lead.detected', lead: { name: 'Jane' } })
    return { body: { delivery: { id: 'new', event: 'lead.detected', state: 'sent' }, payload, attempts: [] } }
  }
  const { code, stdout } = await run(
    ['webhooks', 'listen', '--hosted', '--count', '1', '--json', '--forward-to', `${receiver.url}/hook`],
    { now: 1_700_000_000_000 },
  )
  await receiver.close()
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { verified: true, forwarded: 204, event: { id: 'new', event: 'lead.detected', lead: { name: 'Jane' } } },
  ])
  expect(taken.map(({ body }) => body)).toEqual([{ id: 'new', event: 'lead.detected', lead: { name: 'Jane' } }])
})

describe('with a key', () => {
  const lead = (id: string) => ({ id, name: `Lead ${id}` })
  it('les leads tail gives each new lead once, oldest first, and goes on after a failure', async () => {
    const pages: Reply[] = [
      { body: { leads: [lead('1')], hasMore: false } },
      { body: { leads: [lead('1')], hasMore: false } },
      { status: 503, body: { error: 'Busy', code: 'unavailable' } },
      { status: 503, body: { error: 'Busy', code: 'unavailable' } },
      { status: 503, body: { error: 'Busy', code: 'unavailable' } },
      { status: 503, body: { error: 'Busy', code: 'unavailable' } },
      { body: { leads: [lead('3'), lead('2'), lead('1')], hasMore: false } },
    ]
    answer = (_request, nth) => pages[nth - 1] ?? pages.at(-1)!
    const { code, stdout } = await run('leads tail --count 2 --json')
    expect([code, stdout]).toEqual([0, `${JSON.stringify(lead('2'))}\n${JSON.stringify(lead('3'))}\n`])
  })

  it('les usage gives rows by day or by source, as CSV too', async () => {
    answer = () => ({
      body: {
        from: 'a',
        to: 'b',
        total: 3,
        byDate: [{ date: '2026-11-21', credits: 3 }],
        bySource: [{ sourceId: null, type: 'posts_read', label: '=1+1', credits: 3 }],
      },
    })
    expect((await run('usage --csv')).stdout).toBe('date,credits\r\n2026-11-21,3\r\n')
    expect((await run('usage --by source --csv')).stdout).toContain(",posts_read,'=1+1,3")
  })

  it('les sources show and les keyword list put reads together, and say what is not there', async () => {
    answer = ({ path, query }) =>
      path.endsWith('/sync')
        ? { body: { state: 'idle' } }
        : {
            body: {
              sources: [{ id: 's1', username: 'jane', status: 'active', type: query.type ?? 'person' }],
              total: 1,
            },
          }
    expect(JSON.parse((await run('sources show jane --json')).stdout)).toMatchObject({
      id: 's1',
      sync: { state: 'idle' },
    })
    expect((await run('sources show nobody')).code).toBe(5)
    expect((await run('keyword list')).code).toBe(0)
    expect(stub.received.at(-1)!.query).toEqual({ type: 'keyword' })
  })
})
