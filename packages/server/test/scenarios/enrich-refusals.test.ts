/** Who may not enrich, and identifiers that are taken. */
import { describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace, silent, sourceOf, sourcesOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

describe('an identifier held by a source of another kind', () => {
  it.each([
    [kinds[0], kinds[1]],
    [kinds[1], kinds[0]],
  ])(
    'is 409 identifier_in_use, also after untracking and with a yes, and nothing is created [ENR-49]',
    async (holder, other) => {
      const team = await world.team()
      const username = silent(world, holder.type)
      await track(team, username, {}, holder.route)
      for (const untracked of [false, true]) {
        if (untracked) await team.del(`/${holder.family}/${username}`)
        for (const settings of [
          {},
          { mode: 'posts_only', postsPerSync: 5 },
          { mode: 'posts_only', postsPerSync: 5, confirmSpend: true },
          { creditCapPerSync: 3 },
        ]) {
          const { status, body } = await refusedWithoutTrace(world, () =>
            team.post(other.route, { username, saveTrackedProfile: true, ...settings }),
          )
          expect([status, body.code]).toEqual([409, 'identifier_in_use'])
          expect(body.error).toContain(username)
          expect(body).not.toHaveProperty('jobId')
        }
      }
      expect(await sourcesOf(team)).toMatchObject([{ type: holder.type, username, status: 'inactive' }])
    },
  )

  it('binds one team only [ENR-49]', async () => {
    const [team, other] = [await world.team(), await world.team()]
    const username = silent(world)
    world.network.seedCompany({ slug: username, posts: [] })
    await track(team, username)
    await track(other, username, {}, '/enrich/company')
    expect([(await sourceOf(team, username)).type, (await sourceOf(other, username)).type]).toEqual([
      'person',
      'company',
    ])
  })
})

describe.each(kinds)('POST $route', ({ route, type }) => {
  it('is 429 with Retry-After over the limit of writes, tracks nothing, and works when the window is over [ENR-50]', async () => {
    const team = await world.team({ limits: { reads: 100, writes: 1, untrackedPosts: 10 } })
    await track(team, silent(world, type), {}, route)
    const username = silent(world, type)
    const answer = await refusedWithoutTrace(world, () => team.post(route, { username, saveTrackedProfile: true }))
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await world.move('60s')
    await track(team, username, {}, route)
  })

  it('that breaks is 500 without a code and leaves nothing half done [ENR-50]', async () => {
    const team = await world.team()
    const username = silent(world, type)
    await world.arm('handler')
    const answer = await refusedWithoutTrace(world, () => team.post(route, { username, saveTrackedProfile: true }), [
      'armed_fault',
    ])
    expect([answer.status, answer.body.code]).toEqual([500, undefined])
    await track(team, username, {}, route)
  })
})
