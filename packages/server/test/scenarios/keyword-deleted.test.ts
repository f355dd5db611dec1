import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { onlySeeded, rowOf, run, runAgain, search, statusOf, topic } from './keyword-run-stage.ts'
import { likes, people } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const post = (text: string, fans: readonly string[]) =>
  world.network.seedPost({ author: world.handle('author'), text, reactions: likes(fans), comments: [] })
const leadsBy = async (team: Team, query: string) => (await team.get(`/leads?limit=100&${query}`)).body
const progress = async (team: Team, pushId: string) => (await team.get(`/push/${pushId}`)).body
const pushedIds = (received: readonly { body: any }[]) => received.map((delivery) => delivery.body.lead.id).sort()

describe('a deleted search', () => {
  it('keeps its leads readable by id or terms, hidden from the team’s lists, uncharged [KEY-74, TRK-35, TRK-33, WHK-26, C3]', async () => {
    const [team, word] = [await world.team({ credits: 50 }), topic(world)]
    post(`About ${word}`, people(world, 3))
    const shout = word.toUpperCase()
    const { id, username } = await run(world, team, { keywords: [shout, `${word}b`], enrichLeads: true })
    expect(username).toBe(`${shout} OR ${word}b`)
    expect((await leadsBy(team, '')).total).toBe(3)
    expect((await leadsBy(team, 'sourceKind=keyword')).total).toBe(3)
    expect((await team.del(`/keyword/${id}`)).status).toBe(200)
    for (const query of [
      `profileId=${id}`,
      `username=${encodeURIComponent(username)}`,
      `profileId=${id}&includeInactive=true`,
    ])
      expect([query, (await leadsBy(team, query)).leads.length]).toEqual([query, 3])
    expect((await team.get(`/engagers?profileId=${id}`)).body.total).toBe(3)
    expect((await team.get(`/sources/${id}/kept-posts`)).body.total).toBe(1)
    expect([
      (await leadsBy(team, '')).total,
      (await leadsBy(team, 'sourceKind=keyword')).total,
      (await leadsBy(team, 'includeInactive=true')).total,
    ]).toEqual([0, 0, 3])
    expect(await team.balance()).toBe(47)
  })

  it.each(['keyword', 'sources'])(
    'is reached at /%s/{id} as at the other: status, webhook, criteria, push; edits and syncs find nothing [FIX-09, C3, KEY-75, WHK-17, WHK-21]',
    async (family) => {
      const [team, word, inbox] = [await world.team({ credits: 50 }), topic(world), await world.inbox()]
      post(`About ${word}`, people(world, 3))
      const { id } = await run(world, team, { keyword: word, enrichLeads: true })
      await team.del(`/keyword/${id}`)
      const at = `/${family}/${id}`
      for (const answer of [
        await team.get(`${at}/sync`),
        await team.put(`${at}/webhook`, { webhookUrl: inbox.url }),
        await team.get(`${at}/webhook`),
        await team.put(`${at}/icp`, { rules: [] }),
        await team.get(`${at}/icp`),
      ])
        expect([answer.status, answer.body.sourceId]).toEqual([200, id])
      const ids = (await leadsBy(team, `profileId=${id}`)).leads.map((lead: { id: string }) => lead.id).sort()
      const { body } = await team.post(`${at}/push`, {})
      expect(body).toMatchObject({ sourceId: id, queued: 3, considered: 3 })
      await world.drain()
      expect(pushedIds(inbox.received)).toEqual(ids)
      expect(await progress(team, body.pushId)).toMatchObject({ counts: { delivered: 3 }, finished: true })
      expect((await team.post(`${at}/push`, {})).body.queued).toBe(0)
      const closed = [await team.del(`/keyword/${id}`), await team.call('PATCH', `/keyword/${id}`, { creditCap: 5 })]
      expect([...closed, await team.post(`/sources/${id}/sync`)].map(({ status }) => status)).toEqual([404, 404, 404])
    },
  )

  it('still delivers what was pushed from it and is on its way, and nothing that it sent by itself [KEY-75, WHK-19, C3]', async () => {
    const [team, word, inbox] = [await world.team({ credits: 50 }), topic(world), await world.inbox()]
    post(`About ${word}`, people(world, 1))
    const { id } = await run(world, team, { keyword: word, enrichLeads: true })
    const [first] = (await leadsBy(team, `profileId=${id}`)).leads
    inbox.answer(503)
    await team.put(`/keyword/${id}/webhook`, { webhookUrl: inbox.url, autoSend: true })
    post(`More about ${word}`, people(world, 1))
    await runAgain(world, team, id)
    const sentByItself = inbox.received.length
    expect([sentByItself > 0, pushedIds(inbox.received).includes(first.id)]).toEqual([true, false])
    const { body } = await team.post(`/keyword/${id}/push`, { leadIds: [first.id] })
    await world.drain()
    expect(await progress(team, body.pushId)).toMatchObject({ counts: { pending: 1 }, finished: false })
    await team.del(`/keyword/${id}`)
    inbox.answer(200)
    // The automatic deliveries are due first; cancelling them must not cancel the pushed one.
    await world.database.pool.query(
      'update delivery set due_at = (select now from service_clock) where team_id = $1 and lead_id <> $2',
      [team.id, first.id],
    )
    await world.drain()
    expect(await progress(team, body.pushId)).toMatchObject({ counts: { pending: 1 }, finished: false })
    await world.advance('2d')
    expect(await progress(team, body.pushId)).toMatchObject({ counts: { delivered: 1, failed: 0 }, finished: true })
    expect(pushedIds(inbox.received).filter((leadId) => leadId !== first.id)).toHaveLength(sentByItself)
  })

  it('skips enrichment that waits and does not hold a push for it for ever [TRK-35, WHK-24, G52]', async () => {
    const [team, word, inbox] = [await world.team({ credits: 50 }), topic(world), await world.inbox()]
    post(`About ${word}`, people(world, 2))
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    const { id } = await run(world, team, { keyword: word, enrichLeads: true })
    await team.put(`/keyword/${id}/webhook`, { webhookUrl: inbox.url })
    const first = (await team.post(`/keyword/${id}/push`, {})).body
    expect(await progress(team, first.pushId)).toMatchObject({ counts: { held: 2 }, finished: true })
    await team.del(`/keyword/${id}`)
    expect(
      (await leadsBy(team, `profileId=${id}`)).leads.map((lead: { enrichmentStatus: string }) => lead.enrichmentStatus),
    ).toEqual(['skipped', 'skipped'])
    await world.drain()
    expect(await progress(team, first.pushId)).toMatchObject({ counts: { held: 0, failed: 2 }, finished: true })
    expect(inbox.received).toEqual([])
  })

  it(
    'is tracked again by its terms with a charging run at once, which finds who is new and charges nobody twice; ' +
      'its runs count anew [KEY-02, KEY-05, KRN-24, TRK-35, CRD-19]',
    async () => {
      const [team, word] = [await world.team({ credits: 50 }), topic(world)]
      const fans = people(world, 2)
      post(`About ${word}`, fans)
      const first = await run(world, team, { keyword: word, enrichLeads: true, maxRuns: 1 })
      expect(first.schedule).toMatchObject({ runsCompleted: 1, stoppedReason: 'max_runs' })
      await team.del(`/keyword/${first.id}`)
      post(`Again ${word}`, [...fans, ...people(world, 1)])
      await world.move('10s')
      const again = await team.post('/keyword/track', {
        keyword: word,
        creditCap: 100,
        captureMode: 'depth',
        datePosted: 'PAST_WEEK',
        confirmSpend: true,
      })
      expect([again.status, again.body]).toMatchObject([
        200,
        {
          id: first.id,
          resumed: true,
          seenPosts: 1,
          status: 'active',
          schedule: { runsCompleted: 0, stoppedAt: null },
        },
      ])
      await world.drain()
      const row = await rowOf(team, first.id)
      expect(row).toMatchObject({
        status: 'active',
        lastRun: { stoppedBy: 'exhausted', creditsSpent: 1, postsScanned: 2 },
        schedule: { runsCompleted: 1, stoppedReason: 'max_runs' },
      })
      expect([row.lastRun.finishedAt > first.lastRun.finishedAt, await team.balance()]).toEqual([true, 47])
      expect((await leadsBy(team, '')).total).toBe(5)
    },
  )

  it('whose end has passed is tracked again without a run, and says why [KRN-19, KEY-39]', async () => {
    const [team, word] = [await world.team({ credits: 50 }), topic(world)]
    const endAt = new Date((await world.now()).getTime() + 3_600_000).toISOString()
    const { id } = await run(world, team, { keyword: word, endAt })
    await team.del(`/keyword/${id}`)
    await world.advance('2h')
    expect(await search(team, { keyword: word })).toMatchObject({
      id,
      resumed: true,
      syncId: null,
      syncNotQueuedReason: expect.stringContaining('endAt'),
      schedule: { stoppedReason: 'end_at', nextRunAt: null },
    })
    expect(await search(team, { keyword: word, endAt: null })).toMatchObject({
      syncId: expect.any(String),
      schedule: { stoppedAt: null },
    })
  })
})

it('an edit binds from the next run: the one under way keeps the cap it began with [KEY-60, KEY-29]', async () => {
  const [team, word] = [await world.team({ credits: 50 }), topic(world)]
  post(`About ${word}`, people(world, 4))
  const { id } = await search(team, { keyword: word })
  world.network.hold({ operation: 'post-reactions' })
  const drained = world.drain()
  await world.network.untilWaiting(1, { operation: 'post-reactions' })
  expect((await team.call('PATCH', `/keyword/${id}`, { creditCap: 1, enrichLeads: false })).body).toMatchObject({
    creditCap: 1,
  })
  world.network.release()
  await drained
  expect((await rowOf(team, id)).lastRun).toMatchObject({ creditsSpent: 4, stoppedBy: 'exhausted' })
  post(`More ${word}`, people(world, 3))
  expect((await runAgain(world, team, id)).lastRun).toMatchObject({ creditsSpent: 1, stoppedBy: 'credits' })
  expect((await statusOf(team, id)).stoppedBy).toBe('credit_cap')
})
