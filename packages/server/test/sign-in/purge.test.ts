import { expect, it } from 'vitest'
import { endConnections } from '../../src/sign-in/connections.ts'
import { purgeEnded } from '../../src/sign-in/index.ts'
import { useWorld } from '../world/world.ts'
import { newPerson, openBrowser, signedIn } from './browser.ts'

const world = useWorld()
const registration = {
  redirect_uris: ['http://127.0.0.1:7777/callback'],
  application_type: 'native',
  token_endpoint_auth_method: 'none',
}
const count = async (table: string): Promise<number> =>
  (await world.database.pool.query<{ count: number }>(`select count(*) as count from sign_in."${table}"`)).rows[0]!
    .count

it('sessions and codes are forgotten a day after their end, clients nobody let in after a day, nothing before [SEC-03]', async () => {
  const page = openBrowser(world.service.signIn, world.url)
  await signedIn(world.service.signIn, page)
  await page.post('/device/code', { client_id: 'les-cli' })
  await page.post('/oauth2/register', registration)
  const { rows } = await world.database.pool.query<{ end: Date }>('select "expiresAt" as end from sign_in.session')
  const purge = (ms: number) => world.service.unitOfWork((tx) => purgeEnded(tx, new Date(ms)))
  const endMs = rows[0]!.end.getTime()
  const all = async () => [await count('session'), await count('deviceCode'), await count('oauthClient')]
  const day = 24 * 3_600_000
  await purge(endMs - 14 * day)
  expect(await all()).toEqual([1, 1, 1])
  await purge(endMs)
  expect(await all()).toEqual([1, 0, 0])
  await purge(endMs + day + 1)
  expect(await all()).toEqual([0, 0, 0])
  expect(await count('user')).toBe(1)
})

it('an account whose address nobody proved is forgotten after a week, and nobody else is', async () => {
  await openBrowser(world.service.signIn, world.url).post('/sign-up/email', newPerson())
  const made = await world.database.pool.query<{ at: Date }>(
    'select "createdAt" as at from sign_in."user" where not "emailVerified"',
  )
  const purge = (days: number) =>
    world.service.unitOfWork((tx) => purgeEnded(tx, new Date(made.rows[0]!.at.getTime() + days * 24 * 3_600_000)))
  await purge(7)
  expect(await count('user')).toBe(2)
  await purge(7.01)
  expect(await count('user')).toBe(1)
})

it('a client that somebody has let in stays, and is known for 30 days after the last yes has ended [SEC-03]', async () => {
  const page = openBrowser(world.service.signIn, world.url)
  await signedIn(world.service.signIn, page)
  const { client_id: client } = (await page.post('/oauth2/register', registration)).body as { client_id: string }
  const made = await world.database.pool.query<{ userId: string }>(
    `insert into sign_in."oauthConsent" (id, "clientId", "userId", scopes, "createdAt", "updatedAt")
     select 'let-in', $1, id, '["les:tools"]', now(), now() from sign_in."user" limit 1 returning "userId"`,
    [client],
  )
  const { userId } = made.rows[0]!
  const { rows } = await world.database.pool.query<{ at: Date }>(
    'select "createdAt" as at from sign_in."oauthClient" where "clientId" = $1',
    [client],
  )
  const purge = (days: number) =>
    world.service.unitOfWork((tx) => purgeEnded(tx, new Date(rows[0]!.at.getTime() + days * 24 * 3_600_000)))
  await purge(300)
  expect(await count('oauthClient')).toBe(1)
  await endConnections(world.database.bare, { userId }, new Date(rows[0]!.at.getTime() + 300 * 24 * 3_600_000))
  await purge(329)
  expect(await count('oauthClient')).toBe(1)
  await purge(331)
  expect(await count('oauthClient')).toBe(0)
})
