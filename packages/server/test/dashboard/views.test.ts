import { describe, expect, it } from 'vitest'
import { capture } from '../scenarios/outreach-stage.ts'
import { ok, refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Answer, drainOnlyUnlessLongRun } from '../world/world.ts'
import { memberOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const names = (body: Answer['body']): string[] =>
  body.views.map((view: { page: string; name: string }) => `${view.page}: ${view.name}`)

describe('a saved view', () => {
  it('is seen by the whole team, replaced under its name, and forgotten', async () => {
    const team = await world.team()
    const [member, viewer] = [await memberOf(world, team, 'member'), await memberOf(world, team, 'viewer')]
    const query = { isIcp: true, country: 'Germany', columns: ['name', 'jobTitle'], limit: 50 }
    const { view } = await ok(member.put('/views', { page: 'leads', name: '  Fits in Germany ', query }))
    expect(view).toEqual({
      id: view.id,
      page: 'leads',
      name: 'Fits in Germany',
      query,
      createdBy: 'Somebody',
      updatedAt: '2026-11-21T09:00:00.000Z',
    })
    await ok(member.put('/views', { page: 'sources', name: 'Fits in Germany', query: {} }))
    await ok(member.put('/views', { page: 'leads', name: 'All', query: {} }))
    expect(names(await ok(viewer.get('/views')))).toEqual([
      'leads: All',
      'leads: Fits in Germany',
      'sources: Fits in Germany',
    ])
    const again = await ok(member.put('/views', { page: 'leads', name: 'Fits in Germany', query: { isIcp: false } }))
    expect(again.view).toMatchObject({ id: view.id, query: { isIcp: false } })
    expect(await ok(member.del(`/views/${view.id}`))).toEqual({ ok: true })
    expect(names(await ok(viewer.get('/views')))).toEqual(['leads: All', 'sources: Fits in Germany'])
    expect((await member.del(`/views/${view.id}`)).status).toBe(404)
  })

  it('of one team is nothing to another', async () => {
    const [mine, theirs] = [
      await memberOf(world, await world.team(), 'member'),
      await memberOf(world, await world.team(), 'member'),
    ]
    const { view } = await ok(mine.put('/views', { page: 'leads', name: 'Mine', query: {} }))
    expect((await theirs.del(`/views/${view.id}`)).status).toBe(404)
    expect(names(await ok(theirs.get('/views')))).toEqual([])
    expect(names(await ok(mine.get('/views')))).toEqual(['leads: Mine'])
  })

  it('is one of 200 at most; one that is there can still be replaced', async () => {
    const member = await memberOf(world, await world.team(), 'member')
    for (let count = 1; count <= 200; count++)
      await ok(member.put('/views', { page: 'leads', name: `View ${count}`, query: {} }))
    const refused = await refusedWithoutTrace(world, () =>
      member.put('/views', { page: 'leads', name: 'One more', query: {} }),
    )
    expect([refused.status, refused.body.code]).toEqual([403, 'view_limit_reached'])
    await ok(member.put('/views', { page: 'leads', name: 'View 200', query: { isIcp: true } }))
    expect((await ok(member.get('/views'))).views).toHaveLength(200)
  })

  it('is refused without a name, of an unknown page, with something nested, too much, or a field nobody knows', async () => {
    const member = await memberOf(world, await world.team(), 'member')
    const view = { page: 'leads', name: 'x', query: {} }
    const long = Array.from({ length: 60 }, (_each, at) => [`field${at}`, 'x'.repeat(100)])
    for (const wrong of [
      { name: ' ' },
      { page: 'secrets' },
      { query: { deep: { er: 1 } } },
      { query: Object.fromEntries(long) },
      { owner: 'me' },
    ]) {
      const { status } = await refusedWithoutTrace(world, () => member.put('/views', { ...view, ...wrong }))
      expect([Object.keys(wrong), status]).toEqual([Object.keys(wrong), 400])
    }
  })
})

describe('the grid of leads', () => {
  it('is sorted by the service over pages, those without the value last either way, whatever filters choose, no lead twice', async () => {
    const team = await world.team({ credits: 100 })
    const viewer = await memberOf(world, team, 'viewer')
    const company = { company: world.handle('zeta') }
    const people = [
      { name: 'ada Adams', title: 'Head of Sales', comment: 'Yes' },
      { name: 'Bob Baker', title: 'Engineer', ...company },
      { name: 'Ärta Ångström', title: 'Head of Growth' },
      { name: 'Cleo Clark', title: 'Engineer', comment: 'No' },
    ]
    world.network.seedCompany({ slug: company.company })
    const { id } = await capture(world, team, people)
    await ok(
      team.put(`/sources/${id}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'head of' }] }),
    )
    await world.drain()
    const sorted = async (query: string, limit = 2): Promise<Answer['body'][]> => {
      const leads: Answer['body'][] = []
      for (let offset = 0; ; offset += limit) {
        const page = await ok(viewer.get(`/grid/leads?${query}&limit=${limit}&offset=${offset}`))
        expect(page.total).toBe(query.includes('isIcp') ? 2 : 4)
        leads.push(...page.leads)
        if (!page.hasMore) return leads
      }
    }
    const named = async (query: string) => (await sorted(query)).map(({ name }) => name.split(' ')[0])
    expect(await named('sort=name&direction=up')).toEqual(['ada', 'Bob', 'Cleo', 'Ärta'])
    expect(await named('sort=name&direction=down')).toEqual(['Ärta', 'Cleo', 'Bob', 'ada'])
    expect(await named('sort=name&direction=up&isIcp=true')).toEqual(['ada', 'Ärta'])
    const byCompany = (await sorted('sort=company&direction=up')).map(({ companyName }) => companyName)
    expect(byCompany).toEqual([...byCompany].sort((a, b) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1)))
    const fit = (direction: string) => sorted(`sort=fit&direction=${direction}`)
    expect((await fit('up')).map(({ isIcp }) => isIcp)).toEqual([true, true, false, false])
    expect((await fit('down')).map(({ isIcp }) => isIcp)).toEqual([false, false, true, true])
    expect((await sorted('sort=engagement&direction=up')).map(({ engagementType }) => engagementType)).toEqual([
      'Comment',
      'Comment',
      'Like',
      'Like',
    ])
    const newest = (await team.get('/leads')).body.leads.map((lead: { id: string }) => lead.id)
    expect((await sorted('sort=captured&direction=down', 3)).map((lead) => lead.id)).toEqual(newest)
    expect((await sorted('sort=captured&direction=up', 3)).map((lead) => lead.id)).toEqual(newest.toReversed())
    for (const wrong of ['sort=shoe&direction=up', 'sort=name', 'sort=name&direction=up&offset=10001'])
      expect((await viewer.get(`/grid/leads?${wrong}`)).status).toBe(400)
    const stranger = await memberOf(world, await world.team(), 'owner')
    expect((await ok(stranger.get('/grid/leads?sort=name&direction=up'))).leads).toEqual([])
    expect((await stranger.get(`/grid/leads?sort=name&direction=up&profileId=${id}`)).status).toBe(404)
  })
})
