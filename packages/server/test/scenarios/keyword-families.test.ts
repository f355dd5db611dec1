/** The routes below a keyword search's id; none of them serves another type of source. */
import { beforeAll, describe, expect, it } from 'vitest'
import { refusedWithoutTrace, silent, sourceOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { search, searchRow, word } from './keyword-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })
const unknown = '01a1fd55-7a80-7003-a3e3-0123456789ab'

const family: [string, string, unknown?][] = [
  ['GET', '/sync'],
  ['GET', '/webhook'],
  ['PUT', '/webhook', { autoSend: false }],
  ['GET', '/icp'],
  ['PUT', '/icp', { matchMode: 'any' }],
  ['POST', '/push', {}],
  ['PATCH', '', { name: 'New' }],
  ['DELETE', ''],
]

describe('the keyword family', () => {
  let team: Team
  let id: string
  beforeAll(async () => {
    team = await world.team({ credits: 100 })
    id = (await search(team, { keyword: word(world) })).id
  })
  it('cannot be synced by hand: it has a schedule [SYN-29, G32]', async () => {
    const answer = await refusedWithoutTrace(world, () => team.post(`/sources/${id}/sync`, {}))
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('schedule')])
  })

  it('is 404 on every route for an id of another kind or team, that never existed or is none, all alike [CON-22, AUT-11, AUT-12]', async () => {
    const person = silent(world)
    await track(team, person)
    const personId = (await sourceOf(team, person)).id
    const stranger = await world.team({ credits: 10 })
    await refusedWithoutTrace(world, async () => {
      for (const [method, path, body] of family) {
        const told = new Set<string>()
        for (const [caller, name] of [
          [team, personId],
          [stranger, id],
          [team, unknown],
          [team, 'no-uuid'],
          [team, person],
        ] as const) {
          const answer = await caller.call(method, `/keyword/${name}${path}`, body)
          told.add(`${answer.status} ${answer.body.code} ${answer.body.error}`)
        }
        expect([method, path, [...told]]).toEqual([method, path, [expect.stringMatching(/^404 /)]])
      }
    })
  })

  it("a search's id is no handle of a person or company, and its terms are none either [CON-15, CON-22]", async () => {
    const { username } = await searchRow(team, id)
    for (const name of [id, username])
      for (const kind of ['profile', 'company'])
        expect([
          kind,
          (await team.get(`/${kind}/${name}/sync`)).status,
          (await team.del(`/${kind}/${name}`)).status,
        ]).toEqual([kind, 404, 404])
  })

  it('kept posts are for keyword searches only, with a known include, and never for another team [SRC-08, SRC-10..SRC-12]', async () => {
    expect((await team.get(`/sources/${id}/kept-posts`)).body).toEqual({
      sourceId: id,
      posts: [],
      total: 0,
      limit: 50,
      offset: 0,
      hasMore: false,
    })
    expect((await team.get(`/sources/${id}/kept-posts?include=swept&limit=5&offset=2`)).body).toMatchObject({
      limit: 5,
      offset: 2,
      total: 0,
    })
    for (const query of ['include=x', 'include=', 'include=kept', 'include=swept&include=swept'])
      expect([query, (await team.get(`/sources/${id}/kept-posts?${query}`)).status]).toEqual([query, 400])
    const person = silent(world)
    await track(team, person)
    const answer = await team.get(`/sources/${(await sourceOf(team, person)).id}/kept-posts`)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('keyword')])
    const stranger = await world.team({ credits: 10 })
    for (const [caller, name] of [
      [stranger, id],
      [team, unknown],
      [team, 'no-uuid'],
    ] as const)
      expect((await caller.get(`/sources/${name}/kept-posts`)).status).toBe(404)
    expect((await team.get(`/sources/${id}/posts`)).status).toBe(400)
  })

  it('sources are filtered by the four kinds, and no other [SRC-02, CON-19]', async () => {
    for (const type of ['person', 'company', 'post', 'keyword']) {
      const { status, body } = await team.get(`/sources?type=${type}`)
      expect([status, new Set(body.sources.map((source: { type: string }) => source.type))]).toEqual([
        200,
        new Set(body.sources.length > 0 ? [type] : []),
      ])
    }
    for (const type of ['profile', 'KEYWORD', '']) expect((await team.get(`/sources?type=${type}`)).status).toBe(400)
    const rows = (await team.get('/sources')).body.sources
    for (const row of rows.filter((source: { type: string }) => source.type !== 'keyword'))
      for (const field of ['schedule', 'config', 'keywords', 'filters', 'creditCap'])
        expect(row).not.toHaveProperty(field)
  })
})

describe('DELETE of a search', () => {
  it('untracks it softly and answers who it was; then 404; tracking keeps its id [KEY-73, KEY-76, TRK-35, G77, C27, KEY-02]', async () => {
    const team = await world.team({ credits: 100 })
    const keyword = word(world)
    const made = await search(team, { keyword, name: 'Mine', maxRuns: 2 })
    const { status, body } = await team.del(`/keyword/${made.id}`)
    expect([status, body]).toEqual([
      200,
      { ok: true, id: made.id, username: keyword, profileType: 'keyword', untracked: true },
    ])
    expect((await team.get('/sources')).body.sources).toEqual([])
    expect(await searchRow(team, made.id)).toMatchObject({
      status: 'inactive',
      name: 'Mine',
      schedule: { nextRunAt: null },
    })
    expect((await team.get(`/keyword/${made.id}/sync`)).body).toMatchObject({
      state: 'untracked',
      stoppedBy: 'untracked',
      capture: { stoppedBy: null },
    })
    expect((await refusedWithoutTrace(world, () => team.del(`/keyword/${made.id}`))).status).toBe(404)
    const again = await search(team, { keyword })
    expect(again).toMatchObject({
      id: made.id,
      resumed: true,
      status: 'active',
      name: 'Mine',
      maxRuns: 2,
      syncId: expect.any(String),
    })
    expect(again.syncId).not.toBe(made.syncId)
  })
})
