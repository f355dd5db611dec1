/** `GET /profile/{username}/urn`: a free lookup of the member id. */
import { expect, it } from 'vitest'
import { refusedWithoutTrace, silent, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

it('resolves a handle that nobody tracks, for nothing, and enriches and tracks nobody [TRK-40, TRK-41, ENR-60]', async () => {
  const team = await world.team()
  const username = silent(world)
  world.network.clearCalls()
  const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${username}/urn`))
  expect([answer.status, answer.body]).toEqual([
    200,
    { username, entityUrn: world.network.person(username)!.id, creditsCharged: 0 },
  ])
  expect(answer.body.entityUrn).toMatch(/^AC[A-Za-z0-9_-]+$/)
  expect(world.network.calls().map((call) => call.operation)).toEqual(['profile-id'])
  await world.drain()
  expect([
    (await team.get('/sources')).body.total,
    (await team.get('/leads')).body.total,
    await team.balance(),
  ]).toEqual([0, 0, 10_000])
})

it('resolves tracked people and leads alike, and at a balance of 0 [TRK-40, TRK-41]', async () => {
  const team = await world.team({ credits: 1 })
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPost({ author, reactions: [{ person: fan }] })
  await track(team, author)
  await world.drain()
  expect(await team.balance()).toBe(0)
  for (const username of [author, fan, ` @${author.toUpperCase()}`]) {
    const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${encodeURIComponent(username)}/urn`))
    expect([answer.status, answer.body.creditsCharged, answer.body.entityUrn]).toEqual([
      200,
      0,
      world.network.person(username.trim().replace('@', ''))!.id,
    ])
  }
})

it.each([
  ['a handle that the network does not have', () => world.handle('nobody'), 404, undefined],
  ['a URL', () => encodeURIComponent('https://www.linkedin.com/in/jane-doe'), 400, undefined],
] as const)('%s is refused and leaves nothing [TRK-40]', async (_title, handle, status, code) => {
  const team = await world.team()
  const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${handle()}/urn`))
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

it('is 502 when the network does not answer [TRK-40]', async () => {
  const team = await world.team()
  for (const operation of ['profile-id', 'profile/username-to-urn'])
    world.network.fault({ kind: 'status_500', operation })
  const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${silent(world)}/urn`))
  expect([answer.status, answer.body.code]).toEqual([502, 'provider_unavailable'])
})
