/** Attempts to deliver an erased or excluded person, each of which must fail. */
import { describe, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { addDestination, deliveriesOf, slackDestination } from '../destinations/stage.ts'
import { capture, connect, handlesIn, seedCampaign } from '../scenarios/outreach-stage.ts'
import { discover, topicOf } from '../scenarios/discover-stage.ts'
import { fastClock, likes, people, sweep } from '../scenarios/sync-stage.ts'
import { testShards } from '../world/shards.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'
import { placesOf } from './canary-stage.ts'
import { exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

const purge = () => world.runTask('purge old rows of teams')

describe('somebody who was erased', () => {
  it('is sent to no campaign by any spelling of their address, not even with those who are excluded, and is planned in none [PRV-04, EXC-08]', async () => {
    const stage = await connect(world)
    const { team, key, campaignId } = stage
    const handle = `${world.handle('fan')}-josé`
    const { leadIds } = await capture(world, team, [{ handle }])
    expect((await team.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
    const spellings = [
      `https://www.linkedin.com/in/${encodeURIComponent(handle)}/`,
      `https://www.linkedin.com/in/${encodeURIComponent(handle.normalize('NFD'))}`,
      `https://de.linkedin.com/in/${handle.toUpperCase()}?trk=x`,
      `http://linkedin.com/in/${handle}#about`,
    ]
    for (const profileUrl of spellings) {
      const body = { campaignId, people: [{ profileUrl, name: 'Somebody' }], includeExcluded: true }
      const answer = await team.post('/integrations/outreach/send', body)
      expect([answer.status, answer.body.sent, answer.body.skippedExcluded], `${profileUrl} ${answer.text}`).toEqual([
        200, 0, 1,
      ])
    }
    const byLead = await team.post('/integrations/outreach/send', { campaignId, leadIds, includeExcluded: true })
    expect(byLead.status, byLead.text).toBeGreaterThanOrEqual(400)
    const owner = await memberOf(world, team, 'owner')
    const people = spellings.map((profileUrl) => ({ profileUrl, name: 'Somebody' }))
    const send = { kind: 'people', campaignId: seedCampaign(world, key), people }
    const preview = await owner.post('/sends/preview', { send })
    expect([preview.status, preview.body.goes], preview.text).toEqual([200, 0])
    expect((await owner.post('/sends', { send, goes: 4 })).status).toBe(409)
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual([])
    const told = await team.post('/results', { results: [{ profileUrl: spellings[0], outcome: 'won' }] })
    expect(told.body).toEqual({ recorded: 0, duplicates: 0, notFound: [0] })
    expect(await placesOf(world, [handle])).toEqual([])
  })

  it('leaves a send to somebody else who is called the same, with their own mail address [PRV-04]', async () => {
    const stage = await connect(world)
    const { team, key, campaignId } = stage
    const [handle, other] = [world.handle('fan'), world.handle('other')]
    const name = `Zoë ${world.handle('name').replaceAll('-', '')}`
    const owner = await memberOf(world, team, 'owner')
    const people = [handle, other].map((each) => ({
      profileUrl: `https://www.linkedin.com/in/${each}`,
      name,
      email: `${each}@mail.example`,
    }))
    const planned = await owner.post('/sends', { send: { kind: 'people', campaignId, people }, goes: 2 })
    expect(planned.status, planned.text).toBe(201)
    expect((await team.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
    expect(await placesOf(world, [name, handle])).toEqual([])
    await world.advance('5m')
    expect(handlesIn(world, key, campaignId)).toEqual([other])
    const again = await team.post('/integrations/outreach/send', { campaignId, people: [people[1]] })
    expect(again.body).toMatchObject({ alreadyInCampaign: 1, skippedExcluded: 0 })
  })

  it('is one free line of a search for people, however often it meets them, and nobody is charged [PRV-06, LDG-03]', async () => {
    const team = await world.team({ credits: 500 })
    const [handle, other, topic] = [world.handle('writer'), world.handle('writer'), topicOf(world)]
    for (const each of [handle, other]) world.network.seedPerson({ handle: each })
    expect((await team.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
    world.network.seedSearch({
      generated: false,
      posts: [handle, handle, other].map((author, nth) => ({
        author,
        text: `About ${topic} ${nth}`,
        reactions: [],
        comments: [],
      })),
    })
    const run = await discover(world, team, { keywords: [topic, `${topic} 1`], maxInfluencers: 5, minEngagement: 0 })
    expect(run.influencers).toHaveLength(1)
    const { rows } = (await team.get('/credits/ledger/summary?groupBy=day')).body
    expect(rows).toMatchObject([{ charged: expect.any(Number), free: { blocked: 1 } }])
    const [{ seen, charged, free }] = rows
    expect(seen).toBe(charged + Object.values(free as Record<string, number>).reduce((sum, each) => sum + each, 0))
    expect(await placesOf(world, [handle])).toEqual([])
  })

  it('while a destination is sending them leaves nothing there: no delivery, no record [PRV-04]', async () => {
    const team = await world.team()
    const { destination } = await slackDestination(world, team)
    const fan = world.handle('fan')
    await world.arm('destination.sent')
    // The worker dies after the platform got the message, before anything is recorded.
    await expect(capture(world, team, [{ handle: fan }])).rejects.toThrow()
    const { pool } = world.database
    await pool.query('update destination set lease_owner = null, lease_until_ms = null where team_id = $1', [team.id])
    const erased = await team.post('/privacy/erasures', { profileUrl: fan })
    expect(erased.body.receipt.notTold).toEqual(['slack'])
    await world.advance('1h')
    expect(await deliveriesOf(team, destination.id)).toEqual([])
    expect(await placesOf(world, [fan])).toEqual([])
  })
})

/** Runs `something` while an erasure has removed a person but has not committed; returns its answer. */
async function whileErasing(team: Team, profileUrl: string, something: () => Promise<Answer>): Promise<Answer> {
  const { pool } = world.database
  const held = await pool.connect()
  const isSeen = async (query: string) => (await pool.query(query)).rows.length > 0
  try {
    // Locks the table in the team's shard: a lock on the view over all shards blocks nobody.
    const table = testShards > 1 ? `${await world.shardOf(team)}.erasure` : 'erasure'
    await held.query(`begin; lock table ${table} in share mode`)
    const erasing = team.post('/privacy/erasures', { profileUrl })
    while (!(await isSeen(`select 1 from pg_locks where relation = '${table}'::regclass and not granted`)));
    let isOver = false
    const doing = something().finally(() => (isOver = true))
    // It has ended, or waits for a lock the erasure holds: the team's account, or a row.
    const account = `hashtextextended('credit_account|${team.id}', 0)`
    const waits = `select 1 from pg_locks where locktype = 'advisory' and not granted
        and (classid::bigint << 32 | objid::bigint) = ${account}
      union all select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`
    while (!isOver && !(await isSeen(waits)));
    await held.query('commit')
    expect((await erasing).status).toBe(201)
    return await doing
  } finally {
    await held.query('rollback')
    held.release()
  }
}

describe('a call that is made while a person is being erased', () => {
  it('makes no job that names them, nor brings back what is known of them [PRV-04, PRV-06]', async () => {
    const team = await world.team({ credits: 500 })
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan }])
    const asked = await whileErasing(team, fan, () => team.post('/enrich/profile', { username: fan }))
    expect([asked.status, asked.body.error]).toEqual([404, 'Lead not found'])
    await world.drain()
    expect(await placesOf(world, [fan])).toEqual([])
  })

  it('reads no posts of somebody who was tracked [PRV-03, PRV-04]', async () => {
    const team = await world.team({ credits: 500 })
    const author = world.handle('author')
    world.network.seedPost({ author, text: 'Mine', reactions: [], comments: [] })
    await sweep(world, team, author)
    const asked = await whileErasing(team, author, () => team.post('/profile/posts', { username: author }))
    expect(asked.status).toBe(404)
    await world.drain()
    expect(await placesOf(world, [author])).toEqual([])
  })

  it('plans no send of them [PRV-04, EXC-08]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [fan, other] = [world.handle('fan'), world.handle('other')]
    await capture(world, team, [{ handle: fan }])
    const owner = await memberOf(world, team, 'owner')
    const named = [fan, other].map((each) => ({ profileUrl: `https://www.linkedin.com/in/${each}`, name: 'A B' }))
    const planned = await whileErasing(team, fan, () =>
      owner.post('/sends', { send: { kind: 'people', campaignId, people: named }, goes: 2 }),
    )
    expect([planned.status, planned.body.send.goes], planned.text).toEqual([201, 1])
    await world.advance('5m')
    expect(handlesIn(world, key, campaignId)).toEqual([other])
    expect(await placesOf(world, [fan])).toEqual([])
  })

  it('finds them in no search for people that is begun [PRV-04, PRV-06]', async () => {
    const team = await world.team({ credits: 500 })
    const [fan, topic] = [world.handle('fan'), topicOf(world)]
    world.network.seedPerson({ handle: fan })
    await capture(world, team, [{ handle: fan }])
    world.network.seedSearch({
      generated: false,
      posts: [{ author: fan, text: `About ${topic}`, reactions: [], comments: [] }],
    })
    const balance = await team.balance()
    const begun = await whileErasing(team, fan, async () => {
      const asked = { keywords: [topic], maxInfluencers: 5, minEngagement: 0, confirmSpend: true }
      const answer = await team.post('/discover', asked)
      world.beginDrain()
      // The run has read its page, or has ended.
      const { pool } = world.database
      const query = `select 1 from discover_run where team_id = $1 and (phase <> 'search' or state <> 'running')`
      while ((await pool.query(query, [team.id])).rows.length === 0);
      return answer
    })
    await world.drain()
    expect((await team.get(`/discover/${begun.body.id}`)).body).toMatchObject({ state: 'done', found: 0 })
    expect(await placesOf(world, [fan])).toEqual([])
    expect(await team.balance()).toBe(balance)
  })

  it('queues nothing of them for a destination that is new [PRV-04]', async () => {
    const team = await world.team({ credits: 500 })
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan }])
    const pushed = await whileErasing(team, fan, async () => {
      const { destination } = await slackDestination(world, team)
      return team.post(`/destinations/${destination.id}/push`, {})
    })
    expect([pushed.status, pushed.body.queued]).toEqual([200, 0])
    await world.drain()
    expect(await placesOf(world, [fan])).toEqual([])
  })
})

it.each(['comments', 'reactions'] as const)(
  'somebody who is erased while further %s are read is in no page that is kept and in no result [PRV-04]',
  async (kind) => {
    const team = await world.team({ credits: 1_000 })
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    const { id: memberId } = world.network.seedPerson({ handle: fan })
    const engaged = [...people(world, 60, 'other'), fan, ...people(world, 160, 'other')]
    const { id } = world.network.seedPost({
      author,
      reactions: likes(engaged),
      comments: engaged.map((person) => ({ person, text: `${person} says` })),
    })
    const postUrn = `urn:li:activity:${id}`
    expect((await team.post('/post/track', { postUrl: postUrn, creditCapPerSync: 1 })).status).toBe(201)
    await world.drain()
    // The vendor's first page, with the person, is read; the next one is held.
    world.network.hold({ operation: `post-${kind}`, match: { page: 2 } })
    const asking = team.post(
      `/post/${kind}`,
      kind === 'comments' ? { postUrn, size: 50, page: 4 } : { postUrn, page: 1 },
    )
    await world.network.untilWaiting(1)
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    world.network.release()
    expect((await asking).status).toBe(200)
    await world.drain()
    expect(await placesOf(world, [fan, memberId])).toEqual([])
  },
)

it('somebody whose leads went by age, and whom the network shows no longer, is found by what stays: their results, and what they were charged [PRV-04, PRV-12]', async () => {
  const team = await world.team({ credits: 500 })
  const fan = world.handle('fan')
  const { id } = world.network.seedPerson({ handle: fan })
  await capture(world, team, [{ handle: fan }])
  const result = { profileUrl: `https://www.linkedin.com/in/${fan}`, outcome: 'accepted' }
  expect((await team.post('/results', { results: [result] })).body.recorded).toBe(1)
  await team.put('/privacy/retention', { keepLeadsDays: 30, keepUnfitDays: null })
  for (const later of ['40d', '9d']) {
    await world.advance(later)
    await purge()
  }
  const { rows } = await world.database.pool.query('select 1 from person where team_id = $1 and urn = $2', [
    team.id,
    id,
  ])
  expect(rows).toEqual([])
  world.network.seedPerson({ handle: fan, exists: false })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect(await placesOf(world, [fan, id])).toEqual([])
})

describe('somebody excluded', () => {
  it('reaches no destination: not by a push, a retry, a change, or a destination that resumes [EXC-07, EXC-10]', async () => {
    const team = await world.team()
    const { destination, texts } = await slackDestination(world, team, { active: false })
    const hubspot = await addDestination(team, {
      kind: 'hubspot',
      name: 'CRM',
      settings: {},
      credentials: { accessToken: `pat-na1-${world.handle('token')}` },
      active: false,
    })
    const fan = world.handle('fan')
    const { leadIds } = await capture(world, team, [{ handle: fan }])
    await exclude(team, [{ kind: 'person', value: `https://www.linkedin.com/in/${fan.toUpperCase()}/` }])
    for (const { id } of [destination, hubspot]) {
      const pushed = await team.post(`/destinations/${id}/push`, { leadIds })
      expect(pushed.body).toMatchObject({ queued: 0, considered: 1, excluded: 1 })
      expect((await team.call('PATCH', `/destinations/${id}`, { active: true })).status).toBe(200)
      await world.drain()
      const [delivery] = await deliveriesOf(team, id)
      expect(delivery).toMatchObject({ state: 'excluded', attempts: 0 })
      await team.post(`/destinations/${id}/deliveries/${delivery.id}/retry`)
      await world.drain()
      expect(await deliveriesOf(team, id)).toMatchObject([{ state: 'excluded', attempts: 0 }])
    }
    expect(texts()).not.toContain(fan)
  })

  it('or who has replied, is known by each of their names when their leads have gone by age; their facts have gone [EXC-08, PRV-12, RSL-05]', async () => {
    const { team, key, campaignId } = await connect(world)
    const profileOf = (handle: string) => ({ profileUrl: `https://www.linkedin.com/in/${handle}` })
    const listed = [world.handle('fan'), world.handle('fan')] as const
    const idsFrom = (start: string) => listed.map((handle) => start + handle.replaceAll('-', '').padEnd(34, 'q'))
    const [before, ids] = [idsFrom('ACoAA'), idsFrom('ACwAA')]
    for (const now of [before, ids]) {
      const author = world.handle('author')
      for (const [nth, handle] of listed.entries()) world.network.seedPerson({ handle, id: now[nth]! })
      world.network.seedPost({ author, reactions: likes(listed), comments: [] })
      await sweep(world, team, author)
      await world.move('25h')
    }
    await exclude(team, [{ kind: 'person', value: listed[0] }])
    await team.post('/results', { results: [{ ...profileOf(listed[1]), outcome: 'replied' }] })
    const renamed = ids.map(() => world.handle('renamed'))
    for (const [nth, handle] of renamed.entries()) {
      world.network.seedPerson({ id: ids[nth]!, handle })
      await team.post('/enrich/profile', { username: handle })
    }
    await world.drain()
    await team.put('/privacy/retention', { keepLeadsDays: 30, keepUnfitDays: null })
    for (const later of ['40d', '9d']) {
      await world.advance(later)
      await purge()
    }
    const people = [...listed, ...before, ...ids, ...renamed].map(profileOf)
    const sent = await team.post('/integrations/outreach/send', { campaignId, people })
    expect([sent.body.skippedExcluded, handlesIn(world, key, campaignId)]).toEqual([8, []])
    const { rows } = await world.database.pool.query(
      'select name, headline, job_title, country, company_name from person where team_id = $1 and urn = any($2)',
      [team.id, [...before, ...ids]],
    )
    expect(rows.flatMap((row) => Object.values(row))).toEqual(Array(20).fill(null))
  })
})

it('results and deliveries of a lead that is deleted by age name it no more, and who has replied is left alone [PRV-12, RSL-05]', async () => {
  const { team } = await connect(world)
  const { destination } = await slackDestination(world, team)
  const fan = world.handle('fan')
  const { leadIds } = await capture(world, team, [{ handle: fan }])
  const told = await team.post('/results', { results: [{ leadId: leadIds[0], outcome: 'replied' }] })
  expect(told.body.recorded).toBe(1)
  expect(await deliveriesOf(team, destination.id)).toHaveLength(1)
  expect((await team.put('/privacy/retention', { keepLeadsDays: 30, keepUnfitDays: null })).status).toBe(200)
  await world.advance('31d')
  await purge()
  expect((await team.get('/leads?includeInactive=true')).body.total).toBe(0)
  expect(await deliveriesOf(team, destination.id)).toEqual([])
  const { rows } = await world.database.pool.query('select lead_id, outcome from result where team_id = $1', [team.id])
  expect(rows).toEqual([{ lead_id: null, outcome: 'replied' }])
  const records = await world.database.pool.query('select 1 from destination_record where team_id = $1', [team.id])
  expect(records.rowCount).toBe(0)
})
