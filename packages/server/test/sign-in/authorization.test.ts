/** The authorization server for agent tools, as far as sign-in implements it: metadata, registration, keys (MCP-03). */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { openSignIn } from '../../src/sign-in/index.ts'
import { freshDatabase } from '../world/database.ts'
import { openBrowser, signedIn } from './browser.ts'
import { origin, signInParts, useSignIn } from './parts.ts'

const own = useSignIn()

const page = () => openBrowser(own.signIn, origin)
const registration = {
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1:7777/callback'],
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

describe('the authorization server', () => {
  it('a client registers itself, naming no address that the service would call; nobody makes or changes clients by hand', async () => {
    const made = await page().post('/oauth2/register', registration)
    expect(made.status).toBe(201)
    expect(made.body.client_secret).toBeUndefined()
    for (const field of ['backchannel_logout_uri', 'jwks_uri']) {
      expect(
        (await page().post('/oauth2/register', { ...registration, [field]: 'https://inside.example.com/x' })).body,
      ).toMatchObject({ error: 'invalid_client_metadata' })
    }
    const somebody = page()
    await signedIn(own.signIn, somebody)
    expect((await somebody.post('/oauth2/create-client', registration)).status).toBe(404)
    expect((await somebody.post('/admin/oauth2/create-client', registration)).status).toBe(404)
    const { rows } = await own.database.pool.query('select * from sign_in."oauthClient"')
    expect(rows).toHaveLength(1)
  })

  it('takes addresses of desktop programs whose schemes the operator allows, as they are, and no others [MCP-03]', async () => {
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const both = { ...registration, redirect_uris: [...registration.redirect_uris, cursor] }
    const made = await page().post('/oauth2/register', both)
    expect([made.status, made.body.redirect_uris]).toEqual([201, both.redirect_uris])
    const { rows } = await own.database.pool.query(
      'select "redirectUris" as held, jsonb_typeof("redirectUris") as kind from sign_in."oauthClient" where "clientId" = $1',
      [made.body.client_id],
    )
    expect(rows).toEqual([{ held: both.redirect_uris, kind: 'array' }])
    const narrowed = own.open({ limits: null, desktopSchemes: ['vscode'] })
    for (const [who, address] of [
      [page(), 'windsurf://codeium.windsurf/callback'],
      [page(), 'cursor-evil://anysphere.cursor-mcp/oauth/callback'],
      [page(), 'cursor://anysphere.cursor-mcp@evil.example/callback'],
      [page(), 'cursor:alert(1)'],
      [page(), 'javascript://anysphere.cursor-mcp/%0aalert(1)'],
      [openBrowser(narrowed, origin), cursor],
    ] as const)
      expect([
        address,
        (await who.post('/oauth2/register', { ...registration, redirect_uris: [address] })).status,
      ]).toEqual([address, 400])
  })

  it('what a stranger registers is bounded, and what is never read of it is not kept [SEC-03]', async () => {
    const refused = {
      'a long name': { client_name: 'x'.repeat(101) },
      'many addresses': { redirect_uris: Array.from({ length: 11 }, (_, at) => `http://127.0.0.1:7777/${at}`) },
      'a long address': { redirect_uris: [`http://127.0.0.1:7777/${'x'.repeat(500)}`] },
      'many contacts': { contacts: Array.from({ length: 6 }, (_, at) => `${at}@example.com`) },
      'a long contact': { contacts: ['x'.repeat(201)] },
      'a page that is a script': { logo_uri: 'javascript:alert(1)' },
      'a page that is data': { client_uri: 'data:text/html,x' },
      'a page of any name': { privacy_notice_uri: 'file:///etc/passwd' },
    }
    for (const [what, fields] of Object.entries(refused)) {
      const answer = await page().post('/oauth2/register', { ...registration, ...fields })
      expect([what, answer.status, answer.body.error]).toEqual([what, 400, 'invalid_client_metadata'])
    }
    const never = {
      client_uri: 'https://a.example',
      software_statement: 'x.y.z',
      software_id: 'a program of mine',
      policy_uri: 'http://b.example',
    }
    const atBounds = {
      client_name: 'x'.repeat(100),
      redirect_uris: Array.from({ length: 10 }, (_, at) => `http://127.0.0.1:7777/${at}`.padEnd(500, 'x')),
      contacts: Array.from({ length: 5 }, () => 'x'.repeat(200)),
    }
    const made = await page().post('/oauth2/register', { ...registration, ...never, ...atBounds })
    expect([made.status, made.body.client_name]).toEqual([201, atBounds.client_name])
    const { rows } = await own.database.pool.query('select * from sign_in."oauthClient" where "clientId" = $1', [
      made.body.client_id,
    ])
    for (const value of Object.values(never)) expect(JSON.stringify(rows)).not.toContain(value)
  })

  it('more than a thousand clients in a day are not registered, from whatever addresses, and the next day goes on [SEC-03]', async () => {
    const full = await freshDatabase()
    try {
      let nowMs = systemClock.nowMs()
      const busy = openSignIn(
        signInParts(full, { origin: () => origin, limits: null, system: { ...systemClock, nowMs: () => nowMs } }),
      )
      const register = () => openBrowser(busy, origin).post('/oauth2/register', registration)
      const fill = (count: number) =>
        full.pool.query(
          `insert into sign_in."oauthClient" (id, "clientId", "redirectUris", "createdAt")
           select gen_random_uuid()::text, gen_random_uuid()::text, '[]', $1 from generate_series(1, $2)`,
          [new Date(nowMs), count],
        )
      await fill(999)
      expect((await register()).status).toBe(201)
      const refused = await register()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
      nowMs += 25 * 3_600_000
      expect((await register()).status).toBe(201)
    } finally {
      await full.drop()
    }
  })

  it('only the routes that are named are open: any other of the library is none, under any spelling [SEC-02]', async () => {
    const somebody = page()
    await signedIn(own.signIn, somebody)
    const open = new Set<string>()
    for (const endpoint of Object.values(own.signIn.auth().api) as {
      path?: string
      options?: { method?: string | string[] }
    }[]) {
      const path = endpoint.path
      if (path === undefined) continue
      const methods = [endpoint.options?.method ?? 'GET'].flat()
      for (const method of methods) {
        const sent = await (method === 'GET' ? somebody.get(path) : somebody.post(path, {}))
        const isNone = sent.status === 404 && sent.body.error === 'No such endpoint' && sent.body.code === 'not_found'
        if (!isNone) open.add(path)
      }
    }
    expect([...open].sort()).toEqual(
      [
        '/change-password',
        '/device',
        '/device/approve',
        '/device/code',
        '/device/deny',
        '/device/token',
        '/get-session',
        '/invitation/read',
        '/jwks',
        '/list-sessions',
        '/oauth2/authorize',
        '/oauth2/consent',
        '/oauth2/public-client',
        '/oauth2/register',
        '/oauth2/revoke',
        '/oauth2/token',
        '/oauth2/userinfo',
        '/request-password-reset',
        '/reset-password',
        '/revoke-other-sessions',
        '/revoke-session',
        '/revoke-sessions',
        '/sign-in/email',
        '/sign-out',
        '/sign-up/email',
        '/update-user',
      ].sort(),
    )
    for (const path of [
      '/verify-password',
      '/verify-password/',
      '//verify-password',
      '/%76erify-password',
      '/Verify-Password',
      '/next-route',
    ])
      expect([path, (await somebody.post(path, { password: 'x' })).status]).toEqual([path, 404])
    expect((await somebody.get('/error?error_description=pay')).status).toBe(404)
  })

  it('its signing keys are sealed under the master key, and one that lost them makes new ones', async () => {
    const keys = await page().get('/jwks')
    expect(keys.body.keys).toHaveLength(1)
    const { rows } = await own.database.pool.query<{ privateKey: string }>('select "privateKey" from sign_in.jwks')
    expect(rows[0]!.privateKey).not.toContain('"d"')
    await own.database.pool.query('delete from sign_in.jwks')
    const renewed = own.open({ limits: null, vault: makeVault(randomBytes(32), randomBytes) })
    expect((await openBrowser(renewed, origin).get('/jwks')).body.keys[0].kid).not.toBe(keys.body.keys[0].kid)
  })
})
