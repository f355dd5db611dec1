import { beforeAll, describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import type { ReceivedRequest } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { openZapier, type Zapier } from './zapier-stage.ts'

// A receiver compares a signature's time with the system clock, so service time starts at it.
const world = useWorld({ config: { ...drainOnlyUnlessLongRun, clock: { mode: 'manual', start: new Date() } } })

let zapier: Zapier
beforeAll(async () => {
  zapier = await openZapier()
}, 300_000)

const authOf = (team: Team) => ({ baseUrl: `${world.url}/`, apiKey: team.apiKey })

const rawRequest = ({ raw, headers }: Pick<ReceivedRequest, 'raw' | 'headers'>) => ({
  method: 'POST',
  content: raw.toString(),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [`Http-${name}`, value])),
})

describe('a trigger of the Zapier app', () => {
  const turnOn = async (key = 'newLead') => {
    const team = await world.team()
    const inbox = await world.inbox()
    const { operation } = zapier.app.triggers[key]
    const authData = authOf(team)
    const subscribeData = await zapier.run(operation.performSubscribe, { authData, targetUrl: inbox.url })
    const receive = (delivery: Pick<ReceivedRequest, 'raw' | 'headers'>) =>
      zapier.run(operation.perform, { authData, subscribeData, rawRequest: rawRequest(delivery) })
    const turnOff = () => zapier.run(operation.performUnsubscribe, { authData, subscribeData, targetUrl: inbox.url })
    return { team, inbox, subscribeData, receive, turnOff }
  }

  it('subscribes, begins a Zap once with a lead that is captured, and unsubscribes [DST-16]', async () => {
    const { team, inbox, subscribeData, receive, turnOff } = await turnOn()
    const hooks = async () => (await team.get('/hooks')).body.hooks
    expect(await hooks()).toEqual([expect.objectContaining({ id: subscribeData.id, event: 'lead.detected' })])
    const { leadIds } = await capture(world, team, fans(1))
    expect(inbox.received).toHaveLength(1)
    const begun = await receive(inbox.received[0]!)
    expect(begun.map(({ event, lead }: any) => [event, lead.id])).toEqual([['lead.detected', leadIds[0]]])
    await turnOff()
    expect(await hooks()).toEqual([])
    await capture(world, team, fans(1))
    expect(inbox.received).toHaveLength(1)
    // As if the service had already unsubscribed it after a 410.
    await turnOff()
  })

  it('begins nothing with what is not signed by the secret of its hook [DST-16]', async () => {
    const { team, inbox, receive } = await turnOn()
    await capture(world, team, fans(1))
    const [{ raw, headers }] = inbox.received as [ReceivedRequest]
    const altered = Buffer.from(raw.toString().replace('lead.detected', 'lead.Detected'))
    for (const wrong of [
      { raw: altered, headers },
      { raw, headers: { ...headers, 'x-service-signature': `v1=${'0'.repeat(64)}` } },
    ])
      expect(await receive(wrong)).toEqual([])
    expect(await receive({ raw, headers: {} })).toEqual([])
    expect(await receive({ raw, headers })).toHaveLength(1)
  })

  it.each([
    ['newLead', 'lead.detected'],
    ['newPost', 'post.detected'],
    ['syncCompleted', 'sync.completed'],
    ['syncFailed', 'sync.failed'],
  ])('%s shows a sample of %s while a Zap is made [DST-16]', async (key, event) => {
    const team = await world.team()
    const { performList, sample } = zapier.app.triggers[key].operation
    const listed = await zapier.run(performList, { authData: authOf(team) })
    expect(listed).toEqual([expect.objectContaining({ event, id: expect.any(String), sample: true })])
    expect(sample).toMatchObject({ event })
    expect(Object.keys(zapier.app.triggers)).toHaveLength(4)
  })
})

describe('the Zapier app', () => {
  it('connects with a key that works, and says what the service says to another [DST-16]', async () => {
    const team = await world.team()
    const { test } = zapier.app.authentication
    expect(await zapier.run(test, { authData: authOf(team) })).toMatchObject({ plan: expect.any(String) })
    const refused = zapier.run(test, { authData: { ...authOf(team), apiKey: 'cs_wrong' } })
    await expect(refused).rejects.toThrow(/key/i)
  })

  it('tracks, enriches, finds, excludes and records [DST-16]', async () => {
    const team = await world.team()
    const authData = authOf(team)
    const create = (key: string, inputData: Record<string, unknown>) =>
      zapier.run(zapier.app.creates[key].operation.perform, { authData, inputData, meta: { zap: { id: '1' } } })
    const username = world.handle('author')
    const fan = world.handle('fan')
    const post = world.network.seedPost({ author: username, reactions: [{ person: fan }] })
    expect(await create('trackPerson', { username, creditCapPerSync: 100, mode: '' })).toMatchObject({
      jobId: expect.any(String),
      creditCapPerSync: 100,
    })
    await world.drain()
    // A step that Zapier repeats gets the same answer.
    const once = await create('enrichPerson', { username: fan })
    expect(await create('enrichPerson', { username: fan })).toEqual(once)
    const find = (inputData: Record<string, unknown>) =>
      zapier.run(zapier.app.searches.findLead.operation.perform, { authData, inputData })
    const [lead, ...others] = await find({ username })
    expect([lead.linkedinUrl, others]).toEqual([expect.stringContaining(fan), []])
    expect(await find({ name: 'nobody of this name' })).toEqual([])
    expect(await create('trackPost', { postUrl: `urn:li:activity:${post.id}` })).toMatchObject({
      syncId: expect.any(String),
    })
    const exclusion = { kind: 'domain', value: 'acme.com', reason: 'Customer', list: 'customers' }
    expect(await create('addExclusion', exclusion)).toMatchObject({ added: 1 })
    expect((await team.get('/exclusions')).body.entries).toEqual([expect.objectContaining(exclusion)])
    expect(await create('recordResult', { leadId: lead.id, outcome: 'meeting', amount: 12.5 })).toMatchObject({
      recorded: 1,
    })
    await expect(create('recordResult', { outcome: 'meeting' })).rejects.toThrow('leadId')
    expect(Object.keys(zapier.app.creates).sort()).toEqual([
      'addExclusion',
      'enrichPerson',
      'recordResult',
      'trackCompany',
      'trackPerson',
      'trackPost',
    ])
  })

  it('is what Zapier takes for an app [DST-16]', async () => {
    expect((await zapier.validate()) ?? []).toEqual([])
  })
})
