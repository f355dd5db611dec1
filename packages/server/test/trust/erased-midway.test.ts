/** Erasures while something about the person is under way: a vendor call, a delivery, an export. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { compose } from '../../src/composition/compose.ts'
import { openLog } from '../../src/platform/log.ts'
import { memberOf } from '../dashboard/stage.ts'
import { addDestination, deliveriesOf } from '../destinations/stage.ts'
import { keptLog } from '../observability/stage.ts'
import { put, running, seedTopicPost, topicsOf } from '../scenarios/agent-stage.ts'
import { onlySeeded, rowsOf, search, seedFans, statusOf, storeKey, topic, urn } from '../scenarios/keyword-run-stage.ts'
import { capture, connect } from '../scenarios/outreach-stage.ts'
import { fastClock, likes, sweep, track } from '../scenarios/sync-stage.ts'
import { testShards } from '../world/shards.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { placesOf } from './canary-stage.ts'

const kept = keptLog()
const world = useWorld({
  config: { ...drainOnly, logLevel: 'debug' },
  log: kept.log,
  overrides: { system: fastClock },
})

/** A person with a unique name, headline and handle, and the texts that identify them. */
function somebody() {
  const handle = world.handle('midway')
  const mark = `zq${handle.replaceAll(/[^a-z0-9]/g, '')}`
  const { id } = world.network.seedPerson({ handle, name: `Zoë ${mark}`, headline: `Keeper of ${mark}` })
  return { handle, texts: [handle, mark, id] }
}

const erase = async (team: Team, handle: string): Promise<void> => {
  const made = await team.post('/privacy/erasures', { profileUrl: handle })
  expect(made.status, made.text).toBe(201)
}

/** Starts the due work, erases a person during a vendor call, and finishes the work. */
async function eraseDuring(team: Team, held: Record<string, unknown>, handle: string): Promise<void> {
  world.network.hold(held)
  world.beginDrain()
  await world.network.untilWaiting(1)
  await erase(team, handle)
  world.network.release()
  await world.drain()
}

/** Waits until at least `count` sessions wait for a lock. */
const waitingForLocks = (count: number) =>
  expect
    .poll(async () => {
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      return (await world.database.pool.query(waiting)).rowCount
    })
    .toBeGreaterThanOrEqual(count)

async function expectNothingOf(texts: readonly string[]): Promise<void> {
  expect(await placesOf(world, texts)).toEqual([])
  const lines = kept.text().toLowerCase()
  for (const text of texts)
    expect(
      lines.split('\n').filter((line) => line.includes(text.toLowerCase())),
      text,
    ).toEqual([])
}

it('a verdict that is asked of an AI vendor about a post of theirs is kept of nobody [PRV-04, AIF-08]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  await storeKey(world, team)
  const [{ handle, texts }, word] = [somebody(), topic(world)]
  world.network.seedPost({
    author: handle,
    text: `${word} hiring by ${texts[1]}`,
    reactions: likes([world.handle('fan')]),
    comments: [],
  })
  await search(team, {
    keywords: [word],
    aiProvider: 'openai',
    aiPrompt: 'Keep posts about "hiring"',
    capturePostAuthors: true,
  })
  await eraseDuring(team, { vendor: 'openai' }, handle)
  await world.advance('1h')
  await expectNothingOf(texts)
})

it('a run that asks an AI about what they are called asks on without the name, an agent keeps what else it is told [PRV-04, AIF-08]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  await storeKey(world, team)
  const [{ handle, texts }, word] = [somebody(), topic(world)]
  const name = `Zoë ${texts[1]}`
  world.network.seedPost({ author: handle, text: 'Mine', reactions: [], comments: [] })
  await sweep(world, team, handle)
  const posts = ['hiring', 'firing'].map((text) =>
    world.network.seedPost({
      author: world.handle('writer'),
      text: `${word} ${text}`,
      reactions: likes([world.handle('fan')]),
      comments: [],
    }),
  )
  const ai = { aiProvider: 'openai', aiPrompt: `Keep posts about "hiring", as ${name} says` }
  const { id } = await search(team, { keywords: [word], ...ai })
  expect((await team.put('/agent', { summary: `Sold by ${name}`, topics: [word], titles: ['CMO'] })).status).toBe(200)
  await eraseDuring(team, { operation: 'post-search' }, handle)
  expect((await rowsOf(world, team, id)).map((row) => row.post_urn)).toEqual([urn(posts[0]!.id)])
  const { rows } = await world.database.pool.query('select settings from sync where source_id = $1', [id])
  expect(rows[0].settings.search.ai.prompt).toBe('Keep posts about "hiring", as [erased] says')
  const { agent } = (await team.get('/agent')).body
  expect(agent.profile).toMatchObject({ summary: '', topics: [word], titles: ['CMO'] })
})

