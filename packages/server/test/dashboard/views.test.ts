/** Saved views: the filters of a list, kept under a name for the whole team. */
import { describe, expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, type Answer } from '../world/world.ts'
import { memberOf } from './stage.ts'

const world = useWorld()
const ok = async (asked: Promise<Answer>): Promise<Answer['body']> => {
  const { status, body } = await asked
  expect([status, body.error ?? null]).toEqual([200, null])
  return body
}
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

  it.each([
    ['without a name', { page: 'leads', name: ' ', query: {} }],
    ['of an unknown page', { page: 'secrets', name: 'x', query: {} }],
    ['with something nested', { page: 'leads', name: 'x', query: { deep: { er: 1 } } }],
    [
      'with more than a page can hold',
      {
        page: 'leads',
        name: 'x',
        query: Object.fromEntries(Array.from({ length: 60 }, (_each, at) => [`field${at}`, 'x'.repeat(100)])),
      },
    ],
    ['with a field nobody knows', { page: 'leads', name: 'x', query: {}, owner: 'me' }],
  ])('%s is refused', async (_what, body) => {
    const member = await memberOf(world, await world.team(), 'member')
    expect((await refusedWithoutTrace(world, () => member.put('/views', body))).status).toBe(400)
  })
})
