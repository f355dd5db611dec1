/** Canary secrets put through the service appear nowhere: not in logs, traces, metrics, refusals, the queue, or plain columns. */
import { randomBytes } from 'node:crypto'
import { startSandbox, type Sandbox } from '@les/sandbox'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { likes } from '../scenarios/sync-stage.ts'
import { textsOf } from '../world/contents.ts'
import { ownSchemas } from '../world/shards.ts'
import { createWorld, type Answer, type Team, type World } from '../world/world.ts'
import { keptLog, openCollector, type Collector } from './stage.ts'

const canary = (name: string) => `${name}-canary-${randomBytes(12).toString('hex')}`
const given = {
  'vendor key': canary('vendor'),
  'operator token': canary('operator'),
  'AI key': `sk-${canary('ai')}`,
  'outreach key': canary('outreach'),
  'token in a webhook address': canary('hook'),
  'wrong API key': `cs_${randomBytes(24).toString('hex')}`,
  'wrong operator token': canary('wrong-operator'),
  'key sent where none belongs': canary('misplaced'),
}
const masterKey = randomBytes(32)

const kept = keptLog()
let vendor: Sandbox
let collector: Collector
let world: World
let team: Team
const answers: { readonly what: string; readonly answer: Answer }[] = []
let metrics: string
let secrets: Record<string, string>

/** Records an answer; a success may show secrets to their owner, a refusal may not. */
async function call(what: string, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  answers.push({ what, answer })
  return answer
}

beforeAll(async () => {
  vendor = await startSandbox({ seed: 'canary' })
  collector = await openCollector()
  const { harvestapi, heyreach, ai } = vendor.addresses
  world = await createWorld({
    config: {
      vendors: {
        kind: 'real',
        harvestapi: { url: harvestapi, key: given['vendor key'] },
        linkdapi: null,
        outreach: heyreach,
        ai,
      },
      masterKey,
      operatorToken: given['operator token'],
      tracing: {
        url: collector.url,
        headers: {},
        serviceName: 'les',
        resource: {},
        sampling: { followCaller: true, share: 1 },
      },
    },
    log: kept.log,
  })
  team = await world.team({ credits: 1_000 })
  secrets = {
    ...given,
    'API key': team.apiKey,
    'signing secret': team.signingSecret,
    'master key': masterKey.toString('base64'),
  }
  await work()
  await refusals()
  await troubles()
  metrics = await world.service.metrics.text()
})
afterAll(async () => {
  await world.close()
  await collector.close()
  await vendor.close()
})

const hook = (url: string) => `${url}/${given['token in a webhook address']}?key=${given['token in a webhook address']}`

async function work(): Promise<void> {
  const inbox = await world.inbox()
  for (const kind of ['openai', 'anthropic', 'google', 'mistral'])
    await world.operator('PUT', `/operator/teams/${team.id}/credentials/${kind}`, { key: given['AI key'] })
  await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: given['outreach key'] })
  vendor.world.seedPost({
    author: 'canary-author',
    text: 'We are hiring',
    reactions: likes(['canary-fan-1', 'canary-fan-2']),
  })
  await call('track', team.post('/enrich/profile', { username: 'canary-author', saveTrackedProfile: true }))
  await call('webhook', team.put('/profile/canary-author/webhook', { webhookUrl: hook(inbox.url), autoSend: true }))
  await world.drain()
  expect(inbox.received.length).toBeGreaterThan(0)
  for (const aiProvider of ['openai', 'anthropic', 'google', 'mistral'] as const) {
    await world.service.judge.judge({
      vendor: aiProvider,
      model: null,
      key: given['AI key'],
      prompt: 'Keep "hiring"',
      posts: [{ id: '1', text: 'We are hiring', author: null, headline: null }],
    })
  }
  const search = {
    keywords: ['hiring'],
    aiProvider: 'openai',
    aiPrompt: 'Keep "hiring"',
    captureMode: 'depth',
    datePosted: 'PAST_WEEK',
    creditCap: 20,
    confirmSpend: true,
  }
  expect((await call('AI filter', team.post('/keyword/track', search))).status).toBeLessThan(300)
  for (const path of ['', '/campaigns'])
    expect((await call(`outreach${path}`, team.get(`/integrations/outreach${path}`))).status).toBe(200)
  await world.drain()
}