it('somebody who is being looked up is written down by nobody [PRV-04, PRV-06]', async () => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author] = [somebody(), world.handle('author')]
  world.network.seedPost({
    author,
    reactions: likes([handle]),
    comments: [{ person: handle, text: `I am ${texts[1]}` }],
  })
  await track(team, author)
  await eraseDuring(team, { operation: 'profile' }, handle)
  expect((await team.get('/leads?includeSyncing=true')).body.total).toBe(0)
  await expectNothingOf(texts)
})

it('a Discover run and an agent that are searching find nobody [PRV-04, PRV-06]', async () => {
  const team = await world.team({ credits: 5_000 })
  const [{ handle, texts }, [word, about]] = [somebody(), topicsOf(world, 2)]
  seedTopicPost(world, word!, [{}], handle)
  seedTopicPost(world, about!, [{ handle, comment: `From ${texts[1]}` }], handle)
  expect((await team.put('/agent', { topics: [about!], titles: ['CMO'], dailyCredits: 100 })).status).toBeLessThan(300)
  expect((await team.post('/agent/start', { confirmSpend: true })).status).toBeLessThan(300)
  const run = await team.post('/discover', {
    keywords: [word],
    maxInfluencers: 5,
    minEngagement: 0,
    confirmSpend: true,
  })
  expect(run.status, run.text).toBeLessThan(300)
  await eraseDuring(team, { operation: 'post-search' }, handle)
  await world.advance('25h')
  await expectNothingOf(texts)
})

it('an agent that is just judging people keeps no judgement of them [PRV-04]', async () => {
  const team = await world.team({ credits: 5_000 })
  const [{ handle, texts }, [about, other]] = [somebody(), topicsOf(world, 2)]
  seedTopicPost(world, about!, [{ handle }])
  await running(world, team, { topics: [about!], titles: ['CMO'] })
  await world.advance('2h')
  await put(team, { topics: [about!, other!] })
  const { pool } = world.database
  const held = await pool.connect()
  try {
    // The agent has read whom it judges, and its first write about posts waits for this lock.
    await held.query(
      `begin; lock table ${testShards > 1 ? `${await world.shardOf(team)}.` : ''}agent_post in share mode`,
    )
    world.beginDrain()
    await waitingForLocks(1)
    const erasing = erase(team, handle)
    await waitingForLocks(2)
    await held.query('commit')
    await erasing
  } finally {
    held.release()
  }
  await world.drain()
  await expectNothingOf(texts)
})

