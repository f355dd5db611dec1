import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCursors, setLists, type Listed } from '../scenarios/lists-stage.ts'
import { createWorld, type World } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

let world: World
let stage: Listed
let viewer: MemberBrowser
beforeAll(async () => {
  world = await createWorld()
  stage = await setLists(world)
  viewer = await memberOf(world, stage.team, 'viewer')
}, 120_000)
afterAll(() => world.close())

const nameOf = (id: string | null | undefined): string =>
  Object.entries(stage.ids).find(([, other]) => other === id)?.[0] ?? String(id)

describe('page by page', () => {
  it.each([
    ['', ['busy', 'post', 'company', 'search', 'watch', 'raw', 'person']],
    ['includeInactive=true', ['busy', 'post', 'company', 'search', 'watch', 'raw', 'person', 'rawGone', 'gone']],
  ])('the health of sources by «%s»: tracked ones first, each newest first', async (query, names) => {
    await expectCursors(
      (page) => viewer.get(`/sources/health${page}`),
      query,
      'sources',
      (row) => nameOf(row.id),
      names,
    )
  })

  it('another team’s rows are on no page, and a source of this team is unknown there', async () => {
    const stranger = await memberOf(world, stage.other, 'viewer')
    const ids = new Set(Object.values(stage.ids))
    const { sources } = (await stranger.get('/sources/health?includeInactive=true')).body
    expect(sources).toHaveLength(4)
    expect(sources.filter(({ id }: { id: string }) => ids.has(id))).toEqual([])
    expect((await stranger.get('/deliveries')).body).toEqual({ deliveries: [], nextCursor: null })
    for (const id of ids) expect((await stranger.get(`/sources/${id}/runs?limit=1`)).status).toBe(404)
  })
})
