/** Signing in by a code: how often the service is polled, what is printed, and what is stored. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { les, startStub, type Circumstances, type Reply, type Stub } from './shell.ts'

const code = {
  user_code: 'ABCD2345',
  device_code: 'secret-device-code',
  verification_uri_complete: 'http://service/device?user_code=ABCD2345',
  interval: 5,
  expires_in: 600,
}
const teams = [
  { id: 'north', name: 'North', role: 'owner' },
  { id: 'south', name: 'South', role: 'owner' },
  { id: 'west', name: 'West', role: 'member' },
]
const pending: Reply = { status: 400, body: { error: 'authorization_pending' } }
const approved: Reply = { body: { access_token: 'secret-session-token' } }

let stub: Stub
let home: string
let polls: Reply[]
let owned: typeof teams
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'les-home-'))
  ;[polls, owned] = [[approved], teams.slice(0, 1)]
  stub = await startStub(({ path }) => {
    if (path.endsWith('/device/code')) return { body: code }
    if (path.endsWith('/device/token')) return polls.shift() ?? pending
    if (path.endsWith('/me')) return { body: { teams: owned } }
    if (path.endsWith('/device/key')) return { status: 201, body: { key: 'cs_made_by_code' } }
    return {
      body: { balance: 9, used: 1, limit: 10, remaining: 9, plan: 'pro', nextReset: '2026-12-01T00:00:00.000Z' },
    }
  })
})
afterEach(async () => {
  await stub.close()
  rmSync(home, { recursive: true })
})

const run = (flags: readonly string[] = [], more: Circumstances = {}) =>
  les(['auth', 'login', '--base-url', stub.url, ...flags], {
    tty: true,
    ...more,
    env: { XDG_CONFIG_HOME: home, LES_API_KEY: '' },
  })
const paths = () => stub.received.map(({ path }) => path.replace(/^\/app\/api|^\/api\/v1/, ''))
const stored = () => readFileSync(join(home, 'les', 'config.json'), 'utf8')

describe('les auth login at a terminal', () => {
  it('shows the code and the address, waits as long as it is told to, and keeps the key alone [CLI-01]', async () => {
    polls = [pending, { status: 400, body: { error: 'slow_down' } }, { status: 503, body: {} }, approved]
    const outcome = await run(['--quiet', '--debug'])
    expect([outcome.code, outcome.pausesMs]).toEqual([0, [5000, 5000, 10_000, 10_000]])
    expect(outcome.stderr).toContain('Open http://service/device?user_code=ABCD2345\nand approve the code ABCD2345\n')
    expect(stored()).toContain('cs_made_by_code')
    expect(`${outcome.stdout}${outcome.stderr}${stored()}`).not.toContain('secret-')
    expect(stub.received.find(({ path }) => path.endsWith('/device/key'))).toMatchObject({
      body: { teamId: 'north', name: expect.stringMatching(/^les on ./) },
      headers: { authorization: 'Bearer secret-session-token' },
    })
    expect(stub.received.every(({ headers }) => headers.origin === undefined && headers.cookie === undefined)).toBe(
      true,
    )
  })

  it('asks which team when several are owned, and ends the session when the question is stopped [CLI-01]', async () => {
    owned = teams
    expect((await run([], { answers: ['south'] })).code).toBe(0)
    expect(stub.received.find(({ path }) => path.endsWith('/device/key'))?.body).toMatchObject({ teamId: 'south' })
    ;[polls, stub.received.length] = [[approved], 0]
    expect((await run([], { answers: [undefined] })).code).toBe(130)
    expect(paths()).toEqual(['/auth/device/code', '/auth/device/token', '/me', '/auth/sign-out'])
    polls = [approved]
    expect((await run(['--team', 'West'])).code).toBe(2)
  })

  it('gives up when the code is denied or too old [CLI-01]', async () => {
    for (const error of ['access_denied', 'expired_token']) {
      polls = [{ status: 400, body: { error } }]
      expect((await run()).code).toBe(4)
    }
    const outcome = await run()
    expect([outcome.code, outcome.stderr]).toEqual([4, expect.stringContaining('too old')])
    expect(outcome.pausesMs.length).toBeLessThanOrEqual(121)
  })

  it('asks for a key with --with-key, and where a service knows no codes [CLI-01]', async () => {
    expect((await run(['--with-key'], { answers: ['cs_typed'] })).code).toBe(0)
    expect(paths()).toEqual(['/credits'])
    const old = await startStub(({ path }) =>
      path.endsWith('/credits')
        ? { body: { balance: 1, used: 0, limit: 1, remaining: 1, plan: 'pro', nextReset: '2026-12-01T00:00:00.000Z' } }
        : { status: 404, body: { error: 'Not found' } },
    )
    expect((await run(['--base-url', old.url], { answers: ['cs_typed'] })).code).toBe(0)
    expect((await run(['--base-url', old.url, '--device'])).code).toBe(2)
    await old.close()
  })
})