it('a send that waits for the outreach platform writes them down nowhere [PRV-04]', async () => {
  const { team, campaignId } = await connect(world)
  const { handle, texts } = somebody()
  world.network.hold({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2' })
  const people = [
    { profileUrl: `https://www.linkedin.com/in/${handle}`, name: `Zoë ${texts[1]}`, email: `${handle}@mail.example` },
  ]
  const sending = team.post(
    '/integrations/outreach/send',
    { campaignId, people },
    { headers: { 'idempotency-key': handle } },
  )
  await world.network.untilWaiting(1)
  await erase(team, handle)
  world.network.release()
  expect((await sending).status).toBeLessThan(500)
  await team.get('/credits')
  await world.drain()
  await expectNothingOf(texts)
})

it('a search that is tried out while they are erased shows nothing of them, and keeps no answer from before [PRV-04]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  await storeKey(world, team)
  const [{ handle, texts }, word, owner] = [somebody(), topic(world), await memberOf(world, team, 'owner')]
  world.network.seedPost({ author: handle, text: `${word} hiring`, reactions: [], comments: [] })
  const { id: sourceId } = await search(team, { keywords: [word] })
  await world.drain()
  const ai = { provider: 'openai', prompt: 'Keep posts about "hiring"' }
  const tryOut = (about: object) => {
    const key = { 'idempotency-key': world.handle('try') }
    return owner.call('POST', '/keyword/backtest', { sourceId, expression: word, ...about }, key)
  }
  expect((await tryOut({})).text).toContain(texts[1])
  world.network.hold({ vendor: 'openai' })
  const trying = tryOut({ ai })
  await world.network.untilWaiting(1)
  await world.move('1s')
  await erase(team, handle)
  world.network.release()
  const tried = await trying
  expect([tried.status, texts.filter((text) => tried.text.includes(text))]).toEqual([200, []])
  const kept = 'select 1 from idempotency_answer where team_id = $1 and sealed is not null'
  expect((await world.database.pool.query(kept, [team.id])).rowCount).toBe(0)
})

it('an answer that was read while an erasure was not yet committed is not kept [PRV-04, G109]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, word, owner] = [somebody(), topic(world), await memberOf(world, team, 'owner')]
  world.network.seedPost({ author: handle, text: `${word} hiring`, reactions: [], comments: [] })
  const { id: sourceId } = await search(team, { keywords: [word] })
  await world.drain()
  const held = await world.database.pool.connect()
  try {
    // The erasure waits at its end, to block the person.
    await held.query(
      `begin; lock table ${testShards > 1 ? `${await world.shardOf(team)}.` : ''}blocked_person in share mode`,
    )
    const erasing = erase(team, handle)
    await waitingForLocks(1)
    const safe = { 'idempotency-key': world.handle('try') }
    const trying = owner.call('POST', '/keyword/backtest', { sourceId, expression: word }, safe)
    await waitingForLocks(2)
    await held.query('commit')
    await erasing
    expect((await trying).text).toContain(texts[1])
  } finally {
    held.release()
  }
  const kept = 'select 1 from idempotency_answer where team_id = $1 and sealed is not null'
  expect((await world.database.pool.query(kept, [team.id])).rowCount).toBe(0)
})

it('a run that searches for what they are called goes on with its words [PRV-04]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  const { handle, texts } = somebody()
  world.network.seedPost({ author: handle, text: 'Mine', reactions: [], comments: [] })
  await sweep(world, team, handle)
  const { id } = await search(team, { keywords: [`Zoë ${texts[1]}`, topic(world)] })
  await eraseDuring(team, { operation: 'post-search' }, handle)
  expect(await statusOf(team, id)).toMatchObject({ state: 'completed', errorCode: null })
})

it('a handle that is a word takes none from what a run looks for and what an agent is told [PRV-04]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  world.network.seedPerson({ handle: 'sales' })
  const told = { summary: 'For sales', topics: ['sales tips'], titles: ['Head of Sales'] }
  expect((await team.put('/agent', told)).status).toBe(200)
  const { id } = await search(team, { keywords: [topic(world)], authorKeyword: ['sales'] })
  await eraseDuring(team, { operation: 'post-search' }, 'sales')
  const { rows } = await world.database.pool.query('select settings from sync where source_id = $1', [id])
  expect(rows[0].settings.search.filters).toEqual({ authorKeyword: ['sales'] })
  expect((await team.get('/agent')).body.agent.profile).toMatchObject(told)
})

it('a run for the posts of them alone finds none of others, though its search has been changed since [PRV-04, PRV-06]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, other, word] = [somebody(), somebody(), topic(world)]
  for (const author of [handle, other.handle])
    world.network.seedPost({ author, text: word, reactions: likes([world.handle('fan')]), comments: [] })
  const { id } = await search(team, { keywords: [word], fromPerson: [texts[2]] })
  world.network.hold({ operation: 'post-search' })
  world.beginDrain()
  await world.network.untilWaiting(1)
  const edit = { fromPerson: [other.texts[2]], confirmSpend: true }
  expect((await team.call('PATCH', `/keyword/${id}`, edit)).status).toBe(200)
  await erase(team, handle)
  world.network.release()
  await world.drain()
  expect([await statusOf(team, id), await rowsOf(world, team, id)]).toMatchObject([{ state: 'completed' }, []])
})

