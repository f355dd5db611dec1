import { beforeAll, describe, expect, it, vi } from 'vitest'
import { offerLeads } from '../../src/modules/delivery/index.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, leadsSent, ok, put, running, seedTopicPost, start, topicsOf, trackOwn } from './agent-stage.ts'
import { slackDestination } from '../destinations/stage.ts'
import { entryOf, exclude } from '../trust/exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

function seedShared(): { topics: string[]; fan: string } {
  const topics = topicsOf(world, 2)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  const [fan] = seedTopicPost(world, `About ${topics.join(' and ')}`, [{ comment: 'yes' }], { company: page })
  return { topics, fan: fan! }
}

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

  it('goes once also where one of them is untracked before the other has captured it, by the other if it could not be delivered [FIX-08, AGT-45, WHK-17, WHK-18]', async () => {
    for (const answer of [200, 500]) {
      const { team, inbox, topics } = await captured({ searches: 1, answer })
      await put(team, { topics: [topics[1]] })
      const tries = leadsSent(inbox)
      inbox.answer(200)
      await ok(start(team))
      await world.drain()
      for (const wait of ['1h', '24h']) await world.advance(wait)
      const more = answer === 200 ? 0 : 1
      expect([answer, tries, (await rowsOf(team)).length, leadsSent(inbox)]).toEqual([answer, 1, 2, tries + more])
      expect((await ok(team.post('/agent/push', {}))).queued).toBe(0)
    }
  })

  it('that waits for a retry when its source is untracked goes by the other that has captured it, once [FIX-08, WHK-19]', async () => {
    const { team, inbox } = await captured({ answer: 500 })
    const { rows } = await world.database.pool.query('select owner_id from delivery where team_id = $1', [team.id])
    expect([rows.length, leadsSent(inbox)]).toEqual([1, 1])
    await ok(team.del(`/keyword/${rows[0].owner_id}`))
    inbox.answer(200)
    for (const wait of ['1m', '1h', '25h']) await world.advance(wait)
    expect(leadsSent(inbox)).toBe(2)
    expect((await rowsOf(team)).map(({ webhookStatus }) => webhookStatus).sort()).toEqual(['failed', 'sent'])
  })

  it('that was pushed after an entry was lifted goes by the other source to the webhook alone, not to who never got it [EXC-09]', async () => {
    const [team, inbox, hook] = [await world.team(), await world.inbox(), await world.inbox()]
    inbox.answer(500)
    await exclude(team, [{ kind: 'title', value: 'CMO' }])
    expect((await team.post('/hooks', { targetUrl: hook.url, event: 'lead.detected' })).status).toBe(201)
    const slack = await slackDestination(world, team)
    await running(world, team, {
      titles: ['CMO'],
      topics: seedShared().topics,
      webhook: { url: inbox.url, autoSend: true },
    })
    await ok(team.del(`/exclusions/${await entryOf(team, 'CMO')}`))
    await ok(team.post('/agent/push', {}))
    await world.drain()
    const { rows } = await world.database.pool.query('select owner_id from delivery where team_id = $1', [team.id])
    await ok(team.del(`/keyword/${rows[0].owner_id}`))
    await world.advance('1h')
    expect([leadsSent(inbox) > 1, leadsSent(hook), slack.messages()]).toEqual([true, 0, []])
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
