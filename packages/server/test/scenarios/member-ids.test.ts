import { describe, expect, it } from 'vitest'
import { jobOf, leadsOf, refusedWithoutTrace, silent, sourcesOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const idOf = (handle: string): string => world.network.person(handle)!.id
const asked = (): unknown[] =>
  world.network
    .calls()
    .flatMap(
      ({ query }) =>
        query.profileId ?? query.publicIdentifier ?? query.profilePublicIdentifier ?? query.urn ?? query.username ?? [],
    )

function author(): string {
  const handle = world.handle('author')
  world.network.seedPost({
    author: handle,
    reactions: [{ person: world.handle('fan') }, { person: world.handle('fan') }],
  })
  return handle
}

const written = (id: string): string[] => [
  id,
  `urn:li:fsd_profile:${id}`,
  encodeURIComponent(`urn:li:person:${id}`),
  ` ${id} `,
]

const ofPerson = async (team: Team): Promise<unknown[]> =>
  (await sourcesOf(team)).map(({ id, type, username, status }) => ({ id, type, username, status }))

describe('a member id', () => {
  it('resolves to itself, whatever it is written in, and nobody is asked; in lower case it is a handle [G146, TRK-40]', async () => {
    const team = await world.team()
    const id = idOf(silent(world))
    world.network.clearCalls()
    for (const text of written(id)) {
      const answer = await refusedWithoutTrace(world, () => team.get(`/profile/${encodeURIComponent(text)}/urn`))
      expect([answer.status, answer.body]).toEqual([200, { username: id, entityUrn: id, creditsCharged: 0 }])
    }
    expect(world.network.calls()).toEqual([])
    expect((await team.get(`/profile/${id.toLowerCase()}/urn`)).body.entityUrn).not.toBe(id)
  })

  it('tracks the person it names: one source under their handle, the vendors asked by the id, everybody charged once [G146]', async () => {
    const team = await world.team({ credits: 100 })
    const handle = author()
    const id = idOf(handle)
    world.network.clearCalls()
    const { jobId } = await track(team, id)
    await world.drain()
    expect(asked()).toContain(id)
    expect(asked().map(String)).not.toContain(id.toLowerCase())
    expect((await jobOf(team, jobId)).result).toMatchObject({ entityUrn: id })
    const [source] = await sourcesOf(team)
    expect(await ofPerson(team)).toEqual([{ id: source.id, type: 'person', username: handle, status: 'active' }])
    for (const name of [...written(id), handle, handle.toUpperCase()]) {
      expect((await track(team, name)).syncId, name).toBeNull()
      expect((await team.get(`/profile/${encodeURIComponent(name)}/sync`)).body).toMatchObject({
        sourceId: source.id,
        state: 'completed',
      })
      expect(await leadsOf(team, encodeURIComponent(name))).toHaveLength(2)
    }
    await world.drain()
    expect([(await sourcesOf(team)).length, await team.balance()]).toEqual([1, 98])
  })

  it.each(['before its work is done', 'after it'])(
    'leads to the source that was tracked by handle, %s [G146]',
    async (when) => {
      const team = await world.team({ credits: 100 })
      const handle = author()
      const id = idOf(handle)
      const first = await track(team, handle)
      if (when === 'after it') await world.drain()
      const again = await track(team, id)
      expect(again.syncId).toBe(when === 'after it' ? null : first.syncId)
      await world.drain()
      expect([(await sourcesOf(team)).map((source) => source.username), await team.balance()]).toEqual([[handle], 98])
    },
  )

  it('names its source on every route: settings, webhook, criteria, posts, untracking and tracking again [G146]', async () => {
    const team = await world.team({ credits: 100 })
    const handle = author()
    const id = idOf(handle)
    await track(team, handle)
    await world.drain()
    const sourceId = (await sourcesOf(team))[0]!.id
    const at = `/profile/${encodeURIComponent(`urn:li:fsd_profile:${id}`)}`
    const named = [
      await team.call('PATCH', at, { creditCapPerSync: 7 }),
      await team.put(`${at}/webhook`, { webhookUrl: 'https://hooks.example.com/leads' }),
      await team.get(`${at}/webhook`),
      await team.get(`${at}/icp`),
    ]
    expect(named.map(({ status, body }) => [status, body.sourceId])).toEqual(named.map(() => [200, sourceId]))
    expect((await team.post('/profile/posts', { username: id })).status).toBe(200)
    expect((await team.del(at)).body).toMatchObject({ username: handle, untracked: true })
    expect((await team.get(`/leads?username=${id}&includeInactive=true`)).body.total).toBe(2)
    await track(team, id)
    await world.drain()
    expect([await ofPerson(team), await team.balance()]).toEqual([
      [{ id: sourceId, type: 'person', username: handle, status: 'active' }],
      98,
    ])
  })

  it('of somebody without a public profile is tracked as it is, in its case, and found by it [G146]', async () => {
    const team = await world.team({ credits: 100 })
    const handle = world.handle('hidden')
    const id = world.network.seedPerson({ handle, hidden: true, posts: [] }).id
    await track(team, id)
    await world.drain()
    expect(await ofPerson(team)).toEqual([expect.objectContaining({ username: id, status: 'active' })])
    expect((await team.get(`/profile/${id}/sync`)).body).toMatchObject({ username: id, isFinal: true })
    expect((await team.get(`/profile/${id.toLowerCase()}/sync`)).status).toBe(404)
    expect((await team.get(`/leads?username=${id.toLowerCase()}`)).status).toBe(404)
  })

  it('is not tracked while the network does not answer: nothing is written [G146, G132]', async () => {
    const team = await world.team()
    const id = idOf(silent(world))
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    const answer = await refusedWithoutTrace(world, () =>
      team.post('/enrich/profile', { username: id, saveTrackedProfile: true }),
    )
    expect([answer.status, answer.body.code]).toEqual([502, 'provider_unavailable'])
  })

  it('enriches the leads of that person and of nobody else [G146, ENR-05]', async () => {
    const team = await world.team({ credits: 100 })
    const [handle, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author: handle, reactions: [{ person: fan }] })
    await track(team, handle)
    await world.drain()
    expect((await team.post('/enrich/profile', { username: idOf(fan).toLowerCase() })).status).toBe(404)
    const { body } = await team.post('/enrich/profile', { username: idOf(fan) })
    await world.drain()
    expect(await jobOf(team, body.jobId)).toMatchObject({
      status: 'completed',
      result: { entityUrn: idOf(fan), creditsCharged: 0 },
    })
  })

  it('reads the posts of the person it names [G146, UPR-01]', async () => {
    const team = await world.team({ credits: 100 })
    const id = idOf(author())
    world.network.clearCalls()
    const answer = await team.get(`/profile/${id}/posts?posts=1&confirmSpend=true`)
    expect([answer.status, answer.body.posts.length, asked()]).toEqual([200, 1, [id]])
  })
})