it('a handle that is a part of other words takes nothing of others with it: not the limits of a run, a job, an entry [PRV-04]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  const word = topic(world)
  const posts = [seedFans(world, word, 5), seedFans(world, word, 5)]
  world.network.seedPerson({ handle: 'max', name: 'Max' })
  const bounded = { captureMode: 'breadth', maxEngagementsPerPost: 2 }
  const { id } = await search(team, { keywords: [word], ...bounded })
  const { jobId } = (await team.post('/enrich/profile', { username: world.handle('maxine') })).body
  await team.post('/exclusions', { entries: [{ kind: 'email', value: 'maxine@mail.example' }] })
  await eraseDuring(team, { operation: 'post-reactions', match: { post: posts[1]!.id } }, 'max')
  const rows = await rowsOf(world, team, id)
  expect(posts.map((post) => rows.filter((row) => row.post_urn === urn(post.id)).length)).toEqual([2, 2])
  expect((await team.get(`/jobs/${jobId}/status`)).status).toBe(200)
  expect((await team.get('/exclusions')).body.total).toBe(1)
})

it('what is left of a page of others who name them is kept without the name [PRV-04]', async () => {
  onlySeeded(world)
  const team = await world.team({ credits: 500 })
  const [named, word] = [[somebody(), somebody()], topic(world)]
  const posts = named.map(({ handle, texts }) => {
    world.network.seedPost({ author: handle, text: 'Mine', reactions: [], comments: [] })
    const said = [...Array(4).fill(`Thanks Zoë ${texts[1]}`), `Thanks ${texts[1]}, Zoë`]
    const comments = said.map((text) => ({ person: world.handle('fan'), text }))
    return world.network.seedPost({ author: world.handle('author'), text: word, reactions: [], comments })
  })
  for (const { handle } of named) await sweep(world, team, handle)
  await search(team, { keywords: [word], captureMode: 'breadth', creditCap: 6 })
  const reading = { operation: 'post-comments' }
  world.network.hold(reading)
  world.beginDrain()
  await world.network.untilWaiting(1)
  // The post read first is done, and the other one is still to come.
  const asked = JSON.stringify(world.network.calls(reading).at(-1))
  const first = posts.findIndex(({ id }) => asked.includes(id))
  world.network.release()
  world.network.hold({ ...reading, match: { post: posts[1 - first]!.id } })
  const restOf = 'select page_rest as rest from sync_post where page_rest is not null'
  await expect.poll(async () => (await world.database.pool.query(restOf)).rowCount).toBe(1)
  const { handle, texts } = named[first]!
  // Their own comment, under an id that comes beside a known one.
  const [{ rest: cut }] = (await world.database.pool.query(restOf)).rows
  const [other] = cut.engagements
  const again = { ...other.person, urn: `${texts[2]!.slice(0, -1)}_`, otherUrns: [texts[2]], handle: null }
  const engagements = [...cut.engagements, { ...other, person: again }]
  await world.database.pool.query('update sync_post set page_rest = $1 where team_id = $2 and page_rest is not null', [
    JSON.stringify({ ...cut, engagements }),
    team.id,
  ])
  await erase(team, handle)
  const [{ rest }] = (await world.database.pool.query(restOf)).rows
  expect(rest.engagements.map(({ commentText }: { commentText: string }) => commentText)).toEqual([
    'Thanks [erased]',
    'Thanks [erased]',
  ])
  expect(await placesOf(world, texts)).toEqual([])
  world.network.release()
  await world.drain()
  await expectNothingOf(texts)
})

it('what was answered to a call that no log has yet is not answered again, and charged for once [PRV-04, G143]', async () => {
  const team = await world.team({ credits: 500 })
  const { handle, texts } = somebody()
  world.network.seedPost({ author: handle, text: `By ${texts[1]}`, reactions: [], comments: [] })
  const safe = { headers: { 'idempotency-key': world.handle('read') } }
  const read = () => team.get(`/profile/${handle}/posts?posts=1&confirmSpend=true`, safe)
  expect((await read()).text).toContain(texts[1])
  await (await memberOf(world, team, 'owner')).get('/requests')
  await world.database.pool.query('delete from request_log where team_id = $1', [team.id])
  await erase(team, handle)
  const before = await team.balance()
  const again = await read()
  expect([again.status, again.body.code, again.text]).toEqual([
    422,
    'idempotency_key_reused',
    expect.stringContaining('carried out'),
  ])
  expect(await team.balance()).toBe(before)
  await expectNothingOf(texts)
})

