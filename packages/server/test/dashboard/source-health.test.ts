import { describe, expect, it } from 'vitest'
import { nameOfPerson } from './source-stage.ts'
import { ok } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import { likes, people, resweep, sweep } from '../scenarios/sync-stage.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const world = useWorld()

const viewerOf = (team: Team): Promise<MemberBrowser> => memberOf(world, team, 'viewer')
const healthOf = async (viewer: MemberBrowser, id: string): Promise<Answer['body']> =>
  (await ok(viewer.get(`/sources/${id}/health`))).source
const kindsOf = async (viewer: MemberBrowser, id: string): Promise<string[]> =>
  (await healthOf(viewer, id)).warnings.map((warning: { kind: string }) => warning.kind)
const swept = async (
  team: Team,
  fans: number,
  settings: Record<string, unknown> = {},
): Promise<{ id: string; author: string }> => {
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes(people(world, fans)), comments: [] })
  return { id: (await sweep(world, team, author, settings)).sourceId, author }
}

describe('the health of a source', () => {
  it('tells its last run in words, its coverage, its leads, and what it has cost in 30 days', async () => {
    const [team, other] = [await world.team(), await world.team()]
    const viewer = await viewerOf(team)
    const { id, author } = await swept(team, 4, { creditCapPerSync: 3 })
    const health = await healthOf(viewer, id)
    expect(health).toMatchObject({
      id,
      type: 'person',
      label: nameOfPerson(world, author),
      username: author,
      status: 'active',
      mode: 'engagers',
      raw: false,
      running: false,
      silentDays: 0,
      leads: 3,
      rawLeads: 0,
      icpLeads: 0,
      hasCriteria: false,
      pendingEnrichment: 0,
      creditsSpent: 3,
      coverage: { declared: 4, captured: 3 },
      lastRun: {
        state: 'completed',
        stoppedBy: 'credit_cap',
        words: 'Stopped at the cap of 3 leads per run you set',
        creditsSpent: 3,
        leadRows: 3,
      },
    })
    expect(health.warnings.map((warning: { kind: string }) => warning.kind)).toEqual(['starved', 'no_icp'])
    await world.advance('31d')
    // Only the fourth fan: the first run's cost is more than 30 days ago.
    expect(await healthOf(viewer, id)).toMatchObject({
      leads: 4,
      creditsSpent: 1,
      coverage: { declared: 4, captured: 4 },
    })
    const stranger = await viewerOf(other)
    for (const asked of [`/sources/${id}/health`, `/sources/${id}/runs`, '/sources/nonsense/health'])
      expect((await stranger.get(asked)).status).toBe(404)
  })

  it('warns of a webhook that was switched off and of a rule that stands still, and of nothing once the source is untracked', async () => {
    const team = await world.team()
    const viewer = await viewerOf(team)
    const { id, author } = await swept(team, 1, { enrichLeads: false })
    expect((await team.put(`/profile/${author}/webhook`, { webhookUrl: 'https://receiver.example/hook' })).status).toBe(
      200,
    )
    await world.database.pool.query(
      `update webhook set disabled_at = url_set_at, disabled_reason = 'gone' where team_id = $1`,
      [team.id],
    )
    await world.database.pool.query(
      `insert into outreach_rule (team_id, owner_id, owner_kind, campaign_id, campaign_name, auto_send,
         auto_send_since, filters, state, paused_reason, updated_at, due_at)
       select $1, $2, 'source', '7', 'Cold', true, now, '[]', 'paused', 'invalid_key', now, now
       from service_clock`,
      [team.id, id],
    )
    expect(await kindsOf(viewer, id)).toEqual(['webhook_disabled', 'outreach_paused'])
    expect((await team.del(`/profile/${author}`)).status).toBe(200)
    expect(await healthOf(viewer, id)).toMatchObject({ status: 'inactive', warnings: [], nextSyncAt: null })
  })
})

describe('the list of sources', () => {
  it('refuses a cursor that is none of its own', async () => {
    const viewer = await viewerOf(await world.team())
    for (const cursor of ['x', 'active.x', 'inactive', 'active.', 'other.WyIyMDI2'])
      expect([cursor, (await viewer.get(`/sources/health?cursor=${cursor}`)).status]).toEqual([cursor, 400])
  })
})

describe('the runs of a source', () => {
  it('are listed newest first, page by page, each with why it stopped', async () => {
    const team = await world.team()
    const viewer = await viewerOf(team)
    const { id, author } = await swept(team, 5, { creditCapPerSync: 2, enrichLeads: false })
    for (let index = 0; index < 2; index++) {
      await world.move('1s')
      await resweep(world, team, author)
    }
    const { runs, nextCursor } = await ok(viewer.get(`/sources/${id}/runs`))
    expect([runs.map((one: { words: string; trigger: string }) => [one.trigger, one.words]), nextCursor]).toEqual([
      [
        ['manual', 'Finished: everybody found was captured'],
        ['manual', 'Stopped at the cap of 2 leads per run you set'],
        ['track', 'Stopped at the cap of 2 leads per run you set'],
      ],
      null,
    ])
    expect(runs[0]).toMatchObject({
      state: 'completed',
      stoppedBy: 'exhausted',
      creditsSpent: 1,
      leadRows: 1,
      postsTotal: 1,
      postsProcessed: 1,
      coverage: { declared: 5, captured: 5 },
    })
    const first = await ok(viewer.get(`/sources/${id}/runs?limit=2`))
    const rest = await ok(viewer.get(`/sources/${id}/runs?limit=2&cursor=${first.nextCursor}`))
    expect([[...first.runs, ...rest.runs], rest.nextCursor]).toEqual([runs, null])
    expect((await viewer.get(`/sources/${id}/runs?cursor=x`)).status).toBe(400)
  })
})
