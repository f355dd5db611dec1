/** Guessing is slow: attempts are counted in the database, by address and by account. */
import { describe, expect, it } from 'vitest'
import type { SignIn } from '../../src/sign-in/index.ts'
import { newPerson, openBrowser } from './browser.ts'
import { origin, useSignIn } from './parts.ts'

const { open } = useSignIn()
const wide = { signIns: 1_000, signUps: 1_000, resets: 1_000, accountTries: 3, accountTriesInAll: 6 }

describe('limits of sign-in', () => {
  it(
    'the sixth try of an address within a minute is answered 429, over two instances on one database and with the ' +
      'right password too; other addresses go on',
    async () => {
      const [one, other] = [open(), open()]
      const person = newPerson()
      await one.ensureUser(person)
      const statuses: number[] = []
      for (const each of [one, other, one, other, one])
        statuses.push(
          (
            await openBrowser(each, origin, '198.51.100.1').post('/sign-in/email', {
              ...person,
              password: 'wrong horse battery',
            })
          ).status,
        )
      expect(statuses).toEqual([401, 401, 401, 401, 401])
      const refused = await openBrowser(other, origin, '198.51.100.1').post('/sign-in/email', person)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('x-retry-after'))).toBeGreaterThan(0)
      expect((await openBrowser(other, origin, '198.51.100.2').post('/sign-in/email', person)).status).toBe(200)
    },
  )

  it('ten tries at once count as ten', async () => {
    const [one, other] = [open(), open()]
    const body = { email: newPerson().email, password: 'wrong horse battery' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        openBrowser(at % 2 === 0 ? one : other, origin, '198.51.100.3').post('/sign-in/email', body),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  it('signing up and asking for a new password are limited too', async () => {
    const signIn = open()
    const page = openBrowser(signIn, origin, '198.51.100.4')
    const signUps: number[] = []
    for (let at = 0; at < 6; at++)
      signUps.push((await page.post('/sign-up/email', { ...newPerson(), email: 'not an address' })).status)
    expect(signUps).toEqual([400, 400, 400, 400, 400, 429])
    const resets: number[] = []
    for (let at = 0; at < 4; at++)
      resets.push((await page.post('/request-password-reset', { email: 'nobody@example.com' })).status)
    expect(resets).toEqual([200, 200, 200, 429])
  })

  it('whoever has somebody’s session cannot guess their password by changing it', async () => {
    const signIn = open({ limits: { ...wide, signIns: 2 } })
    const page = openBrowser(signIn, origin, '198.51.100.6')
    const person = newPerson()
    await signIn.ensureUser(person)
    expect((await page.post('/sign-in/email', person)).status).toBe(200)
    const guess = (password: string) =>
      page.post('/change-password', { currentPassword: password, newPassword: 'another horse battery' }, { origin })
    const guesses: number[] = []
    for (const password of ['my first guess', 'my second guess', person.password])
      guesses.push((await guess(password)).status)
    expect(guesses).toEqual([400, 400, 429])
  })

  it('tries of a password behind a session are counted by account, together with those of signing in [SEC-02]', async () => {
    const signIn = open({ limits: { ...wide, accountTries: 3 } })
    const [page, again] = [openBrowser(signIn, origin, '198.51.100.7'), openBrowser(signIn, origin, '198.51.100.7')]
    const person = newPerson()
    await signIn.ensureUser(person)
    for (const each of [page, again]) expect((await each.post('/sign-in/email', person)).status).toBe(200)
    const guess = async (from: typeof page, currentPassword: string) =>
      (await from.post('/change-password', { currentPassword, newPassword: 'another horse battery' })).status
    const guesses: number[] = []
    for (const from of [page, again, page, again]) guesses.push(await guess(from, 'a guess of mine'))
    expect(guesses).toEqual([400, 400, 400, 429])
    expect(await guess(page, person.password)).toBe(429)
    const signing = await page.post('/sign-in/email', person)
    expect([signing.status, signing.body.code, signing.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_TRIES',
      '900',
    ])
  })

  it('reading an invitation by its token is limited too', async () => {
    const page = openBrowser(open(), origin, '198.51.100.5')
    const reads: number[] = []
    for (let at = 0; at < 11; at++) reads.push((await page.post('/invitation/read', { token: `guess ${at}` })).status)
    expect(reads).toEqual([...Array.from({ length: 10 }, () => 404), 429])
  })

  it(
    'tries at one account are counted by address for a quarter of an hour, forgotten when one succeeds, and keep ' +
      'nobody else out; over all addresses there is a higher figure',
    async () => {
      let nowMs = Date.parse('2026-11-21T09:00:00Z')
      const system = { nowMs: () => nowMs, sleep: async () => {}, expire: async () => {}, every: () => () => {} }
      const signIn = open({ limits: wide, system })
      const person = newPerson()
      const attempt = async (password: string, email = person.email, from = 1): Promise<number> =>
        (await openBrowser(signIn, origin, `203.0.113.${from}`).post('/sign-in/email', { email, password })).status
      await signIn.ensureUser(person)
      expect([await attempt('wrong horse battery'), await attempt(person.password)]).toEqual([401, 200])
      expect([
        await attempt('wrong horse battery'),
        await attempt('wrong horse battery', person.email.toUpperCase()),
        await attempt('wrong horse battery'),
      ]).toEqual([401, 401, 401])
      expect(await attempt(person.password)).toBe(429)
      expect(await attempt('wrong horse battery', newPerson().email)).toBe(401)
      // Guesses from another address do not lock the person out.
      expect(await attempt(person.password, person.email, 2)).toBe(200)
      expect(await attempt(person.password, person.email, 3)).toBe(429)
      nowMs += 15 * 60_000
      expect(await attempt(person.password)).toBe(200)
    },
  )

  it('behind a proxy that is trusted its caller counts, behind none what a caller claims does not', async () => {
    // Password resets count like sign-ins but hash no password, which is faster.
    const body = { email: newPerson().email }
    const claim = async (signIn: SignIn, claimed: string): Promise<number> =>
      (
        await openBrowser(signIn, origin, '10.0.0.9').post('/request-password-reset', body, {
          'x-forwarded-for': claimed,
        })
      ).status
    const plain = open()
    const statuses: number[] = []
    for (let at = 1; at <= 4; at++) statuses.push(await claim(plain, `192.0.2.${at}`))
    expect(statuses).toEqual([200, 200, 200, 429])
    const behind = open({ trustedProxies: ['10.0.0.0/8'] })
    for (let at = 1; at <= 4; at++) expect(await claim(behind, `192.0.2.${at}`)).toBe(200)
    // The part of the chain that the caller wrote is not trusted.
    const chained: number[] = []
    for (let at = 1; at <= 4; at++) chained.push(await claim(behind, `192.0.2.${at}, 192.0.2.200`))
    expect(chained).toEqual([200, 200, 200, 429])
  })
})