/** A receiver that echoes what it is sent, in its own encoding; for leads it first waits, then answers `status`. */
async function repeatingReceiver(status: number, inItsLetters = (body: string): string => body) {
  const events: string[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { event } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      events.push(event)
      const isLead = event === 'lead.detected'
      if (isLead) await new Promise<void>((resolve) => waiting.push(resolve))
      response.writeHead(isLead ? status : 200).end(inItsLetters(Buffer.concat(chunks).toString('utf8')))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    untilWaiting: (count: number) => expect.poll(() => waiting.length).toBe(count),
    answer: () => {
      for (const resolve of waiting.splice(0)) resolve()
    },
    close: () => server.close(),
  }
}

it.each([
  ['them is told that they were erased', 200, 0],
  ['somebody else who mentions them repeats it in no log', 500, 1],
])('a receiver that is just being sent %s [PRV-04, PRV-07]', async (_what, status, others) => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author] = [somebody(), world.handle('author')]
  const comments = [{ person: world.handle('friend'), text: `Congratulations, Zoë ${texts[1]}` }].slice(0, others)
  world.network.seedPost({ author, reactions: likes([handle]), comments })
  await sweep(world, team, author)
  const receiver = await repeatingReceiver(status)
  const { webhookUrl } = receiver
  expect((await team.put(`/profile/${author}/webhook`, { webhookUrl, autoSend: false })).status).toBeLessThan(300)
  expect((await team.post(`/profile/${author}/push`)).status).toBeLessThan(300)
  world.beginDrain()
  await receiver.untilWaiting(1 + others)
  await erase(team, handle)
  receiver.answer()
  await world.drain()
  receiver.close()
  expect(receiver.events.toSorted()).toEqual([...Array(1 + others).fill('lead.detected'), 'person.erased'])
  await expectNothingOf(texts)
})

it('what a receiver has repeated with its letters escaped says nothing of them [PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author] = [somebody(), world.handle('author')]
  const comments = [{ person: world.handle('friend'), text: `Thanks Zoë ${texts[1]}` }]
  world.network.seedPost({ author, reactions: likes([handle]), comments })
  await sweep(world, team, author)
  const receiver = await repeatingReceiver(200, (body) => body.replaceAll('ë', '\\u00eb').replaceAll('/', '\\/'))
  await team.put(`/profile/${author}/webhook`, { webhookUrl: receiver.webhookUrl, autoSend: false })
  expect((await team.post(`/profile/${author}/push`)).status).toBeLessThan(300)
  world.beginDrain()
  await receiver.untilWaiting(2)
  receiver.answer()
  await world.drain()
  expect(await placesOf(world, [`\\u00eb ${texts[1]}`])).toHaveLength(2)
  await erase(team, handle)
  await world.drain()
  receiver.close()
  await expectNothingOf(texts)
})

it('a platform that refuses somebody else, in words that name them, is quoted no longer [PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const { handle, texts } = somebody()
  // The job title is not a mail address, so HubSpot quotes it in its refusal.
  const destination = await addDestination(team, {
    kind: 'hubspot',
    name: 'CRM',
    settings: {},
    credentials: { accessToken: `pat-na1-${world.handle('token')}` },
    mapping: [{ field: 'email', from: 'jobTitle', mode: 'always' }],
    active: false,
  })
  await capture(world, team, [{ handle, name: `Zoë ${texts[1]}` }, { title: `Assistant of Zoë ${texts[1]}` }])
  expect((await team.call('PATCH', `/destinations/${destination.id}`, { active: true })).status).toBe(200)
  await eraseDuring(team, { vendor: 'hubspot', operation: 'BatchUpsert' }, handle)
  expect(await deliveriesOf(team, destination.id, 'refused')).toHaveLength(1)
  await expectNothingOf(texts)
})

