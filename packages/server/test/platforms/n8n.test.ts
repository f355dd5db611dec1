import { registry, type Operation } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { selection } from '../../../../scripts/platforms/selection.ts'
import { keyOf } from '../../../../scripts/platforms/read.ts'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { openN8n, type Credentials, type N8n } from './n8n-stage.ts'

// A receiver compares a signature's time with the system clock, so service time starts at it.
const world = useWorld({ config: { ...drainOnlyUnlessLongRun, clock: { mode: 'manual', start: new Date() } } })

let n8n: N8n
beforeAll(async () => {
  n8n = await openN8n()
}, 300_000)

const credentialsOf = (team: Team): Credentials => ({ baseUrl: `${world.url}/`, apiKey: team.apiKey })

describe('the n8n trigger', () => {
  const active = async (event = 'lead.detected') => {
    const team = await world.team()
    const inbox = await world.inbox()
    const trigger = n8n.trigger(credentialsOf(team), { url: inbox.url, event })
    const hooks = async () => (await team.get('/hooks')).body.hooks
    return { team, inbox, trigger, hooks }
  }

  it('subscribes when a workflow is activated, begins it once with a lead that is captured, and unsubscribes [DST-16]', async () => {
    const { team, inbox, trigger, hooks } = await active()
    expect(await trigger.checkExists()).toBe(false)
    expect(await trigger.create()).toBe(true)
    expect(await hooks()).toEqual([expect.objectContaining({ targetUrl: inbox.url, event: 'lead.detected' })])
    expect(await trigger.checkExists()).toBe(true)
    const { leadIds } = await capture(world, team, fans(1))
    expect(inbox.received).toHaveLength(1)
    const { items, status } = await trigger.webhook(inbox.received[0]!)
    expect([status, items.map(({ json }) => [json.event, json.lead.id])]).toEqual([
      200,
      [['lead.detected', leadIds[0]]],
    ])
    expect(await trigger.delete()).toBe(true)
    expect(await hooks()).toEqual([])
    await capture(world, team, fans(1))
    expect(inbox.received).toHaveLength(1)
  })

  it('refuses what is not signed by the secret of its hook, and begins nothing [DST-16]', async () => {
    const { team, inbox, trigger } = await active()
    await trigger.create()
    await capture(world, team, fans(1))
    const [{ raw, headers }] = inbox.received as [(typeof inbox.received)[number]]
    const altered = Buffer.from(raw.toString().replace('lead.detected', 'lead.Detected'))
    for (const wrong of [
      { raw: altered, headers },
      { raw, headers: { ...headers, 'x-service-signature': `v1=${'0'.repeat(64)}` } },
      { raw, headers: { ...headers, 'x-service-signature': undefined } },
    ])
      expect(await trigger.webhook(wrong)).toEqual({ items: [], status: 401 })
    await trigger.delete()
    expect(await trigger.webhook({ raw, headers })).toEqual({ items: [], status: 401 })
  })

  it('is activated again after its hook was unsubscribed, and leaves no other hook at its address [DST-16]', async () => {
    const { team, inbox, trigger, hooks } = await active('sync.completed')
    await trigger.create()
    const [{ id }] = await hooks()
    await team.post('/hooks', { targetUrl: inbox.url, event: 'lead.detected' })
    expect(await trigger.checkExists()).toBe(true)
    expect((await hooks()).map((hook: { id: string }) => hook.id)).toEqual([id])
    expect((await team.del(`/hooks/${id}`)).status).toBe(200)
    expect(await trigger.checkExists()).toBe(false)
    expect(await trigger.delete()).toBe(true)
  })

  it('says why it cannot subscribe [DST-16]', async () => {
    const { inbox, team } = await active()
    const wrong = { ...credentialsOf(team), apiKey: 'cs_wrong' }
    await expect(n8n.trigger(wrong, { url: inbox.url, event: 'lead.detected' }).create()).rejects.toThrow()
  })
})

