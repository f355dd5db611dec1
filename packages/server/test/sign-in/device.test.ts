/** The device flow: the command-line client shows a code, a signed-in person says yes or no, the client gets a token. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSignIn, type SignIn } from '../../src/sign-in/index.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { openBrowser, signedIn, type Browser } from './browser.ts'
import { signInParts } from './parts.ts'

const origin = 'https://leads.example.com'
let database: TestDatabase
let signIn: SignIn
beforeAll(async () => {
  database = await freshDatabase()
  signIn = openSignIn(signInParts(database, { origin: () => origin, limits: null }))
})
afterAll(() => database.drop())

const grant = 'urn:ietf:params:oauth:grant-type:device_code'
/** A client has no cookies and no page. */
const client = () => openBrowser(signIn, origin)
const ask = async () =>
  (await client().post('/device/code', { client_id: 'les-cli' })).body as {
    device_code: string
    user_code: string
    verification_uri_complete: string
    interval: number
    expires_in: number
  }
const poll = async (device_code: string) => {
  // The client waits between its questions; the test does not.
  await database.pool.query(`update sign_in."deviceCode" set "lastPolledAt" = null`)
  return await client().post('/device/token', { grant_type: grant, device_code, client_id: 'les-cli' })
}
const person = async (): Promise<Browser> => {
  const page = openBrowser(signIn, origin)
  await signedIn(signIn, page)
  return page
}

describe('the device flow', () => {
  it('a code that a signed-in person approves becomes a token of theirs, once', async () => {
    const page = await person()
    const { device_code, user_code, verification_uri_complete, interval, expires_in } = await ask()
    expect(verification_uri_complete).toBe(`${origin}/device?user_code=${user_code}`)
    expect([interval, expires_in]).toEqual([5, 600])
    expect((await poll(device_code)).body).toMatchObject({ error: 'authorization_pending' })
    expect((await page.get(`/device?user_code=${user_code}`)).body).toMatchObject({
      status: 'pending',
      client_id: 'les-cli',
    })
    expect((await page.post('/device/approve', { userCode: user_code })).status).toBe(200)
    const given = await poll(device_code)
    expect(given.status).toBe(200)
    expect(given.headers.get('cache-control')).toBe('no-store')
    expect(given.cookies).toEqual([])
    const bearing = (token: string) => signIn.session(new Headers({ authorization: `Bearer ${token}` }))
    expect(await bearing(given.body.access_token)).toMatchObject({ id: (await signIn.session(page.headers()))!.id })
    expect((await poll(device_code)).body).toMatchObject({ error: 'invalid_grant' })
    // What lies in the database is no token, and the session is listed and ended like any other.
    const { rows } = await database.pool.query<{ token: string }>('select token from sign_in.session')
    for (const { token } of rows) expect(await bearing(token)).toBeNull()
    await page.post('/revoke-other-sessions')
    expect(await bearing(given.body.access_token)).toBeNull()
  })

  it('a code that is denied, too old, unknown or of another client gives no token', async () => {
    const page = await person()
    const denied = await ask()
    await page.get(`/device?user_code=${denied.user_code}`)
    expect((await page.post('/device/deny', { userCode: denied.user_code })).status).toBe(200)
    expect((await poll(denied.device_code)).body).toMatchObject({ error: 'access_denied' })
    const old = await ask()
    await database.pool.query(
      `update sign_in."deviceCode" set "expiresAt" = "expiresAt" - interval '11 minutes' where "deviceCode" = $1`,
      [old.device_code],
    )
    expect((await page.get(`/device?user_code=${old.user_code}`)).status).toBe(400)
    expect((await poll(old.device_code)).body).toMatchObject({ error: 'expired_token' })
    expect((await poll('unknown')).body).toMatchObject({ error: 'invalid_grant' })
    expect((await client().post('/device/code', { client_id: 'another' })).status).toBe(400)
  })

  it('asking too often is told to slow down', async () => {
    const { device_code } = await ask()
    await poll(device_code)
    expect(
      (await client().post('/device/token', { grant_type: grant, device_code, client_id: 'les-cli' })).body,
    ).toMatchObject({ error: 'slow_down' })
  })

  it('nobody who is not signed in approves, nor anybody but the first to look at the code, nor another site', async () => {
    const { device_code, user_code } = await ask()
    expect((await client().post('/device/approve', { userCode: user_code })).status).toBe(401)
    const [first, second] = [await person(), await person()]
    await first.get(`/device?user_code=${user_code}`)
    expect((await second.post('/device/approve', { userCode: user_code })).status).toBe(403)
    expect(
      (
        await first.post(
          '/device/approve',
          { userCode: user_code },
          { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        )
      ).status,
    ).toBe(403)
    expect((await poll(device_code)).body).toMatchObject({ error: 'authorization_pending' })
  })

  it('an approved code gives one token however many ask at once, and a code that is over is approved by nobody', async () => {
    const page = await person()
    const look = (code: string) => page.get(`/device?user_code=${code}`)
    const approve = (code: string) => page.post('/device/approve', { userCode: code })
    const twice = await ask()
    await look(twice.user_code)
    await approve(twice.user_code)
    const asked = { grant_type: grant, device_code: twice.device_code, client_id: 'les-cli' }
    const given = await Promise.all(Array.from({ length: 5 }, () => client().post('/device/token', asked)))
    expect(given.filter(({ body }) => typeof body.access_token === 'string')).toHaveLength(1)
    expect((await approve(twice.user_code)).status).toBe(400)
    const denied = await ask()
    await look(denied.user_code)
    await page.post('/device/deny', { userCode: denied.user_code })
    expect((await approve(denied.user_code)).status).toBe(400)
    expect((await poll(denied.device_code)).body).toMatchObject({ error: 'access_denied' })
    const old = await ask()
    await look(old.user_code)
    await database.pool.query(
      `update sign_in."deviceCode" set "expiresAt" = "expiresAt" - interval '11 minutes' where "deviceCode" = $1`,
      [old.device_code],
    )
    expect((await approve(old.user_code)).status).toBe(400)
    expect((await poll(old.device_code)).body).toMatchObject({ error: 'expired_token' })
  })
})