it('a call that another process has noted and not written yet says nothing of them once it is [PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author, { connection }] = [somebody(), world.handle('author'), world.database]
  world.network.seedPost({ author, reactions: likes([handle]), comments: [] })
  await sweep(world, team, author)
  const other = await compose({ ...world.service.config, roles: ['http'] }, openLog('silent'), {
    connection,
    poolSize: 4,
  })
  await other.start()
  const path = `${other.http.address()}/api/v1/leads?name=${encodeURIComponent(`the boss Zoë ${texts[1]}`)}`
  expect((await fetch(path, { headers: { 'x-api-key': team.apiKey } })).status).toBe(200)
  await world.move('1s')
  await erase(team, handle)
  await other.stop()
  const { rows } = await world.database.pool.query(
    `select path, query from request_log where team_id = $1 and operation = 'listLeads'`,
    [team.id],
  )
  expect(rows).toEqual([{ path: '(erased)', query: '[]' }])
  await expectNothingOf(texts)
})

it.each([
  ['a change', false],
  ['a dry run', true],
])(
  '%s that is just being answered leaves nothing of them in the audit log, nor for a retry [PRV-04]',
  async (_what, dryRun) => {
    const team = await world.team({ credits: 500 })
    const [{ handle }, author] = [somebody(), world.handle('author')]
    world.network.seedPost({ author, reactions: [], comments: [] })
    await sweep(world, team, author)
    const { pool } = world.database
    const held = await pool.connect()
    try {
      await world.arm('handler')
      const keyed = { headers: { 'idempotency-key': world.handle('key') } }
      // Work that reaches this fault point waits for the lock, and does not fail.
      await held.query(`begin; update armed_fault set times = 0 where name = 'handler'`)
      const rules = [{ column: 'name', operator: 'contains', value: handle }]
      const changing = team.put(`/profile/${author}/icp`, { rules, ...(dryRun ? { dryRun } : {}) }, keyed)
      await waitingForLocks(1)
      const erasing = erase(team, handle)
      await Promise.race([erasing, waitingForLocks(2)])
      await held.query('commit')
      expect((await changing).status).toBeLessThan(300)
      await erasing
    } finally {
      held.release()
    }
    const details = `select details from audit_entry where team_id = $1 and operation like '%Icp'`
    expect((await pool.query(details, [team.id])).rows).toEqual(dryRun ? [] : [{ details: {} }])
    const answers = 'select 1 from idempotency_answer where team_id = $1 and sealed is not null'
    expect((await pool.query(answers, [team.id])).rowCount).toBe(0)
  },
)

it('an export that is being written has nothing of them afterwards, whichever comes first [PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author] = [somebody(), world.handle('author')]
  world.network.seedPost({ author, reactions: likes([handle, world.handle('other')]), comments: [] })
  await sweep(world, team, author)
  for (const format of ['csv', 'jsonl']) expect((await team.post('/exports', { format })).status).toBeLessThan(300)
  await Promise.all([world.drain(), erase(team, handle), world.drain()])
  await world.drain()
  await expectNothingOf(texts)
})

it('an export that goes while it is downloaded does not end as if it were whole [PRV-04, DST-17]', async () => {
  const team = await world.team({ credits: 500 })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes([world.handle('fan')]), comments: [] })
  await sweep(world, team, author)
  const { id } = (await team.post('/exports', { format: 'csv' })).body
  await world.drain()
  const { url } = (await team.get(`/exports/${id}`)).body
  // Its second part is gone.
  await world.database.pool.query('update lead_export set parts = 2 where team_id = $1', [team.id])
  await expect(fetch(url).then((file) => file.text())).rejects.toThrow()
})

it('vendors that fail while they are asked about somebody leave their name in no error and no line of the log [PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [{ handle, texts }, author] = [somebody(), world.handle('author')]
  world.network.seedPost({ author, reactions: likes([handle]), comments: [{ person: handle, text: `By ${texts[1]}` }] })
  for (const kind of ['status_503', 'truncated_json'] as const) {
    world.network.fault({ kind, times: 4 })
    await team.get(`/profile/${handle}/urn`)
    await team.get(`/profile/${handle}/posts?posts=1&confirmSpend=true`)
    await team.post('/enrich/profile', { username: handle })
    await team.post('/profile/posts', { username: handle })
    await world.drain()
    world.network.clearFaults()
  }
  await track(team, author)
  await world.advance('2h')
  await erase(team, handle)
  await world.advance('25h')
  await team.get('/credits')
  await expectNothingOf(texts)
})
