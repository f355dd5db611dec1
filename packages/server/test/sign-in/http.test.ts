import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { strictLimits } from '../../src/sign-in/index.ts'
import { useWorld } from '../world/world.ts'
import { makePerson, newPerson } from './browser.ts'
import { sendBytes } from '../edge/raw-socket.ts'

const world = useWorld({ overrides: { signInLimits: strictLimits } })

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/app/api/auth${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', origin: world.url, ...headers },
  })
const me = (headers: Record<string, string>) => fetch(`${world.url}/app/api/me`, { headers })
const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

describe('sign-in over HTTP', () => {
  it('the cookie of a sign-in opens the dashboard’s operations until its session is ended, and never those of keys', async () => {
    const person = newPerson()
    await makePerson(world.service.signIn, person)
    const made = await post('/sign-in/email', person)
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const cookie = cookieOf(made)
    expect(cookie).toMatch(/^__Host-les\.session_token=/)
    expect(await (await me({ cookie })).json()).toMatchObject({ user: { email: person.email }, teams: [] })
    expect((await fetch(`${world.url}/api/v1/leads`, { headers: { cookie } })).status).toBe(401)
    expect((await me({})).status).toBe(401)
    expect((await post('/sign-out', {}, { cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await me({ cookie })).status).toBe(200)
    expect((await post('/sign-out', {}, { cookie })).status).toBe(200)
    const after = await me({ cookie })
    expect([after.status, ((await after.json()) as { code: string }).code]).toEqual([401, 'session_required'])
  })

  it('a caller who claims another address with every try is counted all the same', async () => {
    const body = { email: newPerson().email, password: 'wrong horse battery' }
    const statuses: number[] = []
    for (let at = 1; at <= 6; at++)
      statuses.push(
        (await post('/sign-in/email', body, { 'x-les-peer': `203.0.113.${at}`, 'x-forwarded-for': `203.0.113.${at}` }))
          .status,
      )
    expect(statuses.at(-1)).toBe(429)
  })

  it('no method, target or text that a stranger sends makes it fail: NUL, halves of characters, hosts that are none', async () => {
    const posts = [
      ['/device/code', { client_id: 'les-cli', scope: 'a\0' }],
      [
        '/device/token',
        { device_code: 'a\0', client_id: 'les-cli', grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
      ],
      ['/reset-password', { newPassword: 'a long enough password', token: 'a\0' }],
      ['/oauth2/register', { client_name: 'a\0', redirect_uris: ['http://127.0.0.1:7777/callback'] }],
      ['/oauth2/register', { client_name: 'a\ud800', redirect_uris: ['http://127.0.0.1:7777/callback'] }],
      ['/sign-up/email', { ...newPerson(), name: 'a\0' }],
    ] as const
    for (const [path, body] of posts) {
      const refused = await post(path, body)
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        400,
        expect.objectContaining({ error: expect.stringContaining('NUL') }),
      ])
    }
    const form = await fetch(`${world.url}/app/api/auth/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'a\0', client_id: 'a' }),
      headers: { origin: world.url },
    })
    expect(form.status).toBe(400)
    expect((await fetch(`${world.url}/app/api/auth/device?user_code=%00`)).status).toBe(400)
    const lines = ['TRACE /app/api/auth/ok', 'GET http://[::/app/api/auth/ok', 'GET http://a:99999/app/api/auth/ok']
    for (const line of lines) {
      const { text } = await sendBytes(world.url, [`${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`])
      expect(text, line).toMatch(/^HTTP\/1\.1 [24]\d\d /)
    }
  })

  it('what it refuses says why, by which code and in which request, as every refusal of the service does [FIX-12, SEC-02]', async () => {
    const ofRequest = (answer: Response) => ({ requestId: answer.headers.get('x-request-id') })
    const closed = [
      '/app/api/auth/verify-password',
      '/app/api/auth/nothing',
      '/app/api/nothing',
      '/.well-known/oauth-nothing',
    ]
    for (const path of closed) {
      const answer = await fetch(`${world.url}${path}`)
      const isSession = path === '/app/api/nothing'
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        isSession ? 401 : 404,
        {
          error: isSession ? expect.any(String) : 'No such endpoint',
          code: isSession ? 'session_required' : 'not_found',
          ...ofRequest(answer),
        },
      ])
    }
    const wrong = await post('/change-password', { currentPassword: 'x', newPassword: 'another horse battery' })
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      expect.objectContaining({ error: expect.any(String), ...ofRequest(wrong) }),
    ])
    const body = { email: newPerson().email }
    const limited = await Promise.all(Array.from({ length: 6 }, () => post('/request-password-reset', body)))
    const refused = limited.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({
      error: expect.any(String),
      code: 'rate_limited',
      ...ofRequest(refused),
    })
  })

  it('takes no more of a stranger than it needs: 8 KB of a registration, 64 KB of anything else [SEC-03]', async () => {
    const redirect_uris = ['http://127.0.0.1:7777/callback']
    const register = async (software_statement: string) =>
      (await post('/oauth2/register', { redirect_uris, token_endpoint_auth_method: 'none', software_statement })).status
    expect([await register('x'.repeat(7_000)), await register('x'.repeat(9_000))]).toEqual([201, 413])
    const scope = (length: number) => post('/device/code', { client_id: 'les-cli', scope: 'x'.repeat(length) })
    const asked = await Promise.all([200, 201, 70_000].map(scope))
    expect(asked.map(({ status }) => status)).toEqual([200, 400, 413])
    const picture = 'x'.repeat(10_000)
    await post('/sign-up/email', { ...newPerson(), image: picture })
    const { rows } = await world.database.pool.query('select 1 from sign_in."user" where image is not null')
    expect(rows).toEqual([])
  })

  it('paths that a stranger makes up are none of the metadata, and leave nothing in the database [SEC-03]', async () => {
    const made = ['oauth-', 'oauth-protected-resource/', 'openid-configuration/'].map(
      (path, index) => path + 'x'.repeat(50 + index),
    )
    for (const path of [...made, `oauth-${randomBytes(10_000).toString('hex')}`]) {
      const answer = await fetch(`${world.url}/.well-known/${path}`)
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
    }
    const { rows } = await world.database.pool.query(
      `select key from sign_in."rateLimit" where key like '%well-known%'`,
    )
    expect(rows).toEqual([])
  })
})
