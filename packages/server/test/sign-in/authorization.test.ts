/** The authorization server for agent tools, as far as sign-in carries it: metadata, registration, keys (MCP-03). */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeVault } from '../../src/platform/secrets.ts'
import { openSignIn, type SignIn } from '../../src/sign-in/index.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { openBrowser, signedIn } from './browser.ts'
import { signInParts } from './parts.ts'

const origin = 'https://leads.example.com'
let database: TestDatabase
let signIn: SignIn
beforeAll(async () => {
  database = await freshDatabase()
  signIn = openSignIn(signInParts(database, { origin: () => origin, limits: null }))
})
afterAll(() => database.drop())

const page = () => openBrowser(signIn, origin)
const registration = {
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1:7777/callback'],
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

describe('the authorization server', () => {
  it('says where it is and what it protects, below the root of the public address', async () => {
    const server = await page().get('/.well-known/oauth-authorization-server/app/api/auth')
    expect(server.status).toBe(200)
    expect(server.body).toMatchObject({
      issuer: `${origin}/app/api/auth`,
      registration_endpoint: `${origin}/app/api/auth/oauth2/register`,
      code_challenge_methods_supported: ['S256'],
    })
    const resource = await page().get('/.well-known/oauth-protected-resource/mcp')
    expect(resource.body).toMatchObject({
      resource: `${origin}/mcp`,
      authorization_servers: [`${origin}/app/api/auth`],
      scopes_supported: ['leads'],
    })
  })

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
    await signedIn(signIn, somebody)
    expect((await somebody.post('/oauth2/create-client', registration)).status).toBe(404)
    expect((await somebody.post('/admin/oauth2/create-client', registration)).status).toBe(404)
    const { rows } = await database.pool.query('select * from sign_in."oauthClient"')
    expect(rows).toHaveLength(1)
  })

  it('takes addresses of desktop programs whose schemes the operator allows, as they are, and no others [MCP-03]', async () => {
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const both = { ...registration, redirect_uris: [...registration.redirect_uris, cursor] }
    const made = await page().post('/oauth2/register', both)
    expect([made.status, made.body.redirect_uris]).toEqual([201, both.redirect_uris])
    const { rows } = await database.pool.query(
      'select "redirectUris" as held, jsonb_typeof("redirectUris") as kind from sign_in."oauthClient" where "clientId" = $1',
      [made.body.client_id],
    )
    expect(rows).toEqual([{ held: both.redirect_uris, kind: 'array' }])
    const narrowed = openSignIn(
      signInParts(database, { origin: () => origin, limits: null, desktopSchemes: ['vscode'] }),
    )
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

  it('its signing keys are sealed under the master key, and one that lost them makes new ones', async () => {
    const keys = await page().get('/jwks')
    expect(keys.body.keys).toHaveLength(1)
    const { rows } = await database.pool.query<{ privateKey: string }>('select "privateKey" from sign_in.jwks')
    expect(rows[0]!.privateKey).not.toContain('"d"')
    await database.pool.query('delete from sign_in.jwks')
    const renewed = openSignIn(
      signInParts(database, { origin: () => origin, limits: null, vault: makeVault(randomBytes(32), randomBytes) }),
    )
    expect((await openBrowser(renewed, origin).get('/jwks')).body.keys[0].kid).not.toBe(keys.body.keys[0].kid)
  })
})
