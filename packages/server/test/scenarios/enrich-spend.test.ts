/** Spend confirmation of the enrichment routes: when it is required, the quoted figures, and that a refusal changes nothing. */
import { describe, expect, it } from 'vitest'
import { kinds, refusedWithoutTrace, silent, sourceOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const watch = (postsPerSync: number) => ({ mode: 'posts_only', postsPerSync })

describe('a posts-only watch', () => {
  it('asks each time it is named, also when the source is one already or watched by engagers [ENR-28, SPD-01]', async () => {
    const team = await world.team({ credits: 100 })
    const [engaged, watched] = [silent(world), silent(world)]
    await track(team, engaged)
    await track(team, watched, { ...watch(5), confirmSpend: true })
    for (const username of [engaged, watched]) {
      const { status, body } = await refusedWithoutTrace(world, () =>
        team.post('/enrich/profile', {
          username,
          saveTrackedProfile: true,
          ...watch(9),
          creditCapPerSync: 3,
          enrichLeads: false,
        }),
      )
      expect([status, body.code, body.postsPerSync]).toEqual([409, 'spend_confirmation_required', 9])
    }
    await track(team, engaged, { ...watch(9), confirmSpend: true })
    expect(await sourceOf(team, engaged)).toMatchObject(watch(9))
  })

  it('tracked again without a mode stays one and asks nothing [ENR-31]', async () => {
    const team = await world.team({ credits: 100 })
    const username = silent(world)
    await track(team, username, { ...watch(5), confirmSpend: true })
    await track(team, username)
    await track(team, username, { captureReplies: false, creditCapPerSync: 4 })
    expect(await sourceOf(team, username)).toMatchObject({
      status: 'active',
      ...watch(5),
      captureReplies: false,
      creditCapPerSync: 4,
    })
  })

  it.each(kinds)(
    'of a $type that was untracked is revived with a yes only: its charge had ended, and without one nothing is ' +
      'charged, not the day after either [G145, SPD-01, SPD-04, ENR-29]',
    async ({ route, family, type }) => {
      const team = await world.team({ credits: 100 })
      const username = world.handle(type)
      world.network.seedPost({ author: type === 'person' ? username : { company: username } })
      await track(team, username, { ...watch(5), confirmSpend: true }, route)
      await world.drain()
      expect((await team.del(`/${family}/${username}`)).status).toBe(200)
      world.network.seedPost({ author: type === 'person' ? username : { company: username } })
      for (const named of [{}, { captureReplies: false }, { creditCapPerSync: 4 }, { confirmSpend: false }, watch(9)]) {
        const { status, body } = await refusedWithoutTrace(world, () =>
          team.post(route, { username, saveTrackedProfile: true, ...named }),
        )
        const posts = 'postsPerSync' in named ? 9 : 5
        // A cap limits a watch too (G154).
        const daily = 'creditCapPerSync' in named ? 4 : posts
        expect([status, body]).toMatchObject([
          409,
          {
            code: 'spend_confirmation_required',
            mode: 'posts_only',
            postsPerSync: posts,
            estimatedDailyMax: daily,
            daysToExhaustAtCap: Math.floor(99 / daily),
            remainingBalance: 99,
          },
        ])
      }
      await world.advance('25h')
      expect([(await sourceOf(team, username)).status, await team.balance()]).toEqual(['inactive', 99])
      await track(team, username, { confirmSpend: true }, route)
      expect(await sourceOf(team, username)).toMatchObject({ status: 'active', ...watch(5) })
      await world.drain()
      expect(await team.balance()).toBe(98)
      // Active again: a request without changes needs no confirmation.
      await track(team, username, {}, route)
    },
  )

  it('that was untracked is revived as engagers with a yes only; untracked engagers without one [G145, ENR-30, SPD-08]', async () => {
    const team = await world.team({ credits: 100 })
    const [watched, engaged] = [silent(world), silent(world)]
    await track(team, watched, { ...watch(5), confirmSpend: true })
    await track(team, engaged)
    for (const username of [watched, engaged]) await team.del(`/profile/${username}`)
    const refused = await refusedWithoutTrace(world, () =>
      team.post('/enrich/profile', { username: watched, saveTrackedProfile: true, mode: 'engagers' }),
    )
    expect([refused.status, refused.body.mode]).toEqual([409, 'engagers'])
    await track(team, watched, { mode: 'engagers', confirmSpend: true })
    await track(team, engaged)
    expect(await sourceOf(team, watched)).toMatchObject({ mode: 'engagers', postsPerSync: null })
    expect((await sourceOf(team, engaged)).status).toBe('active')
    // Once confirmed, the mode needs no further confirmation.
    await track(team, watched, { mode: 'engagers' })
  })

  it('refuses settings of a first sync with 400 also when posts_only is only stored, and takes them with a change to engagers [ENR-34, ENR-37]', async () => {
    for (const settings of [{ firstSyncPosts: 5 }, { firstSyncDays: 5 }]) {
      const team = await world.team({ credits: 100 })
      const username = silent(world)
      await track(team, username, { ...watch(5), confirmSpend: true })
      for (const extra of [{}, { confirmSpend: true }]) {
        const { status, body } = await refusedWithoutTrace(world, () =>
          team.post('/enrich/profile', { username, saveTrackedProfile: true, ...settings, ...extra }),
        )
        expect([status, body.code]).toEqual([400, undefined])
        expect(body.error).toContain(Object.keys(settings)[0])
      }
      await track(team, username, { ...settings, mode: 'engagers', confirmSpend: true })
      expect(await sourceOf(team, username)).toMatchObject({ mode: 'engagers', ...settings })
    }
  })
})
