import { PassThrough } from 'node:stream'
import { expect, describe, it } from 'vitest'
import { openLog } from '../../src/platform/log.ts'
import { useWorld } from '../world/world.ts'
import { makePerson, newPerson, openBrowser, signedIn } from './browser.ts'

const logged: string[] = []
const log = new PassThrough()
log.on('data', (chunk) => logged.push(String(chunk)))
const world = useWorld({ log: openLog('trace', log) })
const browser = (peer?: string) => openBrowser(world.service.signIn, world.url, peer)
const session = (of: { headers(): Headers }) => world.service.signIn.session(of.headers())

describe('sign-in', () => {
  it('a person signs in, out and in again; a wrong password, and an unknown address alike, are answered 401', async () => {
    const page = browser()
    const person = newPerson()
    expect(await session(page)).toBeNull()
    await signedIn(world.service.signIn, page, person)
    const known = await session(page)
    expect(known).toMatchObject({ email: person.email, name: 'Ada' })
    expect((await page.post('/sign-out')).status).toBe(200)
    expect(page.cookies.size).toBe(0)
    const wrong = await page.post('/sign-in/email', { email: person.email, password: 'wrong horse battery' })
    const unknown = await page.post('/sign-in/email', { email: newPerson().email, password: 'wrong horse battery' })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.body).toEqual(unknown.body)
    expect([wrong.cookies, unknown.cookies]).toEqual([[], []])
    // Addresses are case-insensitive.
    expect(
      (await page.post('/sign-in/email', { email: person.email.toUpperCase(), password: person.password })).status,
    ).toBe(200)
    expect(await session(page)).toMatchObject({ id: known!.id })
  })

  it('a password has at least 10 characters, and an address is an address', async () => {
    const person = newPerson()
    expect((await browser().post('/sign-up/email', { ...person, password: '123456789' })).status).toBe(400)
    expect((await browser().post('/sign-up/email', { ...person, email: 'nobody' })).status).toBe(400)
  })

  it('every cookie is a __Host- cookie: secure, unreadable by scripts, of this host alone, not sent from elsewhere', async () => {
    const page = browser()
    const person = newPerson()
    await makePerson(world.service.signIn, person)
    const { cookies } = await page.post('/sign-in/email', person)
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of [
      ...cookies,
      ...(await page.post('/sign-out')).cookies,
      ...(await page.post('/sign-in/email', { email: person.email, password: person.password, rememberMe: false }))
        .cookies,
    ]) {
      const attributes = cookie
        .split(/;\s*/)
        .slice(1)
        .map((each) => each.toLowerCase())
      expect(cookie).toMatch(/^__Host-les\.[a-z_]+=/)
      expect(attributes).toEqual(expect.arrayContaining(['path=/', 'httponly', 'secure', 'samesite=lax']))
      expect(attributes.some((each) => each.startsWith('domain'))).toBe(false)
    }
    expect(page.cookies.has('__Host-les.session_token')).toBe(true)
  })

  it('a session that is revoked, on another device or all others at once, ends with the next request', async () => {
    const person = newPerson()
    const [laptop, phone, tablet] = [browser(), browser(), browser()]
    await signedIn(world.service.signIn, laptop, person)
    for (const each of [phone, tablet]) await each.post('/sign-in/email', person)
    const listed = await laptop.get('/list-sessions')
    expect(listed.body).toHaveLength(3)
    const { sessionId } = (await session(phone))!
    expect((await laptop.post('/revoke-session', { id: sessionId })).status).toBe(200)
    expect(await session(phone)).toBeNull()
    expect(await session(tablet)).not.toBeNull()
    expect((await laptop.post('/revoke-other-sessions')).status).toBe(200)
    expect(await session(tablet)).toBeNull()
    expect(await session(laptop)).not.toBeNull()
  })

  it('nobody revokes the session of somebody else, and a cookie that was changed is nobody', async () => {
    const [mine, theirs] = [browser(), browser()]
    await signedIn(world.service.signIn, mine)
    await signedIn(world.service.signIn, theirs)
    const [{ id }] = (await theirs.get('/list-sessions')).body
    const token = decodeURIComponent([...theirs.cookies.values()][0]!).split('.')[0]!
    await mine.post('/revoke-session', { id })
    expect(await session(theirs)).not.toBeNull()
    const name = '__Host-les.session_token'
    const value = mine.cookies.get(name)!
    for (const forged of [
      token,
      `${token}.${decodeURIComponent(value).split('.')[1]}`,
      `${decodeURIComponent(value).slice(0, -6)}AAAAAA`,
    ]) {
      mine.cookies.set(name, encodeURIComponent(decodeURIComponent(forged)))
      expect(await session(mine)).toBeNull()
    }
  })

  it('what another site sends is refused, with and without cookies, and so is a link that would lead there', async () => {
    const page = browser()
    const person = newPerson()
    await signedIn(world.service.signIn, page, person)
    const elsewhere = {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    }
    expect((await page.post('/sign-out', {}, elsewhere)).status).toBe(403)
    expect((await page.post('/sign-out', {}, { origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(await session(page)).not.toBeNull()
    const stranger = browser()
    expect((await stranger.post('/sign-in/email', person, elsewhere)).status).toBe(403)
    expect((await stranger.post('/sign-in/email', person, { ...elsewhere, 'sec-fetch-mode': 'navigate' })).status).toBe(
      403,
    )
    expect(stranger.cookies.size).toBe(0)
    expect(
      (await stranger.post('/request-password-reset', { email: person.email, redirectTo: 'https://evil.example/x' }))
        .status,
    ).toBe(403)
  })

  it('no answer that a page reads holds a token of a session', async () => {
    const page = browser()
    const person = newPerson()
    await makePerson(world.service.signIn, person)
    const answers = [
      await page.post('/sign-in/email', person),
      await page.get('/list-sessions'),
      await page.get('/get-session'),
      await page.post('/change-password', {
        currentPassword: person.password,
        newPassword: 'another horse battery',
        revokeOtherSessions: true,
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { rows } = await world.database.pool.query<{ token: string }>('select token from sign_in.session')
    const said = answers.map(({ body }) => JSON.stringify(body)).join('')
    expect(rows.filter(({ token }) => said.includes(token))).toEqual([])
    expect(said).not.toContain('"token"')
    expect(said).toContain(person.email)
  })

  it('no password, token or cookie is in the log', async () => {
    const page = browser()
    const person = newPerson()
    await page.post('/sign-up/email', { ...person, email: `new-${person.email}` })
    await signedIn(world.service.signIn, page, person)
    await page.post('/sign-in/email', { ...person, password: 'my wrong password' })
    await page.post('/sign-in/email', { ...person, password: 17 })
    await page.get('/reset-password/some-token-of-mine?callbackURL=/reset')
    await page.post('/request-password-reset', { email: person.email })
    await world.service.signIn.settled()
    const mailed = world.mails.find(({ to }) => to === person.email)!.text
    const secrets = [
      person.password,
      'my wrong password',
      'some-token-of-mine',
      /token=([^\s]+)/.exec(mailed)![1]!,
      ...[...page.cookies.values()].flatMap((value) => [value, decodeURIComponent(value).split('.')[0]!]),
    ]
    const text = logged.join('')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})
