/** Who gets in: a verified address first, one trial per person, and answers that do not reveal addresses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, signUp, type Browser as Person } from '../dashboard/stage.ts'
import { createWorld, useWorld, type World } from '../world/world.ts'
import { newPerson, openBrowser } from './browser.ts'

const world = useWorld()
const pageOf = (of: World) => openBrowser(of.service.signIn, of.url)
const mailTo = async (of: World, email: string) => {
  await of.service.signIn.settled()
  return of.mails.findLast(({ to }) => to === email)
}
const linkOf = (text: string | undefined, name: string): string =>
  decodeURIComponent(new RegExp(`[?&]${name}=(\\S+)`).exec(text ?? '')![1]!)
const users = async (of: World, email: string) =>
  (await of.database.pool.query('select "emailVerified" as proven from sign_in."user" where email = $1', [email])).rows
const openTeam = async (of: World, page: ReturnType<typeof openBrowser>): Promise<Response> =>
  fetch(`${of.url}/app/api/teams`, {
    method: 'POST',
    headers: { ...Object.fromEntries(page.headers()), origin: of.url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Mine' }),
  })

describe('signing up', () => {
  it('opens nothing before the address is proven: no session, no team, no trial; the link and the password together do', async () => {
    const page = pageOf(world)
    const person = newPerson()
    const made = await page.post('/sign-up/email', person)
    expect([made.status, made.body, made.cookies]).toEqual([200, { next: 'mail' }, []])
    const early = await page.post('/sign-in/email', person)
    expect([early.status, early.body.code, early.cookies]).toEqual([403, 'EMAIL_NOT_VERIFIED', []])
    expect((await openTeam(world, page)).status).toBe(401)
    const mail = await mailTo(world, person.email)
    expect(mail!.text).toContain(`${world.url}/sign-in?verify=`)
    const verification = linkOf(mail!.text, 'verify')
    expect((await page.post('/sign-in/email', { ...person, verification })).status).toBe(200)
    expect((await openTeam(world, page)).status).toBe(201)
  })

  it(
    'the link alone proves nothing: somebody who is mailed about an account that a stranger made for their ' +
      'address does not open it for them',
    async () => {
      const stranger = newPerson()
      await pageOf(world).post('/sign-up/email', stranger)
      const verification = linkOf((await mailTo(world, stranger.email))!.text, 'verify')
      const clicked = pageOf(world)
      for (const path of ['/verify-email', '/verify-email/'])
        expect((await clicked.get(`${path}?token=${encodeURIComponent(verification)}`)).status).toBe(404)
      expect((await clicked.post('/send-verification-email', { email: stranger.email })).status).toBe(404)
      const guessed = await clicked.post('/sign-in/email', { ...stranger, password: 'not that password', verification })
      expect(guessed.status).toBe(401)
      expect(await users(world, stranger.email)).toEqual([{ proven: false }])
      expect((await pageOf(world).post('/sign-in/email', stranger)).status).toBe(403)
      // The link of one address verifies no other.
      const other = newPerson()
      await pageOf(world).post('/sign-up/email', other)
      expect((await pageOf(world).post('/sign-in/email', { ...other, verification })).status).toBe(403)
      // The owner of the address takes the account over with a mailed password reset.
      await clicked.post('/request-password-reset', { email: stranger.email })
      const token = linkOf((await mailTo(world, stranger.email))!.text, 'token')
      await clicked.post('/reset-password', { token, newPassword: 'my own horse battery' })
      expect((await clicked.post('/sign-in/email', stranger)).status).toBe(401)
      const mine = { email: stranger.email, password: 'my own horse battery' }
      expect((await clicked.post('/sign-in/email', mine)).status).toBe(200)
    },
  )

  it('answers the same for a new, unproven or known address, in status, body and cookies; mail alone tells', async () => {
    const [known, unproven, fresh] = [newPerson(), newPerson(), newPerson()]
    await world.service.signIn.ensureUser(known)
    await pageOf(world).post('/sign-up/email', unproven)
    const answers = await Promise.all(
      [known, unproven, fresh].map(({ email }) =>
        pageOf(world).post('/sign-up/email', { email, name: '  Eve  ', password: 'an utterly new one' }),
      ),
    )
    for (const { status, body, cookies } of answers)
      expect([status, body, cookies]).toEqual([200, { next: 'mail' }, []])
    expect((await mailTo(world, known.email))!.subject).toBe('You have an account already')
    expect((await mailTo(world, fresh.email))!.subject).toBe('Confirm your mail address')
    expect((await pageOf(world).post('/sign-in/email', known)).status).toBe(200)
    const resets = await Promise.all(
      [known, unproven, newPerson()].map(({ email }) => pageOf(world).post('/request-password-reset', { email })),
    )
    expect(new Set(resets.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
  })

  it('puts no word of the person who asks into a mail', async () => {
    const person = { ...newPerson(), name: 'Win now at evil.example' }
    await pageOf(world).post('/sign-up/email', person)
    expect(JSON.stringify(await mailTo(world, person.email))).not.toContain('evil.example')
    const owner = await signUp(world, { name: 'Call evil.example' })
    const { id } = (await owner.send('POST', '/app/api/teams', { name: 'Sales' })).body.team
    const guest = newPerson()
    await at(owner, id).post('/invitations', { email: guest.email, role: 'viewer' })
    const invited = (await mailTo(world, guest.email))!
    expect(invited.text).toContain(`${owner.email} invites you to the team "Sales"`)
    expect(invited.text).not.toContain('evil.example')
  })
})

describe('an invitation read without a session', () => {
  it('says who invites, to which team and as what, to whoever holds its token; any other gets one answer', async () => {
    const owner = await signUp(world)
    const { id } = (await owner.send('POST', '/app/api/teams', { name: 'Field sales' })).body.team
    const invited = async (email: string): Promise<{ id: string; token: string }> => {
      const { body } = await at(owner, id).post('/invitations', { email, role: 'viewer' })
      return { id: body.invitation.id, token: linkOf((await mailTo(world, email))!.text, 'token') }
    }
    const read = async (body: object) => {
      const answer = await pageOf(world).post('/invitation/read', body)
      return [answer.status, answer.body, answer.cookies]
    }
    const person = newPerson()
    const [used, back, late] = [
      await invited(person.email),
      await invited('b@example.com'),
      await invited('c@example.com'),
    ]
    const said = { teamName: 'Field sales', role: 'viewer', email: person.email, invitedBy: owner.email }
    expect(await read({ token: used.token })).toEqual([200, said, []])
    const guest = await signUp(world, { email: person.email })
    expect((await guest.send('POST', '/app/api/invitations/accept', { token: used.token })).status).toBe(200)
    expect((await at(owner, id).del(`/invitations/${back.id}`)).status).toBe(200)
    expect((await read({ token: late.token }))[0]).toBe(200)
    await world.move('7d')
    const none = await read({ token: 'guessed' })
    expect(none).toMatchObject([404, { code: 'INVITATION_NOT_FOUND' }, []])
    const others = [
      { token: used.token },
      { token: back.token },
      { token: late.token },
      {},
      { token: 7 },
      { token: 'x'.repeat(9_000) },
    ]
    for (const body of others) expect(await read(body)).toEqual(none)
  })
})

describe('a free trial', () => {
  const open = (person: Person) => person.send('POST', '/app/api/teams', { name: 'Mine' })

  it('is one for each proven address: a second team is refused unwritten, also under a plus sign and at once', async () => {
    const email = `trial-${Math.abs(world.url.length)}@example.com`
    const one = await signUp(world, { email })
    const credits = async () =>
      (await world.database.pool.query('select sum(granted)::int as n from credit_account')).rows[0]!.n as number
    const before = await credits()
    const [first, ...others] = (await Promise.all(Array.from({ length: 5 }, () => open(one)))).toSorted(
      (a, b) => a.status - b.status,
    )
    expect([first!.status, ...others.map(({ status, body }) => [status, body.code])]).toEqual([
      201,
      ...Array.from({ length: 4 }, () => [403, 'team_limit_reached']),
    ])
    const granted = (await credits()) - before
    const alias = await open(await signUp(world, { email: email.replace('@', '+two@') }))
    expect([alias.status, alias.body.code]).toEqual([403, 'team_limit_reached'])
    expect((await credits()) - before).toBe(granted)
    expect((await open(await signUp(world))).status).toBe(201)
  })
})

describe('a service whose people are invited', () => {
  let closed: World
  beforeAll(async () => {
    closed = await createWorld({ config: { signUp: 'invited' } })
  })
  afterAll(() => closed.close())

  it('refuses everybody without an invitation alike, known or not, and makes nobody', async () => {
    const known = newPerson()
    await closed.service.signIn.ensureUser(known)
    const stranger = newPerson()
    for (const person of [known, stranger, { ...stranger, invitation: 'guessed' }]) {
      const { status, body, cookies } = await pageOf(closed).post('/sign-up/email', person)
      expect([status, body.code, cookies]).toEqual([403, 'SIGN_UP_BY_INVITATION', []])
    }
    expect(await users(closed, stranger.email)).toEqual([])
    expect(closed.mails.filter(({ to }) => to === known.email || to === stranger.email)).toEqual([])
  })

  it('lets the operator invite the first owner of a team: the link makes a proven account that can invite', async () => {
    const team = await closed.team({ name: 'First customer' })
    const person = newPerson()
    const invite = (body: object) => closed.operator('POST', `/operator/teams/${team.id}/invitations`, body)
    const invited = await invite({ email: person.email.toUpperCase() })
    expect([invited.status, invited.body.invitation]).toMatchObject([201, { email: person.email, role: 'owner' }])
    expect(JSON.stringify(invited.body)).not.toContain('token')
    const mail = (await mailTo(closed, person.email))!
    expect(mail.text).toContain('The operator of this service invites you to the team "First customer"')
    const invitation = linkOf(mail.text, 'token')
    const wrong = await pageOf(closed).post('/sign-up/email', { ...newPerson(), invitation })
    expect(wrong.body.code).toBe('SIGN_UP_BY_INVITATION')
    const page = pageOf(closed)
    const made = await page.post('/sign-up/email', { ...person, invitation })
    expect([made.status, made.body]).toEqual([200, { next: 'sign-in' }])
    expect((await page.post('/sign-in/email', person)).status).toBe(200)
    const call = (path: string, body: object) =>
      fetch(`${closed.url}/app/api${path}`, {
        method: 'POST',
        headers: { ...Object.fromEntries(page.headers()), origin: closed.url, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await call('/invitations/accept', { token: invitation })).status).toBe(200)
    expect((await call(`/teams/${team.id}/v1/keys`, { name: 'first' })).status).toBe(201)
    const refused = await call('/teams', { name: 'A trial of my own' })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'sign_up_closed'])
    expect((await invite({ email: person.email })).status).toBe(409)
    expect((await invite({ email: 'nobody' })).status).toBe(400)
    expect(
      (
        await closed.operator('POST', `/operator/teams/${closed.service.ids.uuid(new Date())}/invitations`, {
          email: person.email,
        })
      ).status,
    ).toBe(404)
  })
})
