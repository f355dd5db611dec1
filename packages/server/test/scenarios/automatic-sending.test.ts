/** What a webhook sends automatically and what only by push (specification «Events» 1, 2; G134, G158, G160). */
import { describe, expect, it } from 'vitest'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import {
  agentOf,
  leadsOf as agentLeads,
  put,
  running,
  seedTopicPost,
  start,
  topicsOf,
  webhookStatesOf,
} from './agent-stage.ts'
import { leadsOf, ok, trackWith, type Tracked } from './fit-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const profile = { titles: ['CMO'], countries: ['Germany'] }
const sent = (inbox: Inbox) =>
  inbox.received.filter(({ body }) => body.event === 'lead.detected').map(({ body }) => body.lead.id as string)
const states = async (team: Team, source: Tracked) =>
  (await leadsOf(team, source)).map((lead) => lead.webhookStatus).sort()
const stuckEnrichment = () => {
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
}
const enrichAll = async () => {
  world.network.clearFaults()
  await world.advance('10m')
}
const save = (team: Team, source: Tracked, change: Record<string, unknown>) =>
  ok(team.put(`${source.path}/webhook`, change))

async function engage(team: Team, source: Tracked, count = 1): Promise<void> {
  await world.move('1m')
  world.network.seedPost({
    author: source.author,
    postedAt: (await world.now()).toISOString(),
    reactions: Array.from({ length: count }, () => ({ person: world.handle('late') })),
    comments: [],
  })
  expect((await ok(team.post(`/sources/${source.id}/sync`))).queued).toBe(true)
  await world.drain()
}

/** A running agent with this webhook; a company page writes the post people engage with, so that nobody is watched. */
async function runningAgent(team: Team, webhook: Record<string, unknown>, people = 1): Promise<void> {
  const [topic] = topicsOf(world, 1)
  const page = world.handle('page')
  world.network.seedCompany({ slug: page, posts: [] })
  seedTopicPost(
    world,
    `About ${topic}`,
    Array.from({ length: people }, () => ({})),
    { company: page },
  )
  await running(world, team, { ...profile, topics: [topic], webhook })
}

describe('leads captured before a URL', () => {
  it("became the agent's go by push only, also when they are enriched afterwards [FIX-02, G158, WHK-28]", async () => {
    const team = await world.team()
    const [first, second] = [await world.inbox(), await world.inbox()]
    stuckEnrichment()
    await runningAgent(team, { url: first.url, autoSend: true }, 2)
    await put(team, { webhook: { url: second.url, autoSend: true } })
    await enrichAll()
    expect(await agentLeads(team)).toHaveLength(2)
    expect([sent(first), sent(second)]).toEqual([[], []])
    await world.advance('1h')
    expect(sent(second)).toEqual([])
    expect(await ok(team.post('/agent/push', {}))).toMatchObject({ queued: 2 })
    await world.drain()
    expect(sent(second)).toHaveLength(2)
  })

  type Inboxes = { readonly first: Inbox; readonly second: Inbox }
  const onTo = (team: Team, webhook: Record<string, unknown>) => put(team, { webhook: { autoSend: true, ...webhook } })
  const stopped = async (team: Team, ...then: readonly Inbox[]) => {
    await ok(team.post('/agent/stop', {}))
    for (const { url } of then) {
      await world.move('1m')
      await onTo(team, { url })
    }
    await ok(start(team))
  }
  const ways: readonly (readonly [string, (team: Team, inboxes: Inboxes) => Promise<void>])[] = [
    [
      'with its filters changed since and autoSend switched off and on',
      async (team, { second: { url } }) => {
        const filters = [{ column: 'icp', operator: 'at_least', value: 40 }]
        for (const change of [{}, { filters }, { autoSend: false }, {}]) await onTo(team, { url, ...change })
      },
    ],
    ['where it was stopped, given another and started again', (team, { second }) => stopped(team, second)],
    [
      'where it was stopped, given another and then the first again',
      (team, { first, second }) => stopped(team, second, first),
    ],
  ]
  it.each(ways)("became the agent's stay so %s [FIX-02, G158, AGT-75]", async (_way, change) => {
    const team = await world.team()
    const inboxes = { first: await world.inbox(), second: await world.inbox() }
    stuckEnrichment()
    await runningAgent(team, { url: inboxes.first.url, autoSend: true })
    await change(team, inboxes)
    await enrichAll()
    expect((await agentOf(team)).status).toBe('active')
    expect(await agentLeads(team)).toHaveLength(1)
    expect([sent(inboxes.first), sent(inboxes.second)]).toEqual([[], []])
  })

  it.each(['company', 'post'] as const)(
    'of a %s was changed go by push only, new ones by themselves [FIX-02, G158, WHK-07]',
    async (route) => {
      const team = await world.team()
      const [first, second] = [await world.inbox(), await world.inbox()]
      stuckEnrichment()
      const source = await trackWith(world, team, [{ title: 'CTO' }], { route, hook: { webhookUrl: first.url } })
      await save(team, source, { webhookUrl: second.url })
      await enrichAll()
      expect([sent(first), sent(second), await states(team, source)]).toEqual([[], [], ['pending']])
      if (route !== 'post') {
        await engage(team, source)
        expect(sent(second)).toHaveLength(1)
      }
      expect(await ok(team.post(`${source.path}/push`, {}))).toMatchObject({ queued: 1 })
      await world.drain()
      expect([sent(first), await states(team, source)]).toEqual([[], route === 'post' ? ['sent'] : ['sent', 'sent']])
    },
  )

  it('was saved once more go by themselves: it is the same [WHK-07, G134]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    stuckEnrichment()
    const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: inbox.url } })
    await save(team, source, { webhookUrl: inbox.url, icpOnly: true })
    await enrichAll()
    expect([sent(inbox).length, await states(team, source)]).toEqual([1, ['sent']])
  })
})

