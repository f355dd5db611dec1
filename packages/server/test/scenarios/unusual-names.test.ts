/** Unusual handles and slugs: what the network and the service show is accepted everywhere [WLD-10]. */
import { describe, expect, it } from 'vitest'
import { leadsOf, refusedWithoutTrace, sourcesOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const handles = (): string[] => {
  const tail = world.handle('x')
  return [`.kim-🚀-jones-${tail}`, `-a+b=c&d-${tail}`, `&-o’neill(eu),${tail}`]
}

describe('a person with an unusual handle', () => {
  it('who has commented is shown with it and found by it: resolved, tracked, filtered, listed, untracked [WLD-10, FIX-07]', async () => {
    for (const handle of handles()) {
      const team = await world.team({ credits: 100 })
      const author = world.handle('author')
      world.network.seedPost({ author, comments: [{ person: handle, text: 'Nice' }] })
      world.network.seedPost({ author: handle, reactions: [{ person: world.handle('fan') }] })
      await track(team, author)
      await world.drain()
      const [lead] = await leadsOf(team, author)
      expect(lead.linkedinUrl, handle).toBe(`https://www.linkedin.com/in/${encodeURIComponent(handle)}`)
      const id = world.network.person(handle)!.id
      const shown = lead.linkedinUrl.replace(/^.*\/in\//, '')
      expect((await team.get(`/profile/${shown}/urn`)).body, handle).toMatchObject({ username: handle, entityUrn: id })
      // A percent-encoded name is accepted in a body too.
      await track(team, shown)
      await world.drain()
      expect((await sourcesOf(team)).map(({ username }) => username).sort(), handle).toEqual([author, handle].sort())
      expect((await team.get(`/profile/${shown}/sync`)).body, handle).toMatchObject({
        username: handle,
        state: 'completed',
      })
      for (const name of [shown, encodeURIComponent(shown)]) expect(await leadsOf(team, name), name).toHaveLength(1)
      expect((await team.get(`/engagers?username=${shown}`)).body.total).toBe(1)
      expect((await team.get(`/profile/${shown}/posts?posts=1&confirmSpend=true`)).body.posts).toHaveLength(1)
      expect((await team.del(`/profile/${shown}`)).body).toMatchObject({ username: handle, untracked: true })
    }
  })
})

it('a company page with an unusual slug is taken as a slug and as the address of its page [WLD-10, G153]', async () => {
  for (const slug of [`&-friends-${world.handle('x')}`, `.net-makers-${world.handle('x')}`]) {
    const team = await world.team({ credits: 100 })
    world.network.seedPost({ author: { company: slug }, reactions: [{ person: world.handle('fan') }] })
    for (const name of [slug, `https://dk.linkedin.com/company/${slug}`, encodeURIComponent(slug)])
      await track(team, name, {}, '/enrich/company')
    await world.drain()
    expect((await sourcesOf(team)).map(({ username }) => username)).toEqual([slug])
    expect(await leadsOf(team, encodeURIComponent(slug))).toHaveLength(1)
    expect((await team.post('/enrich/company', { username: slug })).status).toBe(200)
  }
})

it('what can be no name is refused in words that are true, and nothing is written [WLD-10]', async () => {
  const team = await world.team()
  for (const username of ['..', 'a b', 'a?b', 'a#b', '50%-off', 'x'.repeat(201)])
    for (const kind of ['profile', 'company']) {
      const answer = await refusedWithoutTrace(world, () =>
        team.post(`/enrich/${kind}`, { username, saveTrackedProfile: true }),
      )
      expect([answer.status, answer.body.error], username).toEqual([
        400,
        expect.stringMatching(/as the network shows it: without blanks, slashes, \?, #, % and control characters/),
      ])
    }
})