async function refusals(): Promise<void> {
  const misplaced = given['key sent where none belongs']
  await call('a wrong key', team.get('/leads', { key: given['wrong API key'] }))
  await call('a key in the query', team.get(`/leads?apiKey=${misplaced}`))
  await call('a key in the path', team.get(`/profile/${misplaced}/sync`))
  await call(
    'a key in the body',
    team.post('/keyword/track', { keywords: ['x'], aiProvider: 'openai', aiKey: misplaced, aiPrompt: 7 }),
  )
  await call('a key as a number', team.post('/enrich/profile', { username: 'canary-author', maxPosts: misplaced }))
  await call(
    'a body that is no JSON',
    team.post('/enrich/profile', undefined, {
      raw: `{"apiKey":"${misplaced}"`,
      headers: { 'content-type': 'application/json' },
    }),
  )
  await call(
    'a key as a safe-retry key',
    team.post(
      '/enrich/profile',
      { username: '' },
      {
        headers: { 'idempotency-key': misplaced, authorization: `Bearer ${misplaced}`, cookie: `session=${misplaced}` },
      },
    ),
  )
  await call(
    'an address that is refused',
    team.put('/profile/canary-author/webhook', { webhookUrl: `ftp://user:${misplaced}@example.com/` }),
  )
  const operator = await fetch(`${world.url}/operator/clock`, {
    headers: { authorization: `Bearer ${given['wrong operator token']}` },
  })
  expect(operator.status).toBe(401)
  for (const path of [`/mcp/${given['wrong API key']}`, `/mcp/${team.apiKey}`, `/nowhere/${team.apiKey}`]) {
    const response = await fetch(world.url + path, {
      method: 'POST',
      body: 'nonsense',
      headers: { 'content-type': 'application/json' },
    })
    answers.push({
      what: `POST ${path.split('/')[1]}`,
      answer: { status: response.status, headers: response.headers, body: null, text: await response.text() } as Answer,
    })
  }
  await call(
    'an unreadable credential',
    world.operator('PUT', `/operator/teams/${team.id}/credentials/openai`, { key: [misplaced] }),
  )
}

async function troubles(): Promise<void> {
  const gone = await world.inbox()
  await gone.close()
  vendor.world.seedPost({ author: 'canary-author-2', text: 'We are hiring', reactions: likes(['canary-fan-3']) })
  await call('track', team.post('/enrich/profile', { username: 'canary-author-2', saveTrackedProfile: true }))
  await call(
    'a receiver that is gone',
    team.put('/profile/canary-author-2/webhook', { webhookUrl: hook(gone.url), autoSend: true }),
  )
  await world.drain()
  for (const status of [401, 402, 500]) {
    vendor.world.fault({ kind: 'status', status, times: 20 })
    await call(`vendor ${status}`, team.post('/post/reactions', { postUrn: 'urn:li:activity:7390000000000000001' }))
    await call(
      `vendor ${status}`,
      team.post('/enrich/profile', { username: `canary-${status}`, saveTrackedProfile: true }),
    )
    for (const aiProvider of ['openai', 'google'] as const)
      await expect(
        world.service.judge.judge({
          vendor: aiProvider,
          model: null,
          key: given['AI key'],
          prompt: 'x',
          posts: [{ id: '1', text: 'x', author: null, headline: null }],
        }),
        `an AI vendor that answers ${status}`,
      ).rejects.toThrow()
    await call('outreach', team.get('/integrations/outreach/campaigns'))
    await world.drain()
    vendor.world.clearFaults()
  }
  await world.arm('handler')
  expect(
    (
      await call(
        'a fault of ours',
        team.post('/enrich/profile', { username: 'canary-author-3', saveTrackedProfile: true }),
      )
    ).status,
  ).toBe(500)
  await world.arm('capture.page-fetched')
  await call('track', team.post('/enrich/profile', { username: 'canary-author-4', saveTrackedProfile: true }))
  // The worker of the run fails at this point, which must be logged.
  const left = `select times from armed_fault where name = 'capture.page-fetched'`
  await vi.waitFor(
    async () => expect((await world.database.pool.query(left)).rows).toMatchObject([{ times: 0 }]),
    20_000,
  )
}

const found = (text: string): string[] =>
  Object.entries(secrets)
    .filter(
      ([, secret]) => text.includes(secret) || text.includes(Buffer.from(secret).toString('base64').replace(/=+$/, '')),
    )
    .map(([name]) => name)

describe('canary secrets are found nowhere [T-S4]', () => {
  it('the service was driven through what it can do and refuse', () => {
    const statuses = new Set(answers.map(({ answer }) => answer.status))
    for (const status of [200, 400, 401, 404, 500]) expect([...statuses], `an answer ${status}`).toContain(status)
    expect(kept.lines().length).toBeGreaterThan(30)
    expect(kept.lines().filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
    expect(vendor.world.calls().some(({ query }) => query.key === given['AI key'])).toBe(true)
  })

  it('the search for them finds what is there', () => {
    expect(found(`before ${team.apiKey} after`)).toEqual(['API key'])
    expect(found(Buffer.from(given['outreach key']).toString('base64'))).toEqual(['outreach key'])
  })

  it('in the log', () => {
    expect(found(kept.text())).toEqual([])
  })

  it('in refusals and failures', () => {
    const leaky = answers
      .filter(({ answer }) => answer.status >= 400)
      .map(({ what, answer }) => [what, answer.status, found(answer.text)])
      .filter(([, , names]) => (names as string[]).length > 0)
    // A name in the path is repeated as the name that was not found.
    expect(leaky.filter(([what]) => what !== 'a key in the path')).toEqual([])
  })

  it('in the metrics', () => {
    expect(metrics).toContain('les_requests_total')
    expect(found(metrics)).toEqual([])
  })

  it('in the database only where the owner put it in plain sight', async () => {
    const hits: string[] = []
    for (const schema of ownSchemas)
      for (const [column, text] of await textsOf(world.database, schema))
        hits.push(...found(text).map((name) => `${column}: ${name}`))
    expect(hits.toSorted()).toEqual(['webhook.url: token in a webhook address'])
  })

  it('in the traces', async () => {
    // The exporter sends every second.
    await expect.poll(() => collector.spans().length).toBeGreaterThan(20)
    expect(found(collector.bodies.join('\n'))).toEqual([])
  })
})