describe('autoSend switched off', () => {
  /** A source whose webhook answers so. */
  async function answering(
    status: number,
    people: readonly { title: string }[],
    options: Parameters<typeof trackWith>[3] = {},
  ) {
    const [team, inbox] = [await world.team(), await world.inbox()]
    inbox.answer(status)
    const hook = { webhookUrl: inbox.url, ...options.hook }
    return { team, inbox, source: await trackWith(world, team, people, { ...options, hook }) }
  }

  it.each(['profile', 'post'] as const)(
    'stops what waits for a retry at a %s: pending again, gone by push, never by itself [FIX-08, G160, WHK-09]',
    async (route) => {
      const { team, inbox, source } = await answering(500, [{ title: 'CTO' }], { route })
      expect(sent(inbox)).toHaveLength(1)
      await save(team, source, { autoSend: false })
      inbox.answer(200)
      await world.advance('100h')
      expect([sent(inbox).length, await states(team, source)]).toEqual([1, ['pending']])
      await save(team, source, { autoSend: true })
      await world.advance('100h')
      expect([sent(inbox).length, await states(team, source)]).toEqual([1, ['pending']])
      const { pushId, queued } = await ok(team.post(`${source.path}/push`, {}))
      await world.drain()
      expect([queued, sent(inbox).length, await states(team, source)]).toEqual([1, 2, ['sent']])
      expect((await ok(team.get(`/push/${pushId}`))).counts.delivered).toBe(1)
      // The push sends the same delivery, with its id.
      expect(new Set(inbox.received.map(({ body }) => body.id)).size).toBe(1)
    },
  )

  it('can be followed by a push at once, which autoSend does not stop [FIX-08, G160, WHK-21]', async () => {
    const { team, inbox, source } = await answering(500, [{ title: 'CTO' }, { title: 'Baker' }])
    await save(team, source, { autoSend: false })
    expect(await ok(team.post(`${source.path}/push`, {}))).toMatchObject({ queued: 2 })
    await save(team, source, { autoSend: false, icpOnly: false })
    await world.drain()
    inbox.answer(200)
    await world.advance('1h')
    expect(await states(team, source)).toEqual(['sent', 'sent'])
  })

  it('stops what a disabled endpoint holds, and leaves what was pushed [FIX-08, G160]', async () => {
    const { team, inbox, source } = await answering(410, [{ title: 'CTO' }])
    await save(team, source, { autoSend: false })
    inbox.answer(200)
    await save(team, source, { webhookUrl: inbox.url })
    await world.drain()
    expect([sent(inbox).length, await states(team, source)]).toEqual([1, ['pending']])
    inbox.answer(500)
    await ok(team.post(`${source.path}/push`, {}))
    await world.drain()
    inbox.answer(200)
    await save(team, source, { autoSend: true })
    await save(team, source, { autoSend: false })
    await world.advance('1h')
    expect(await states(team, source)).toEqual(['sent'])
  })

  it('stops the posts of a watch that wait for a retry, and no event of a sync [FIX-08, G160, WHK-11]', async () => {
    const { team, inbox, source } = await answering(500, [], {
      settings: { mode: 'posts_only', postsPerSync: 10, confirmSpend: true },
      hook: { syncEvents: true },
    })
    const tried = inbox.received.map(({ body }) => body.event).sort()
    expect(tried).toEqual(['post.detected', 'sync.completed'])
    await save(team, source, { autoSend: false })
    inbox.answer(200)
    await world.advance('1h')
    expect(inbox.received.slice(tried.length).map(({ body }) => body.event)).toEqual(['sync.completed'])
  })

  it('stops what waits beyond what one request calls off, also when it is switched on again [FIX-08, G160]', async () => {
    const { team, inbox, source } = await answering(500, [{ title: 'CTO' }])
    const { pool } = world.database
    await pool.query(
      `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at, automatic)
       select team_id, gen_random_uuid(), owner_id, 'post.detected', 'long backlog ' || i, 'pending', '{}',
         created_at, created_at, true
       from webhook w join source s using (team_id) cross join generate_series(1, 5100) i
       where s.id = w.owner_id and w.owner_id = $1`,
      [source.id],
    )
    const tried = inbox.received.length
    inbox.answer(200)
    await save(team, source, { autoSend: false })
    await world.move('1m')
    await save(team, source, { autoSend: true })
    await world.advance('1h')
    expect(inbox.received).toHaveLength(tried)
    const { rows } = await pool.query(
      'select state, count(*)::integer as count from delivery where owner_id = $1 group by 1',
      [source.id],
    )
    expect(rows).toEqual([{ state: 'cancelled', count: 5_101 }])
  })

  it("stops an agent's too, and what was pushed goes on [FIX-08, G160, AGT-14]", async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    inbox.answer(500)
    await runningAgent(team, { url: inbox.url, autoSend: true }, 2)
    expect(sent(inbox)).toHaveLength(2)
    await put(team, { webhook: { url: inbox.url } })
    inbox.answer(200)
    await world.advance('100h')
    await put(team, { webhook: { url: inbox.url, autoSend: true } })
    await world.advance('24h')
    expect(sent(inbox)).toHaveLength(2)
    expect(await webhookStatesOf(team)).toEqual(['pending', 'pending'])
    inbox.answer(500)
    expect(await ok(team.post('/agent/push', {}))).toMatchObject({ queued: 2 })
    await world.drain()
    await put(team, { webhook: { url: inbox.url } })
    inbox.answer(200)
    await world.advance('1h')
    expect(await webhookStatesOf(team)).toEqual(['sent', 'sent'])
  })
})
