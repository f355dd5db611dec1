/** One engagement that two sources of an agent have captured: it goes to the agent's webhook once, and a person to its campaign once. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { offerLeads } from '../../src/modules/delivery/index.ts'
import { useWorld, workedByDrain, type Team } from '../world/world.ts'
import { leadsOf, leadsSent, ok, running, seedTopicPost, topicsOf, trackOwn } from './agent-stage.ts'

const world = useWorld({ config: workedByDrain })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

/** Two topics, and one post that the searches of both find, with one person engaged. */
function seedShared(): { topics: string[]; fan: string } {
  const topics = topicsOf(world, 2)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  const [fan] = seedTopicPost(world, `About ${topics.join(' and ')}`, [{ comment: 'yes' }], { company: page })
  return { topics, fan: fan! }
}

/** A team whose agent sends to an inbox what it has captured of them: by the searches of both topics, or of the first alone. */
async function captured({ searches = 2, autoSend = true, answer = 200 } = {}) {
  const [team, inbox] = [await world.team(), await world.inbox()]
  inbox.answer(answer)
  const { topics } = seedShared()
  await running(world, team, {
    titles: ['CMO'],
    topics: topics.slice(0, searches),
    webhook: { url: inbox.url, autoSend },
  })
  return { team, inbox, topics }
}

/** The rows of all leads of a team, of inactive sources too. */
const rowsOf = async (team: Team): Promise<{ id: string; sourceId: string; webhookStatus: string }[]> =>
  (await ok(team.get('/leads?limit=100&includeInactive=true'))).leads

describe('an engagement that two sources of an agent have captured', () => {
  it('goes by itself once, and not by a push after that, of either row, by the agent or its source [FIX-08, AGT-74, WHK-17]', async () => {
    const { team, inbox } = await captured()
    const rows = await rowsOf(team)
    expect([rows.length, leadsSent(inbox)]).toEqual([2, 1])
    expect((await ok(team.post('/agent/push', {}))).queued).toBe(0)
    expect((await ok(team.post('/agent/push', { leadIds: rows.map(({ id }) => id) }))).queued).toBe(0)
    for (const { sourceId } of rows) expect((await ok(team.post(`/keyword/${sourceId}/push`, {}))).queued).toBe(0)
    await world.advance('24h')
    await world.advance('1h')
    expect(leadsSent(inbox)).toBe(1)
  })

  it('goes once by pushes of both rows, together or at the same time [FIX-08, AGT-73, AGT-74]', async () => {
    const { team, inbox } = await captured({ autoSend: false })
    const rows = await rowsOf(team)
    const pushes = await Promise.all([
      ...rows.map(({ id }) => ok(team.post('/agent/push', { leadIds: [id] }))),
      ok(team.post('/agent/push', { leadIds: rows.map(({ id }) => id) })),
      ok(team.post('/agent/push', {})),
    ])
    expect(pushes.reduce((sum, { queued }) => sum + queued, 0)).toBe(1)
    await world.drain()
    expect(leadsSent(inbox)).toBe(1)
  })

  it('goes once when both rows are offered in the same instant [FIX-08, WHK-17]', async () => {
    const { team, inbox } = await captured({ autoSend: false })
    await world.database.pool.query('update webhook set auto_send = true, auto_send_since = null where team_id = $1', [
      team.id,
    ])
    const rows = await rowsOf(team)
    await Promise.all(rows.map(({ id }) => world.unit(team, (tx) => offerLeads(tx, team.id, [id]))))
    await world.drain()
    expect(leadsSent(inbox)).toBe(1)
  })

  it('by a search of the team too goes to its URL as well, unless that is the same one [FIX-08, G136]', async () => {
    for (const same of [true, false]) {
      const team = await world.team()
      const [agents, own] = [await world.inbox(), await world.inbox()]
      const { topics } = seedShared()
      const { body } = await trackOwn(team, topics[1]!, { datePosted: 'PAST_WEEK' })
      await ok(team.put(`/keyword/${body.id}/webhook`, { webhookUrl: same ? agents.url : own.url }))
      await running(world, team, { titles: ['CMO'], topics, webhook: { url: agents.url, autoSend: true } })
      expect([(await rowsOf(team)).length, leadsSent(agents), leadsSent(own)]).toEqual([2, 1, same ? 0 : 1])
      expect((await ok(team.post('/agent/push', {}))).queued).toBe(0)
      expect((await leadsOf(team))[0]).toMatchObject({ engagementCount: 1 })
    }
  })
})
