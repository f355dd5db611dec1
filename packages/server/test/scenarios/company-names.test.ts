import { describe, expect, it } from 'vitest'
import { jobOf, leadsOf, sourcesOf, track as trackPerson } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const track = (team: Team, name: string, settings: Record<string, unknown> = {}): Promise<Answer['body']> =>
  trackPerson(team, name, settings, '/enrich/company')

function page(): { slug: string; id: string } {
  const slug = world.handle('acme')
  world.network.seedPost({
    author: { company: slug },
    reactions: [{ person: world.handle('fan') }, { person: world.handle('fan') }],
  })
  return { slug, id: world.network.company(slug)!.id }
}

async function trackRenamed(team: Team): Promise<{ slug: string; id: string; renamed: string }> {
  const [{ slug, id }, renamed] = [page(), world.handle('renamed')]
  await track(team, slug)
  await world.drain()
  world.network.seedCompany({ slug: renamed, id })
  return { slug, id, renamed }
}

/** The forms are those of one reader, which its own tests hold. */
const namesOf = ({ slug, id }: { slug: string; id: string }): string[] => [
  slug.toUpperCase(),
  `urn:li:fsd_company:${id}`,
  `https://dk.linkedin.com/company/${id}/posts/?feedView=all`,
]

const active = async (team: Team): Promise<string[]> =>
  (await sourcesOf(team)).filter(({ status }) => status === 'active').map(({ username }) => username)

describe('a company page', () => {
  it.each([
    ['by slug, then by number', false, true],
    ['by number, then by slug', true, true],
    ['by slug, then by number before its work is done', false, false],
    ['by number, then by slug before its work is done', true, false],
  ])('tracked %s is one source under its slug, charged once [G153, FIX-07]', async (_, numberFirst, drained) => {
    const team = await world.team({ credits: 100 })
    const { slug, id } = page()
    const [first, second] = numberFirst ? [id, slug] : [slug, id]
    const made = await track(team, first)
    if (drained) await world.drain()
    const again = await track(team, second)
    expect(again.syncId).toBe(drained ? null : made.syncId)
    await world.drain()
    expect((await jobOf(team, made.jobId)).result).toMatchObject({ urn: `urn:li:company:${id}`, username: slug })
    expect([await active(team), (await sourcesOf(team)).length, await team.balance()]).toEqual([[slug], 1, 98])
  })

  it('is named so on every route: settings, webhook, criteria, push, posts, lists, untracking [ENR-59, G153, FIX-07]', async () => {
    const team = await world.team({ credits: 100 })
    const named = page()
    await track(team, named.id)
    await world.drain()
    const [source] = await sourcesOf(team)
    for (const name of namesOf(named)) {
      const at = `/company/${encodeURIComponent(name)}`
      const answers = [
        await team.get(`${at}/sync`),
        await team.call('PATCH', at, { creditCapPerSync: 7 }),
        await team.put(`${at}/webhook`, { webhookUrl: 'https://hooks.example.com/leads', autoSend: false }),
        await team.get(`${at}/webhook`),
        await team.get(`${at}/icp`),
        await team.put(`${at}/icp`, { rules: [] }),
      ]
      expect(
        answers.map(({ status, body }) => [status, body.sourceId]),
        name,
      ).toEqual(answers.map(() => [200, source.id]))
      expect((await team.post(`${at}/push`, {})).status, name).toBe(200)
      expect((await team.post('/company/posts', { username: name })).status, name).toBe(200)
      expect(await leadsOf(team, encodeURIComponent(name)), name).toHaveLength(2)
      expect((await team.get(`/engagers?username=${encodeURIComponent(name)}`)).body.total, name).toBe(2)
      expect((await team.post('/enrich/company', { username: name })).status, name).toBe(200)
      expect((await team.get(`${at}/posts?posts=1`)).body, name).toMatchObject({ estimatedCredits: 1 })
      expect((await team.del(at)).body, name).toMatchObject({ username: named.slug, untracked: true })
      expect((await team.get(`${at}/webhook`)).status, name).toBe(404)
      await track(team, name)
      await world.drain()
    }
    expect((await sourcesOf(team)).map(({ id, status }) => [id, status])).toEqual([[source.id, 'active']])
    expect(await team.balance()).toBe(98)
  })

  it('is read by its number where nobody tracks it [G153, UPR-01]', async () => {
    const team = await world.team({ credits: 10 })
    const { id } = page()
    world.network.clearCalls()
    const answer = await team.get(`/company/${id}/posts?posts=1&confirmSpend=true`)
    expect([answer.status, answer.body.posts.length]).toEqual([200, 1])
    expect(world.network.calls().map(({ query }) => query.companyId)).toEqual([id])
  })

  it('that has got another slug stays the source it was, by the old slug, the new one and its number [G153]', async () => {
    const team = await world.team({ credits: 100 })
    const { slug, id, renamed } = await trackRenamed(team)
    for (const name of [renamed, id, slug]) await track(team, name)
    await world.drain()
    expect([await active(team), (await sourcesOf(team)).length, await team.balance()]).toEqual([[slug], 1, 98])
    expect((await team.get(`/company/${renamed}/sync`)).body.username).toBe(slug)
  })

  it('tracked twice while the network was silent is tracked once as soon as it is known: the older stays [G153]', async () => {
    const team = await world.team({ credits: 100 })
    const { slug, renamed } = await trackRenamed(team)
    for (const operation of ['company', 'companies/company/info'])
      world.network.fault({ kind: 'status_500', operation })
    await track(team, renamed)
    expect(await active(team)).toEqual(expect.arrayContaining([slug, renamed]))
    world.network.clearFaults()
    await world.drain()
    expect([await active(team), (await team.get(`/company/${renamed}/sync`)).body.username]).toEqual([[slug], slug])
    const { reports } = (await world.operator('GET', '/operator/source-reports')).body
    expect(reports.filter(({ teamId }: { teamId: string }) => teamId === team.id)).toMatchObject([
      { reason: 'double', type: 'company', username: renamed, status: 'inactive' },
    ])
  })

  it('is not tracked by number while the network does not answer: nothing is written [G153, G132]', async () => {
    const team = await world.team()
    const { id } = page()
    for (const operation of ['company', 'companies/company/info-v2'])
      world.network.fault({ kind: 'status_500', operation })
    const answer = await team.post('/enrich/company', { username: id, saveTrackedProfile: true })
    expect([answer.status, answer.body.code, await sourcesOf(team)]).toEqual([502, 'provider_unavailable', []])
  })
})