describe('the n8n node', () => {
  it('has a credential whose test asks for the balance [DST-16]', async () => {
    const team = await world.team()
    const { request } = n8n.credentialType.test
    expect(request.url).toBe('/credits')
    expect((await team.get(request.url)).status).toBe(200)
  })

  it('does a whole job: tracks, reads, excludes, records and exports [DST-16]', async () => {
    const team = await world.team()
    const run = (resource: string, operation: string, parameters: Record<string, unknown> = {}) =>
      n8n.run(credentialsOf(team), { resource, operation, additionalFields: {}, ...parameters })
    const username = world.handle('author')
    world.network.seedPost({
      author: username,
      reactions: [{ person: world.handle('fan') }, { person: world.handle('fan') }],
    })
    const [{ json: tracked }] = (await run('source', 'trackPerson', {
      username,
      additionalFields: { creditCapPerSync: 100 },
    })) as [any]
    expect(tracked).toEqual(expect.objectContaining({ jobId: expect.any(String), creditCapPerSync: 100 }))
    await world.drain()
    const [{ json: source }] = (await run('source', 'getMany')) as [any]
    expect(source).toEqual(expect.objectContaining({ username, creditCapPerSync: 100 }))
    const leads = await run('lead', 'getMany', { returnAll: false, limit: 1, additionalFields: { username } })
    expect(leads.map(({ json }) => json.sourceId)).toEqual([source.id])
    const lead = leads[0]!.json
    const since = new Date(Date.parse(lead.createdAt) + 60_000)
    expect(await run('lead', 'getMany', { returnAll: true, additionalFields: { since: since.toString() } })).toEqual([])
    expect((await run('lead', 'getMany', { returnAll: true })).length).toBe(2)
    expect((await run('lead', 'getPeople', { returnAll: true })).length).toBe(2)
    expect((await run('lead', 'explain', { leadId: lead.id }))[0].json).toMatchObject({ leadId: lead.id })
    expect((await run('source', 'getSync', { id: source.id }))[0].json).toMatchObject({ isFinal: true })
    // A retry within one execution uses the same idempotency key and gets the same answer.
    for (let tried = 0; tried < 2; tried++)
      expect((await run('source', 'sync', { id: source.id }))[0].json).toMatchObject({ queued: true })
    const added = await run('exclusion', 'add', {
      kind: 'person',
      value: lead.linkedinUrl,
      additionalFields: { list: 'customers', reason: 'Met' },
    })
    expect(added[0].json).toMatchObject({ added: 1 })
    expect(
      (await run('exclusion', 'getMany', { returnAll: true })).map(({ json }) => [json.list, json.reason]),
    ).toEqual([['customers', 'Met']])
    const recorded = await run('result', 'record', {
      outcome: 'meeting',
      additionalFields: { leadId: lead.id, amount: 12.5, currency: 'EUR' },
    })
    expect(recorded[0].json).toMatchObject({ recorded: 1 })
    const [{ json: made }] = (await run('export', 'create', {
      format: 'csv',
      additionalFields: { filters: JSON.stringify([{ column: 'name', operator: 'is_not_empty' }]) },
    })) as [any]
    await world.drain()
    expect((await run('export', 'get', { id: made.id }))[0].json).toMatchObject({ state: 'done', rows: 2 })
    expect((await run('account', 'getCredits'))[0].json).toMatchObject({ used: 2 })
  })

  it('sends a list as a list, and says what the service refuses [DST-16]', async () => {
    const team = await world.team()
    const keywords = ['revenue operations', 'sales']
    const track = (more: Record<string, unknown>) =>
      n8n.run(credentialsOf(team), {
        resource: 'source',
        operation: 'trackKeyword',
        additionalFields: { keywords, creditCap: 50, captureMode: 'depth', datePosted: 'PAST_WEEK', ...more },
      })
    const tracked = async () => (await team.get('/sources')).body.sources.map((source: any) => source.keywords)
    await expect(track({ confirmSpend: false })).rejects.toMatchObject({ httpCode: '409' })
    expect(await tracked()).toEqual([])
    await track({ confirmSpend: true })
    expect(await tracked()).toEqual([keywords])
  })

  it('has every action of the selection, and a key against charging twice where the contract asks for one [DST-16]', () => {
    const { properties } = n8n.nodes.leadEngagement.description
    const operations = properties.filter(({ name }: any) => name === 'operation')
    const offered = operations.flatMap(({ displayOptions, options }: any) =>
      options.map(({ value, routing }: any) => [
        `${displayOptions.show.resource[0]} ${value}`,
        'Idempotency-Key' in (routing.request.headers ?? {}),
      ]),
    )
    const charges = (id: string) => (registry as readonly Operation[]).find((operation) => operation.id === id)!.charges
    expect(Object.fromEntries(offered)).toEqual(
      Object.fromEntries(selection.map(({ resource, name, id }) => [`${resource} ${keyOf(name)}`, charges(id)])),
    )
  })
})