it('a person tracked again under a new handle, unknown until then, is reported to the operator [G146]', async () => {
  const team = await world.team({ credits: 100 })
  const [old, renamed] = [world.handle('old'), world.handle('new')]
  const { id } = world.network.seedPerson({ handle: old, posts: [] })
  await track(team, old)
  await world.drain()
  world.network.seedPerson({ handle: renamed, id, posts: [] })
  await track(team, renamed)
  await world.drain()
  const { reports, total } = (await world.operator('GET', '/operator/source-reports')).body
  const own = reports.filter((report: { teamId: string }) => report.teamId === team.id)
  expect([total >= own.length, own]).toEqual([
    true,
    [
      expect.objectContaining({
        reason: 'double',
        username: renamed,
        other: expect.objectContaining({
          sourceId: (await sourcesOf(team)).find((source) => source.username === old)!.id,
        }),
      }),
    ],
  ])
  // The team knows the new handle, so tracking it again after untracking does not revive a second source of the person.
  expect((await team.del(`/profile/${renamed}`)).status).toBe(200)
  expect((await track(team, renamed)).syncId).toBeNull()
  expect((await sourcesOf(team)).filter(({ status }) => status === 'active').map(({ username }) => username)).toEqual([
    old,
  ])
})

describe('a handle in several spellings', () => {
  it('is one source, charged once, in bodies as in paths [G146]', async () => {
    const team = await world.team({ credits: 100 })
    const tail = world.handle('x')
    const handle = `josé-garcía-${tail}`
    world.network.seedPost({ author: handle, reactions: [{ person: world.handle('fan') }] })
    const spellings = [
      handle,
      `jos%C3%A9-garc%C3%ADa-${tail}`,
      `jos%25c3%25a9-garc%25c3%25ada-${tail}`,
      `JOSE\u0301-GARCI\u0301A-${tail}`,
      ` @jos%C3%A9-garc%C3%ADa-${tail}`,
    ]
    for (const spelling of spellings) {
      await track(team, spelling)
      await world.drain()
      expect((await team.get(`/profile/${encodeURIComponent(spelling)}/sync`)).body, spelling).toMatchObject({
        username: handle,
      })
      expect(await leadsOf(team, encodeURIComponent(spelling))).toHaveLength(1)
    }
    expect([(await sourcesOf(team)).map(({ username }) => username), await team.balance()]).toEqual([[handle], 99])
  })
})
