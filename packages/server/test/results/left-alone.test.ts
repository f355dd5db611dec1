/** People who have replied, or do not want to be contacted: neither automatic nor manual sending reaches them. */
import { describe, expect, it } from 'vitest'
import { fans, handlesIn, seedCampaign } from '../scenarios/outreach-stage.ts'
import { recordStages } from '../../src/modules/results/index.ts'
import { forgetResults } from '../../src/modules/results/index.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'
import { capture, connect, happens, ok, post, record, resultsOf, sent, urlOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const excludedOf = async (team: Team): Promise<Record<string, Answer['body']>> =>
  Object.fromEntries(
    (await ok(team.get('/leads?limit=100&includeSyncing=true'))).leads.map(
      (lead: { linkedinUrl: string; excluded: object }) => [lead.linkedinUrl.split('/in/')[1], lead.excluded],
    ),
  )
const replied = { list: 'replied', entryId: null, reason: 'replied' }

describe('somebody who has replied', () => {
  it('is sent by no auto-push and no webhook any more, by any of their leads; others are [RSL-05]', async () => {
    const { team, key, campaignId } = await connect(world)
    const inbox = await world.inbox()
    const [talker, quiet, buyer] = [world.handle('fan'), world.handle('fan'), world.handle('fan')] as const
    await capture(world, team, [{ handle: talker }, { handle: quiet }, { handle: buyer }])
    await record(team, { profileUrl: urlOf(talker), outcome: 'replied' }, { profileUrl: urlOf(buyer), outcome: 'won' })
    await capture(world, team, [{ handle: talker }, { handle: quiet }, { handle: buyer }], {
      before: async (id) => {
        await ok(team.put(`/sources/${id}/outreach`, { campaignId }))
        await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
      },
    })
    await world.drain()
    expect(await excludedOf(team)).toEqual({ [talker]: replied, [buyer]: replied, [quiet]: null })
    expect(handlesIn(world, key, campaignId)).toEqual([quiet])
    expect(inbox.received.map(({ body }: Answer['body']) => body.lead.linkedinUrl)).toEqual([urlOf(quiet)])
  })

  it.each(['is not served', 'is closed, and restored'])(
    'gets nothing of what waited from a team that %s, whose posts were taken meanwhile [EXC-10, RSL-05]',
    async (how) => {
      const stage = await sent(world, fans(2))
      const { team, source, resultsUrl } = stage
      const [talker, quiet] = source.handles as [string, string]
      const inbox = await world.inbox()
      inbox.answer(500)
      await ok(team.put(`/sources/${source.id}/webhook`, { webhookUrl: inbox.url }))
      await ok(team.post(`/profile/${source.username}/push`, {}))
      await world.drain()
      const tried = inbox.received.length
      const isClosed = how !== 'is not served'
      if (isClosed) await world.operator('DELETE', `/operator/teams/${team.id}`, {})
      else await team.change({ status: 'expired' })
      expect(await post(resultsUrl, happens(world, stage, talker, 'replied'))).toBe(200)
      await world.drain()
      inbox.answer(200)
      if (isClosed) await world.move('2d')
      if (isClosed) await world.operator('POST', `/operator/teams/${team.id}/restore`, {})
      await world.advance('2d')
      expect(inbox.received.slice(tried).map(({ body }: Answer['body']) => body.lead.linkedinUrl)).toEqual([
        urlOf(quiet),
      ])
    },
  )

  it('is sent again once the team says so, and listed with or without the others [RSL-05]', async () => {
    const stage = await sent(world, fans(2))
    const { team, resultsUrl } = stage
    const [talker, quiet] = stage.source.handles as [string, string]
    await post(resultsUrl, happens(world, stage, talker, 'replied'))
    await world.drain()
    const listed = async (excluded: string) =>
      (await ok(team.get(`/leads?excluded=${excluded}`))).leads.map(
        (lead: Answer['body']) => lead.linkedinUrl.split('/in/')[1],
      )
    expect([await listed('only'), await listed('exclude')]).toEqual([[talker], [quiet]])
    const other = seedCampaign(world, stage.key)
    const send = () => team.post('/integrations/outreach/send', { campaignId: other, leadIds: stage.source.leadIds })
    expect(await ok(send())).toMatchObject({ sent: 1, skippedExcluded: 1 })
    const people = [{ profileUrl: urlOf(talker), name: 'Somebody' }]
    const byName = seedCampaign(world, stage.key)
    expect(await ok(team.post('/integrations/outreach/send', { campaignId: byName, people }))).toMatchObject({
      sent: 0,
      skippedExcluded: 1,
    })
    await ok(team.put('/exclusions/settings', { repliedElsewhere: false }))
    expect(await excludedOf(team)).toEqual({ [talker]: null, [quiet]: null })
    expect(await ok(send())).toMatchObject({ sent: 1, alreadyInCampaign: 1, skippedExcluded: 0 })
    expect(handlesIn(world, stage.key, other)).toEqual([talker, quiet].toSorted())
  })

  it('stays as the entry says that names them, and who only was sent or met is not left out [RSL-05]', async () => {
    const team = await world.team()
    const source = await capture(world, team, fans(3))
    const [listed, met, silent] = source.handles as [string, string, string]
    await ok(team.put('/exclusions/settings', { worksAtSource: false }))
    expect(
      (await team.post('/exclusions', { entries: [{ kind: 'person', value: listed }], list: 'customers' })).status,
    ).toBe(201)
    await record(
      team,
      { profileUrl: urlOf(listed), outcome: 'replied' },
      { profileUrl: urlOf(met), outcome: 'accepted' },
      { profileUrl: urlOf(silent), outcome: 'sent' },
    )
    expect(await excludedOf(team)).toMatchObject({ [listed]: { list: 'customers' }, [met]: null, [silent]: null })
  })
})

describe('somebody who wants to hear no more', () => {
  it.each(['unsubscribed', 'not_interested'])(
    'by a result of %s is an entry, once, which stays away when it is removed and the result comes again [RSL-05]',
    async (outcome) => {
      const team = await world.team()
      const source = await capture(world, team, fans(2))
      const [gone, other] = source.handles as [string, string]
      const result = { profileUrl: urlOf(gone), outcome, at: '2026-11-20T10:00:00Z' }
      await record(team, result, { profileUrl: urlOf(other), outcome: 'interested' })
      const entries = async () => (await ok(team.get('/exclusions'))).entries
      expect(await entries()).toEqual([
        expect.objectContaining({ kind: 'person', list: 'do_not_contact', origin: 'result', reason: outcome }),
      ])
      const [{ id }] = await entries()
      expect(await excludedOf(team)).toEqual({
        [gone]: { list: 'do_not_contact', entryId: id, reason: outcome },
        [other]: null,
      })
      await record(team, { ...result, at: '2026-11-20T11:00:00Z' })
      expect(await entries()).toHaveLength(1)
      await ok(team.del(`/exclusions/${id}`))
      await record(team, result)
      expect(await entries()).toEqual([])
    },
  )

  it('is an entry also under an external id that has told of something else, which counts as a duplicate [RSL-05, RSL-01]', async () => {
    const team = await world.team()
    const { handles } = await capture(world, team, fans(1))
    const result = { profileUrl: urlOf(handles[0]!), externalId: 'crm-4711' }
    await record(team, { ...result, outcome: 'meeting' })
    expect(await record(team, { ...result, outcome: 'unsubscribed' })).toMatchObject({ recorded: 0, duplicates: 1 })
    expect((await excludedOf(team))[handles[0]!]).toMatchObject({ list: 'do_not_contact', reason: 'unsubscribed' })
  })

  it('is an entry also before the team knows them, but nobody whom it has had erased [RSL-05, PRV-04]', async () => {
    const team = await world.team()
    const [stranger, erased] = [world.handle('stranger'), world.handle('erased')]
    expect((await team.post('/privacy/erasures', { profileUrl: erased })).status).toBe(201)
    const told = [stranger, erased].map((handle) => ({ profileUrl: urlOf(handle), outcome: 'unsubscribed' }))
    expect(await record(team, ...told)).toEqual({ recorded: 0, duplicates: 0, notFound: [0, 1] })
    expect((await ok(team.get('/exclusions'))).entries).toMatchObject([{ value: stranger, origin: 'result' }])
  })

  it('is heard from HeyReach as well [RSL-05, RSL-02]', async () => {
    const stage = await sent(world, fans(1))
    const body = {
      ...happens(world, stage, stage.source.handles[0]!, 'messaged'),
      event_type: 'LEAD_AUTO_TAGGED_NOT_INTERESTED',
    }
    // A person added to the campaign by another tool was never captured, and may be captured later.
    const stranger = world.handle('stranger')
    const of = { ...(body as { lead?: object }).lead, profile_url: urlOf(stranger) }
    for (const each of [body, { ...body, lead: of }]) await post(stage.resultsUrl, each)
    await world.drain()
    const entries = (await ok(stage.team.get('/exclusions'))).entries
    expect(entries).toHaveLength(2)
    for (const one of entries) expect(one).toMatchObject({ origin: 'result', reason: 'not_interested' })
    expect(entries.map((one: { value: string }) => one.value)).toContain(stranger)
  })
})

describe('stages of a CRM', () => {
  it('become results, each change once, however often it is read; of nobody known they are left out [RSL-06]', async () => {
    const team = await world.team()
    const source = await capture(world, team, fans(2))
    const [fan, other] = source.handles as [string, string]
    const urn = world.network.person(fan)!.id
    const at = new Date('2026-11-20T10:00:00.000Z')
    const stages = [
      { personUrn: urn, outcome: 'meeting', at, externalId: 'hubspot:51:opportunity' },
      { handle: other, outcome: 'won', at, externalId: 'hubspot:deal:7', amount: 900, currency: 'EUR' },
      { handle: 'nobody-known', outcome: 'won', at, externalId: 'hubspot:deal:8' },
    ] as const
    const read = () => world.unit(team, (tx) => recordStages(tx, team.id, stages))
    expect(await read()).toEqual({ recorded: 2, duplicates: 0, notFound: [2] })
    // A second reading may have another time for the same change.
    const again = stages.map((stage) => ({ ...stage, at: new Date(at.getTime() + 60_000) }))
    expect(await world.unit(team, (tx) => recordStages(tx, team.id, again))).toMatchObject({
      recorded: 0,
      duplicates: 2,
    })
    expect(await resultsOf(team)).toMatchObject({
      [fan]: { last: 'meeting', meeting: true },
      [other]: { last: 'won', won: true },
    })
    expect((await ok(team.get('/results/summary'))).total).toMatchObject({
      meetings: 1,
      won: 1,
      amount: 900,
      currency: 'EUR',
    })
    // External ids of callers and of the CRM are separate.
    expect(await record(team, { profileUrl: urlOf(fan), outcome: 'won', externalId: 'hubspot:deal:7' })).toMatchObject({
      recorded: 1,
    })
  })
})

describe('a person who is forgotten', () => {
  it('takes their results and what was posted about them along, and nobody else [RSL-03]', async () => {
    const stage = await sent(world, fans(2))
    const [gone, stays] = stage.source.handles as [string, string]
    for (const one of [gone, stays]) await post(stage.resultsUrl, happens(world, stage, one, 'replied'))
    await world.drain()
    const person = { urns: [world.network.person(gone)!.id], handles: [gone], names: [] }
    expect(await world.unit(stage.team, (tx) => forgetResults(tx, stage.team.id, person))).toBe(1)
    expect(await resultsOf(stage.team)).toMatchObject({ [gone]: { last: null }, [stays]: { last: 'replied' } })
    for (const table of ['result', 'result_inbox']) {
      const { rows } = await world.database.pool.query(`select * from ${table} where team_id = $1`, [stage.team.id])
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(gone)
    }
  })
})
