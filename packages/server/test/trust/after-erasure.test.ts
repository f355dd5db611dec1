/** Calls that name an erased person: they are answered, and none of the person's names is stored. */
import { beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../scenarios/outreach-stage.ts'
import { fastClock, likes, sweep } from '../scenarios/sync-stage.ts'
import { memberOf } from '../dashboard/stage.ts'
import { post as postTo } from '../results/stage.ts'
import { testShards } from '../world/shards.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { canaryOf, placesOf, type Canary } from './canary-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

/** The status and error an answer may have. */
type Answered = readonly [status: number, error?: unknown]

let team: Team
let campaignId: string
let canary: Canary
let named: readonly string[]
let source: string

const erasedWords = expect.stringContaining('erased')

/** Captures a person, gives their mail address in a call, and erases them. */
beforeAll(async () => {
  const stage = await connect(world)
  ;({ team, campaignId } = stage)
  canary = canaryOf(world)
  const { handle, memberId, name, mail } = canary
  world.network.seedPerson({ handle, id: memberId, name, title: 'CMO' })
  source = world.handle('author')
  world.network.seedPost({ author: source, reactions: likes([handle]), comments: [] })
  await sweep(world, team, source)
  const people = [{ profileUrl: `https://www.linkedin.com/in/${handle}`, name, email: mail }]
  expect((await team.post('/integrations/outreach/send', { campaignId, people })).status).toBe(200)
  expect((await team.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
  await world.drain()
  const address = `https://de.linkedin.com/in/${handle.toUpperCase()}/?trk=x`
  named = [handle, `@${handle.toUpperCase()}`, memberId, `urn:li:fsd_profile:${memberId}`, address, `  ${handle} `]
})

/** Expects no trace of the canary; reading the requests first makes the call log be written. */
async function expectNoTrace(): Promise<void> {
  await team.get('/credits')
  const owner = await memberOf(world, team, 'owner')
  expect((await owner.get('/requests')).status).toBe(200)
  expect(await placesOf(world, [...Object.values(canary), encodeURIComponent(canary.name)])).toEqual([])
}

/** Makes a call twice with one idempotency key; the stored answer must not name the person either. */
async function twice(method: string, path: string, body: unknown): Promise<Answered> {
  const sending = { headers: { 'idempotency-key': world.handle('again') } }
  const first = await team.call(method, path, body, sending)
  const second = await team.call(method, path, body, sending)
  if (first.status < 300)
    for (const text of Object.values(canary)) expect(second.text.toLowerCase()).not.toContain(text.toLowerCase())
  return [first.status, first.body.error]
}

describe('a call that names somebody who was erased', () => {
  it('leaves nothing of them in the log of calls: not in a path, a query, a body, the name of a field [PRV-04]', async () => {
    const { handle, memberId, name, mail } = canary
    for (const one of [handle, handle.toUpperCase(), memberId]) {
      await team.get(`/profile/${one}/sync`)
      await team.put(`/profile/${encodeURIComponent(one)}/webhook`, { autoSend: false })
      await team.get(`/leads?sourceUsername=${one}`)
      await team.get(`/nothing/of/this/kind/${one}?who=${one}`)
      await team.del(`/profile/${one}`)
      await team.post('/enrich/profile', { [one]: true })
      await team.post('/enrich/profile', { username: source, note: { deep: [`it is (${one}), or`, 1] } })
    }
    await team.get(`/leads?name=${encodeURIComponent(name)}`)
    await team.get(`/engagers?search=${encodeURIComponent(`${mail}, or so`)}`)
    await team.get(`/nothing?post=${encodeURIComponent(`https://www.linkedin.com/posts/${handle}_a-title-activity-7`)}`)
    await team.get(`/profile/${encodeURIComponent(name)}/sync`)
    await team.get(`/leads?name=somebody-else`)
    await expectNoTrace()
    // The call's line stays, emptied as an erasure empties earlier ones; other lines are complete.
    const { rows } = await world.database.pool.query(
      `select path, query, body, count(*)::integer as calls from request_log
       where team_id = $1 and operation = 'listLeads' group by 1, 2, 3 order by 4`,
      [team.id],
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        { path: '/leads', query: '[["name","somebody-else"]]', body: null, calls: 1 },
        { path: '(erased)', query: '[]', body: null, calls: 4 },
      ]),
    )
  })

  it('lists no exclusion of them, by whatever name, and keeps what else was asked for [PRV-04, EXC-01]', async () => {
    const { handle, mail, name } = canary
    for (const value of named)
      expect(await twice('POST', '/exclusions', { entries: [{ kind: 'person', value }] })).toEqual([400, erasedWords])
    const other = world.handle('other')
    const entries = [
      { kind: 'email', value: mail.toUpperCase() },
      { kind: 'person', value: other, reason: `knows ${handle}` },
      { kind: 'person', value: named[1] },
      { kind: 'nothing', value: 'x' },
      { kind: 'title', value: 'CFO', reason: 'no budget' },
    ]
    const added = await team.post('/exclusions', { entries })
    expect(added.body).toMatchObject({ added: 2, alreadyListed: 0 })
    expect(added.body.invalid).toEqual([
      { index: 0, error: erasedWords },
      { index: 2, error: erasedWords },
      { index: 3, error: expect.stringContaining('kind') },
    ])
    expect(added.text).not.toContain(name)
    const { entries: listed } = (await team.get('/exclusions')).body
    expect(listed.map(({ value, reason }: { value: string; reason: string | null }) => [value, reason])).toEqual(
      expect.arrayContaining([
        [other, null],
        ['CFO', 'no budget'],
      ]),
    )
    const tried = await team.post('/exclusions', { entries: [{ kind: 'person', value: handle }], dryRun: true })
    expect(tried.status).toBe(400)
    await expectNoTrace()
  })

  it('takes no objection: they are kept out already [PRV-04, PRV-10]', async () => {
    for (const profileUrl of named)
      expect(await twice('POST', '/privacy/objections', { profileUrl })).toEqual([400, erasedWords])
    await expectNoTrace()
  })

  it('tracks, enriches, reads and resolves nobody, asks the network nothing and keeps no job with their name [PRV-04, PRV-06]', async () => {
    const balance = await team.balance()
    world.network.clearCalls()
    for (const username of [canary.handle, named[1]!, canary.memberId]) {
      const tracked = { username, saveTrackedProfile: true }
      if (username !== canary.memberId)
        expect(await twice('POST', '/enrich/profile', tracked)).toEqual([400, erasedWords])
      expect((await twice('POST', '/enrich/profile', { username }))[0]).toBe(404)
      expect((await twice('POST', '/profile/posts', { username }))[0]).toBe(404)
      const path = `/profile/${encodeURIComponent(username)}`
      expect(await twice('GET', `${path}/posts?posts=1&confirmSpend=true`, undefined)).toEqual([404, erasedWords])
      expect(await twice('GET', `${path}/urn`, undefined)).toEqual([404, erasedWords])
    }
    expect(world.network.calls()).toEqual([])
    const byId = { username: canary.memberId, saveTrackedProfile: true }
    expect(await twice('POST', '/enrich/profile', byId)).toEqual([400, erasedWords])
    await world.drain()
    expect(await team.balance()).toBe(balance)
    await expectNoTrace()
  })

  it('searches for no posts of or about them; a search that runs takes none of them into its filters [PRV-04]', async () => {
    const { memberId } = canary
    const word = world.handle('word')
    const spend = { creditCap: 5, captureMode: 'depth', datePosted: 'PAST_MONTH', confirmSpend: true }
    const search = { ...spend, keywords: [word], enrichLeads: false }
    for (const filter of ['fromPerson', 'mentionsPerson'])
      expect(await twice('POST', '/keyword/track', { ...search, [filter]: [memberId] })).toEqual([400, erasedWords])
    const made = await team.post('/keyword/track', search)
    expect(made.status, made.text).toBeLessThan(300)
    const edited = await team.call('PATCH', `/keyword/${made.body.id}`, { fromPerson: [memberId], confirmSpend: true })
    expect([edited.status, edited.body.error]).toEqual([400, erasedWords])
    await expectNoTrace()
  })

  it('sends them nowhere, plans no send of them and records no result, not even beside somebody else [PRV-04, EXC-08]', async () => {
    const { handle, name, mail } = canary
    const other = world.handle('other')
    const addressOf = (one: string) => `https://www.linkedin.com/in/${one}`
    const people = [
      { profileUrl: addressOf(handle), name, email: mail },
      { profileUrl: addressOf(other), name: 'Somebody Else' },
    ]
    const sent = await team.post('/integrations/outreach/send', { campaignId, people, includeExcluded: true })
    expect([sent.status, sent.body.sent, sent.body.skippedExcluded], sent.text).toEqual([200, 1, 1])
    const owner = await memberOf(world, team, 'owner')
    const third = { profileUrl: addressOf(world.handle('third')), name: 'A Third' }
    const planned = await owner.post('/sends', {
      send: { kind: 'people', campaignId, people: [people[0], third] },
      goes: 2,
    })
    expect(planned.status, planned.text).toBe(201)
    await world.advance('1m')
    const told = await team.post('/results', {
      results: [{ profileUrl: addressOf(handle), outcome: 'won', note: name }],
    })
    expect(told.body).toEqual({ recorded: 0, duplicates: 0, notFound: [0] })
    await expectNoTrace()
  })

  it('sends nobody by their address with signs that no handle has [PRV-04, EXC-08]', async () => {
    for (const sign of ['%2F', '%00', '%3F', '%23', '%2F%2F', ')', '%22', '],', '…']) {
      const people = [{ profileUrl: `https://www.linkedin.com/in/${canary.handle}${sign}` }]
      const sent = await team.post('/integrations/outreach/send', { campaignId, people, includeExcluded: true })
      expect([sent.status, sent.body.sent], sent.text).toEqual([200, 0])
    }
    await expectNoTrace()
  })

  it('sends and plans nobody under another profile with a mail address of theirs [PRV-04]', async () => {
    const { mail } = canary
    const owner = await memberOf(world, team, 'owner')
    for (const email of [mail.toUpperCase(), `Somebody <${mail}>`]) {
      const people = [{ profileUrl: `https://www.linkedin.com/in/${world.handle('alias')}`, email }]
      const sent = await team.post('/integrations/outreach/send', { campaignId, people, includeExcluded: true })
      expect([sent.status, sent.body.sent, sent.body.skippedExcluded], sent.text).toEqual([200, 0, 1])
      const third = { profileUrl: `https://www.linkedin.com/in/${world.handle('third')}`, name: 'A Third' }
      const send = { kind: 'people', campaignId, people: [people[0], third] }
      expect((await owner.post('/sends', { send, goes: 1 })).body.send.goes).toBe(1)
    }
    await world.advance('1m')
    await expectNoTrace()
  })

  it('is kept by no post of the outreach platform, readable or not [PRV-04]', async () => {
    const { resultsUrl } = (await team.get('/integrations/outreach')).body
    const { handle, memberId, mail } = canary
    const alias = world.handle('alias')
    const event = { event_type: 'message_reply_received', timestamp: '2026-11-21T09:00:00.000Z' }
    const sales = `https://www.linkedin.com/sales/lead/${memberId},NAME`
    for (const posted of [
      { ...event, lead: { profile_url: sales } },
      { ...event, lead: { profile_url: '', email_address: mail } },
      {
        ...event,
        lead: { profile_url: `https://www.linkedin.com/in/${alias}`, email_address: `<${mail.toUpperCase()}>` },
      },
      { unread: [handle] },
      `not JSON, about ${handle}`,
    ])
      expect(await postTo(resultsUrl, posted)).toBe(200)
    expect(await postTo(resultsUrl, { unread: 'somebody else' })).toBe(200)
    // Of a post about somebody else only what names them is left out.
    const lead = { profile_url: `https://www.linkedin.com/in/${world.handle('lead')}`, tags: [handle, 'warm'] }
    expect(await postTo(resultsUrl, { ...event, lead, by: { profile_url: sales, mail }, message: 'Hi' })).toBe(200)
    await world.drain()
    await expectNoTrace()
    const kept = 'select body from result_inbox where team_id = $1 order by person nulls first'
    const { rows } = await world.database.pool.query(kept, [team.id])
    expect(rows.map(({ body }) => JSON.parse(body))).toEqual([
      { unread: 'somebody else' },
      { ...event, lead: { ...lead, tags: [null, 'warm'] }, by: { profile_url: null, mail: null }, message: 'Hi' },
    ])
  })

  it('tracks a post of theirs, or one by an address with their handle, by its URN alone [PRV-04]', async () => {
    const { handle } = canary
    for (const author of [handle, world.handle('other'), { company: world.handle('page') }]) {
      const { id } = world.network.seedPost({ author, text: 'A post', reactions: [], comments: [] })
      const postUrl = `https://www.linkedin.com/posts/${handle}_a-title-activity-${id}-abcd`
      const tracked = await team.post('/post/track', { postUrl })
      expect(tracked.status, tracked.text).toBeLessThan(300)
      expect(tracked.text).not.toContain(handle)
    }
    await world.drain()
    await expectNoTrace()
  })
})

it('somebody never seen who is erased by their member id is told by their handle as well; the network silent, nothing is stored [PRV-03, PRV-04]', async () => {
  const other = await world.team()
  const handle = world.handle('unseen')
  const { id } = world.network.seedPerson({ handle })
  world.network.fault({ kind: 'status_503' })
  const silent = await other.post('/privacy/erasures', { profileUrl: id })
  world.network.clearFaults()
  expect([silent.status, (await other.get('/privacy/erasures')).body.total]).toEqual([502, 0])
  expect((await other.post('/exclusions', { entries: [{ kind: 'person', value: handle }] })).status).toBe(201)
  expect((await other.post('/privacy/erasures', { profileUrl: id })).status).toBe(201)
  expect((await other.get('/exclusions')).body.entries).toEqual([])
  const tracked = await other.post('/enrich/profile', { username: handle, saveTrackedProfile: true })
  expect([tracked.status, tracked.body.error]).toEqual([400, erasedWords])
  await other.get('/credits')
  await world.drain()
  expect(await placesOf(world, [handle])).toEqual([])
})

it('a call that is written down while its person is being erased leaves nothing of them in the log [PRV-04]', async () => {
  const other = await world.team()
  const owner = await memberOf(world, other, 'owner')
  const handle = world.handle('meanwhile')
  const { pool } = world.database
  const held = await pool.connect()
  const until = async (query: string) => {
    while ((await pool.query(query)).rows.length === 0);
  }
  try {
    // The erasure has searched the log and waits to block the person.
    // Locks the table in the team's shard: a lock on the view over all shards blocks nobody.
    const table = testShards > 1 ? `${await world.shardOf(other)}.blocked_person` : 'blocked_person'
    await held.query(`begin; lock table ${table} in share mode`)
    const erasing = other.post('/privacy/erasures', { profileUrl: handle })
    await until(`select 1 from pg_locks where relation = '${table}'::regclass and not granted`)
    await other.get(`/profile/${handle}/sync`)
    const reading = owner.get('/requests')
    await until(`select 1 from request_log where path like '%${handle}%'
      union all select 1 from pg_locks where locktype = 'advisory' and not granted`)
    await held.query('commit')
    expect((await erasing).status).toBe(201)
    expect((await reading).status).toBe(200)
  } finally {
    await held.query('rollback')
    held.release()
  }
  expect(await placesOf(world, [handle])).toEqual([])
})

it('a handle that was named in any percent-encoding before is gone from the log of calls [PRV-04]', async () => {
  const other = await world.team()
  const mark = world.handle('encoded')
  const handle = `jürgen-${mark}`
  const decomposed = encodeURIComponent(handle.normalize('NFD'))
  for (const one of [decomposed, encodeURIComponent(handle.toUpperCase()), encodeURIComponent(decomposed)]) {
    await other.get(`/profile/${one}/sync`)
    await other.post('/results', { results: [{ leadId: one, note: `about ${one}` }] })
  }
  const owner = await memberOf(world, other, 'owner')
  expect((await owner.get('/requests')).text.toLowerCase()).toContain(mark)
  expect((await other.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
  expect((await owner.get('/requests')).text.toLowerCase()).not.toContain(mark)
})

it('names with signs that stand between words elsewhere are recognised in free words [PRV-04]', async () => {
  const { team: other, campaignId: campaign } = await connect(world)
  const [handle, mail] = [`${world.handle('signed')};x`, `${world.handle('me')}(work)@mail.example`]
  const people = [{ profileUrl: `https://www.linkedin.com/in/${encodeURIComponent(handle)}`, email: mail }]
  const sent = await other.post('/integrations/outreach/send', { campaignId: campaign, people })
  expect(sent.status, sent.text).toBe(200)
  expect((await other.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
  for (const name of [handle, mail])
    await other.post('/enrich/profile', { username: source, note: `ask ${name}, or “${name}”.` })
  const owner = await memberOf(world, other, 'owner')
  expect((await owner.get('/requests')).status).toBe(200)
  await world.drain()
  expect(await placesOf(world, [handle, mail])).toEqual([])
})

it('a view that holds the handle in percent-encoding, or the name, loses that filter, and lines with the name without accents are emptied [PRV-04]', async () => {
  const other = await world.team({ credits: 100 })
  const owner = await memberOf(world, other, 'owner')
  const [author, mark] = [world.handle('author'), world.handle('müller')]
  const word = world.handle('name').replaceAll('-', '')
  const name = `José Müller ${word}`
  world.network.seedPerson({ handle: mark, name })
  world.network.seedPost({ author, reactions: likes([mark]), comments: [] })
  await sweep(world, other, author)
  const encoded = encodeURIComponent(mark.normalize('NFD')).toLowerCase()
  const query = { post: `https://www.linkedin.com/in/${encoded}`, more: 'kept 100%25' }
  expect((await owner.put('/views', { page: 'leads', name: 'One', query })).status).toBeLessThan(300)
  expect((await owner.put('/views', { page: 'leads', name: 'Two', query: { more: '%20' } })).status).toBeLessThan(300)
  expect((await owner.put('/views', { page: 'leads', name: 'Three', query: { name, more: '3' } })).status).toBeLessThan(
    300,
  )
  await other.get(`/leads?name=${encodeURIComponent(`Jose Muller ${word}`)}`)
  expect((await owner.get('/requests')).text).toContain(`Jose+Muller+${word}`)
  const made = await other.post('/privacy/erasures', { profileUrl: mark })
  expect([made.status, made.body.receipt.counts.views], made.text).toEqual([201, 2])
  const { views } = (await owner.get('/views')).body
  expect(views.map((view: { query: unknown }) => view.query)).toEqual(
    expect.arrayContaining([{ more: 'kept 100%25' }, { more: '%20' }, { more: '3' }]),
  )
  await world.drain()
  expect(await placesOf(world, [encoded, word])).toEqual([])
})
