/** Why a lead was not delivered and what would change that: same words in the API, `les`, agent tools and dashboard. */
import { afterEach, describe, expect, it } from 'vitest'
import { connect, type McpClient } from '../mcp/client.ts'
import { capture, ok, type Captured } from '../scenarios/outreach-stage.ts'
import { memberOf } from '../dashboard/stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { entryOf, exclude } from './exclusions-stage.ts'
import { lesRun } from './les.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const open: McpClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

type Reason = { readonly code: string; readonly message: string; readonly remedy: string | null }

const whyOf = (team: Team, leadId: string): Promise<{ leadId: string; delivered: boolean; reasons: Reason[] }> =>
  ok(team.get(`/leads/${leadId}/why`))
const codesOf = async (team: Team, leadId: string) => (await whyOf(team, leadId)).reasons.map(({ code }) => code)
const leadOf = async (team: Team, { id }: Pick<Captured, 'id'>): Promise<string> =>
  (await ok(team.get(`/leads?profileId=${id}&includeSyncing=true`))).leads[0].id

const fan = { name: 'Frida Fan', title: 'Head of Sales', country: 'DE' }

/** One lead of a source whose webhook was set before the capture. */
async function captured(team: Team) {
  const inbox = await world.inbox()
  const source = await capture(world, team, [fan], {
    before: async (id) => {
      await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
    },
  })
  return { source, inbox, leadId: await leadOf(team, source) }
}

describe('why a lead was not delivered', () => {
  it('is the entry and the list that exclude them; once the entry is gone, what is left is history', async () => {
    const team = await world.team()
    await exclude(team, [{ kind: 'title', value: 'head of sales', reason: 'since 2024' }], 'customers')
    const { leadId, inbox } = await captured(team)
    expect(inbox.received).toHaveLength(0)
    expect(await whyOf(team, leadId)).toEqual({
      leadId,
      delivered: false,
      reasons: [
        {
          code: 'excluded',
          message: 'Excluded people are not delivered. They are on the list “Customers”: since 2024.',
          remedy: 'Remove the entry, then push the lead.',
        },
      ],
    })
    await ok(team.del(`/exclusions/${await entryOf(team, 'head of sales')}`))
    expect(await codesOf(team, leadId)).toEqual(['settings_then'])
  })

  it('is that their details are still being looked up, and after that nothing', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    world.network.hold({ operation: 'profile' })
    const author = world.handle('author')
    const person = world.handle('fan')
    world.network.seedPerson({ handle: person, ...fan })
    world.network.seedPost({ author, reactions: [{ person }] })
    await ok(team.post('/enrich/profile', { username: author, saveTrackedProfile: true }))
    const [source] = (await ok(team.get('/sources'))).sources
    await ok(team.put(`/sources/${source.id}/webhook`, { webhookUrl: inbox.url }))
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    const leadId = await leadOf(team, source)
    expect(await codesOf(team, leadId)).toEqual(['waiting_for_enrichment'])
    world.network.release()
    await drained
    expect(await whyOf(team, leadId)).toMatchObject({ delivered: true, reasons: [] })
  })

  it('is that there is no address; with one, that it was captured before; pushed, it is delivered', async () => {
    const team = await world.team()
    const source = await capture(world, team, [fan])
    const leadId = await leadOf(team, source)
    expect(await codesOf(team, leadId)).toEqual(['no_address'])
    const inbox = await world.inbox()
    await ok(team.put(`/sources/${source.id}/webhook`, { webhookUrl: inbox.url }))
    const { reasons } = await whyOf(team, leadId)
    expect(reasons.map(({ code, remedy }) => [code, remedy])).toEqual([['captured_before', 'Push it to send it now.']])
    await ok(team.post(`/sources/${source.id}/push`, { leadIds: [leadId] }))
    await world.drain()
    expect(await whyOf(team, leadId)).toMatchObject({ delivered: true, reasons: [] })
  })

  it('is that the receiver failed and is tried again, then that it is given up, then that it is gone for good', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    inbox.answer(500)
    const source = await capture(world, team, [fan], {
      before: async (id) => void (await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))),
    })
    const leadId = await leadOf(team, source)
    const [waiting] = (await whyOf(team, leadId)).reasons
    expect(waiting).toMatchObject({ code: 'waiting', remedy: null })
    expect(waiting!.message).toMatch(/^It failed once, last with answer 500\. The next try is at /)
    inbox.answer(410)
    await world.advance('1h')
    const [off] = (await whyOf(team, leadId)).reasons
    expect(off!.code).toBe('webhook_off')
    expect(off!.message).toContain('gone for good (410)')
  })

  it('is not told of another team’s lead, a raw one, or one that does not exist', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const leadId = await leadOf(team, await capture(world, team, [fan]))
    const raw = await capture(world, team, [fan], { settings: { enrichLeads: false } })
    const [{ id: rawId }] = (await ok(team.get(`/leads/raw?profileId=${raw.id}`))).leads
    for (const answer of [
      await stranger.get(`/leads/${leadId}/why`),
      await team.get(`/leads/${rawId}/why`),
      await team.get('/leads/nobody/why'),
    ])
      expect([answer.status, answer.body.error]).toEqual([
        404,
        'No such lead; raw leads are never delivered, and are not found here',
      ])
  })

  it('is said in the same words by the interface, the command line, agent tools and the dashboard', async () => {
    const team = await world.team()
    const source = await capture(world, team, [fan])
    await exclude(team, [{ kind: 'person', value: source.handles[0]!, reason: 'asked us to' }])
    const leadId = await leadOf(team, source)
    const said = await whyOf(team, leadId)
    expect(said.reasons.map(({ code }) => code)).toEqual(['excluded', 'no_address'])
    const { code, stdout, stderr } = await lesRun(world, team, ['leads', 'why', leadId, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(said)
    const client = await connect(`${world.url}/mcp`, { headers: { 'x-api-key': team.apiKey } })
    open.push(client)
    const called = await client.call('search_leads', { view: 'why', leadId, detail: 'full' })
    expect(JSON.parse(JSON.stringify(called.data).replace(/<\/?untrusted_text>/g, ''))).toEqual(said)
    const viewer = await memberOf(world, team, 'viewer')
    expect((await ok(viewer.get(`/leads/${leadId}`))).whyNotDelivered).toEqual(said.reasons)
  })
})
