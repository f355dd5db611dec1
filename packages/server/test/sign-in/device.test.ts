/** The device flow: the command-line client shows a code, a signed-in person approves or denies it, the client gets a token. */
import { describe, expect, it } from 'vitest'
import { openBrowser, signedIn, type Browser } from './browser.ts'
import { origin, useSignIn } from './parts.ts'

const own = useSignIn()

const grant = 'urn:ietf:params:oauth:grant-type:device_code'
const client = () => openBrowser(own.signIn, origin)
const ask = async () =>
  (await client().post('/device/code', { client_id: 'les-cli' })).body as {
    device_code: string
    user_code: string
    verification_uri_complete: string
    interval: number
    expires_in: number
  }
const poll = async (device_code: string) => {
  // Skips the wait between the client's polls.
  await own.database.pool.query(`update sign_in."deviceCode" set "lastPolledAt" = null`)
  return await client().post('/device/token', { grant_type: grant, device_code, client_id: 'les-cli' })
}
const approve = (page: Browser, { user_code }: { user_code: string }) =>
  page.post('/device/approve', { userCode: user_code })
const person = async (): Promise<Browser> => {
  const page = openBrowser(own.signIn, origin)
  await signedIn(own.signIn, page)
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
    expect((await approve(page, { user_code })).status).toBe(200)
    const given = await poll(device_code)
    expect(given.status).toBe(200)
    expect(given.headers.get('cache-control')).toBe('no-store')
    expect(given.cookies).toEqual([])
    const bearing = (token: string) => own.signIn.session(new Headers({ authorization: `Bearer ${token}` }))
    expect(await bearing(given.body.access_token)).toMatchObject({ id: (await own.signIn.session(page.headers()))!.id })
    expect((await poll(device_code)).body).toMatchObject({ error: 'invalid_grant' })
    // The database does not contain the token itself, and the session is listed and ended like any other.
    const { rows } = await own.database.pool.query<{ token: string }>('select token from sign_in.session')
    for (const { token } of rows) expect(await bearing(token)).toBeNull()
    await page.post('/revoke-other-sessions')
    expect(await bearing(given.body.access_token)).toBeNull()
  })

  it('a code that is denied, too old, unknown or of another client gives no token, and is approved by nobody', async () => {
    const page = await person()
    const denied = await ask()
    await page.get(`/device?user_code=${denied.user_code}`)
    expect((await page.post('/device/deny', { userCode: denied.user_code })).status).toBe(200)
    expect((await approve(page, denied)).status).toBe(400)
    expect((await poll(denied.device_code)).body).toMatchObject({ error: 'access_denied' })
    const old = await ask()
    expect((await page.get(`/device?user_code=${old.user_code}`)).status).toBe(200)
    await own.database.pool.query(
      `update sign_in."deviceCode" set "expiresAt" = "expiresAt" - interval '11 minutes' where "deviceCode" = $1`,
      [old.device_code],
    )
    expect((await page.get(`/device?user_code=${old.user_code}`)).status).toBe(400)
    expect((await approve(page, old)).status).toBe(400)
    expect((await poll(old.device_code)).body).toMatchObject({ error: 'expired_token' })
    expect((await poll('unknown')).body).toMatchObject({ error: 'invalid_grant' })
    expect((await client().post('/device/code', { client_id: 'another' })).status).toBe(400)
  })

  it('nobody who is not signed in approves, nor anybody but the first to look at the code, nor another site', async () => {
    const { device_code, user_code } = await ask()
    expect((await approve(client(), { user_code })).status).toBe(401)
    const [first, second] = [await person(), await person()]
    await first.get(`/device?user_code=${user_code}`)
    expect((await approve(second, { user_code })).status).toBe(403)
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

  it('an approved code gives one token however many ask at once', async () => {
    const page = await person()
    const twice = await ask()
    await page.get(`/device?user_code=${twice.user_code}`)
    await approve(page, twice)
    const asked = { grant_type: grant, device_code: twice.device_code, client_id: 'les-cli' }
    const given = await Promise.all(Array.from({ length: 5 }, () => client().post('/device/token', asked)))
    expect(given.filter(({ body }) => typeof body.access_token === 'string')).toHaveLength(1)
    expect((await approve(page, twice)).status).toBe(400)
  })
})
