/** `POST /integrations/outreach/send`: who is sent, what is counted, and nobody twice. */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import {
  addsTo,
  capture,
  connect,
  fans,
  handlesIn,
  membersOf,
  named,
  ok,
  refusal,
  seedCampaign,
  storeKey,
  timesSent,
} from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const path = '/integrations/outreach/send'

describe('a send of leads', () => {
  it('adds enriched leads with what is known, free, and says what became of them [OUT-10, OUT-11, OUT-24, CRD-30, POS-25]', async () => {
    const { team, key, campaignId } = await connect(world, { name: 'Hello' })
    const source = await capture(world, team, [
      { name: 'Ada Maria Lovelace', title: 'Head of Growth', country: 'DE', comment: 'Great point' },
      { name: 'Cher' },
    ])
    const before = await team.balance()
    const answer = await ok(team.post(path, { campaignId, leadIds: source.leadIds }))
    expect(answer).toEqual({
      sent: 2,
      added: 2,
      updated: 0,
      failed: 0,
      skippedNoLinkedin: 0,
      alreadyInCampaign: 0,
      uncertain: 0,
      skippedExcluded: 0,
      notFound: 0,
      recorded: 2,
      campaign: { id: campaignId, name: 'Hello' },
    })
    expect(await team.balance()).toBe(before)
    const [ada, cher] = [source.handles[0]!, source.handles[1]!].map(
      (handle) => membersOf(world, key, campaignId).find((lead) => lead.profileUrl.endsWith(`/in/${handle}`))!,
    )
    expect(ada).toMatchObject({
      firstName: 'Ada',
      lastName: 'Maria Lovelace',
      position: 'Head of Growth',
      location: 'Germany',
      customFields: { engaged_post_url: source.postUrl, comment_text: 'Great point', source_name: source.username },
    })
    // The platform drops people without a first or last name, so a placeholder is sent; no field is empty.
    expect(cher).toMatchObject({
      firstName: 'Cher',
      lastName: '-',
      customFields: { engaged_post_url: source.postUrl, source_name: source.username },
    })
    expect(Object.keys(cher!.customFields)).not.toContain('comment_text')
  })

  it('never sends a person twice to a campaign, by lead, by engagement or by address, and sends them to another [OUT-13]', async () => {
    const { team, key, campaignId } = await connect(world)
    const shared = world.handle('shared')
    const [one, two] = [
      await capture(world, team, [{ handle: shared }, {}]),
      await capture(world, team, [{ handle: shared }]),
    ]
    expect(await ok(team.post(path, { campaignId, leadIds: one.leadIds }))).toMatchObject({
      sent: 2,
      added: 2,
      alreadyInCampaign: 0,
    })
    for (const ids of [one.leadIds, [one.leadIds[0]!, one.leadIds[0]!]])
      expect(await ok(team.post(path, { campaignId, leadIds: ids }))).toMatchObject({
        sent: 0,
        added: 0,
        recorded: 0,
        alreadyInCampaign: new Set(ids).size,
      })
    expect(await ok(team.post(path, { campaignId, leadIds: two.leadIds }))).toMatchObject({
      sent: 0,
      alreadyInCampaign: 1,
    })
    expect(
      await ok(
        team.post(path, {
          campaignId,
          people: [
            { profileUrl: `https://www.linkedin.com/in/${shared.toUpperCase()}/?utm=1` },
            { profileUrl: `linkedin.com/in/${shared}` },
          ],
        }),
      ),
    ).toMatchObject({ sent: 0, alreadyInCampaign: 2 })
    expect([timesSent(world, key, campaignId), addsTo(world, campaignId)]).toEqual([2, 1])
    const other = seedCampaign(world, key)
    expect(await ok(team.post(path, { campaignId: other, leadIds: [...one.leadIds, ...two.leadIds] }))).toMatchObject({
      sent: 2,
      alreadyInCampaign: 1,
    })
    // People sent by profile URL are not sent again as leads.
    const handle = world.handle('found')
    const found = { profileUrl: `https://www.linkedin.com/in/${handle}`, name: 'Found First' }
    expect(await ok(team.post(path, { campaignId, people: [found] }))).toMatchObject({ added: 1, recorded: 1 })
    const { leadIds } = await capture(world, team, [{ handle }])
    expect(await ok(team.post(path, { campaignId, leadIds }))).toMatchObject({ sent: 0, alreadyInCampaign: 1 })
    expect(timesSent(world, key, campaignId)).toBe(3)
  })

  it('never sends raw leads, unenriched ones or those of another team: not found, and 404 when alone [OUT-12, OUT-15, OUT-26, RAW-06]', async () => {
    const { team, key, campaignId } = await connect(world)
    const good = await capture(world, team, fans(1))
    const raw = await capture(world, team, fans(2), { settings: { enrichLeads: false } })
    const rawIds = (await team.get(`/leads/raw?profileId=${raw.id}`)).body.leads.map((lead: { id: string }) => lead.id)
    world.network.fault({ kind: 'status_500', operation: 'profile' })
    world.network.fault({ kind: 'status_500', operation: 'profile/full' })
    const waiting = await capture(world, team, fans(1))
    world.network.clearFaults()
    const theirs = await capture(world, (await connect(world)).team, fans(1))
    expect([rawIds.length, waiting.leadIds.length]).toEqual([2, 1])
    const bad = [...rawIds, ...waiting.leadIds, ...theirs.leadIds, '01a1fd55-7a80-7003-a3e3-0123456789ab']
    expect(refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId, leadIds: bad })))).toEqual([
      404,
      undefined,
    ])
    expect(await ok(team.post(path, { campaignId, leadIds: [...bad, ...good.leadIds] }))).toMatchObject({
      sent: 1,
      notFound: bad.length,
    })
    expect(handlesIn(world, key, campaignId)).toEqual([...good.handles])
  })
})

describe('a send of people', () => {
  it('adds influencers with what was told of them, 1,000 in ten calls; who was there is updated [OUT-07, OUT-08, OUT-10, OUT-24]', async () => {
    const { team, key, campaignId } = await connect(world)
    const list = [
      {
        profileUrl: 'https://www.linkedin.com/in/jane-doe-3a9',
        name: '  Jane   van Doe ',
        jobTitle: 'CEO',
        company: 'Acme',
        country: 'France',
        email: 'jane@example.com',
      },
      { profileUrl: 'https://www.linkedin.com/in/grace-hopper-8a1b2c' },
      { profileUrl: 'https://www.linkedin.com/in/ACoAAB1234567890abcdefghijkbcdefghijklm', name: null },
      { profileUrl: 'https://www.linkedin.com/company/acme', name: 'A page' },
      { profileUrl: 'https://example.com/in/somebody' },
      ...named(995, world.handle('many')),
    ]
    const byHand = list.slice(-3).map(({ profileUrl }) => ({ lead: { profileUrl, firstName: 'By', lastName: 'Hand' } }))
    await fetch(`${world.service.sandbox!.addresses.heyreach}/campaign/AddLeadsToCampaignV2`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: JSON.stringify({ campaignId: Number(campaignId), accountLeadPairs: byHand }),
    })
    expect(await ok(team.post(path, { campaignId, people: list }))).toMatchObject({
      sent: 998,
      added: 995,
      updated: 3,
      failed: 0,
      skippedNoLinkedin: 2,
      skippedExcluded: 0,
      notFound: 0,
      recorded: 998,
    })
    // One manual call and ten for a hundred people each.
    expect([membersOf(world, key, campaignId).length, addsTo(world, campaignId)]).toEqual([998, 11])
    const [jane, grace, id] = membersOf(world, key, campaignId).slice(3)
    expect(jane).toMatchObject({
      profileUrl: 'https://www.linkedin.com/in/jane-doe-3a9',
      firstName: 'Jane',
      lastName: 'van Doe',
      position: 'CEO',
      companyName: 'Acme',
      location: 'France',
      emailAddress: 'jane@example.com',
      customFields: {},
    })
    expect([grace!.firstName, grace!.lastName, id!.firstName, id!.lastName]).toEqual(['Grace', 'Hopper', 'there', '-'])
  })
})

describe('what is refused', () => {
  it('first 400, then the connection, then the leads, then the campaign [OUT-15, OUT-16, ERR-20, G104]', async () => {
    const fresh = await world.team()
    const unknown = { leadIds: ['01a1fd55-7a80-7003-a3e3-0123456789ab'] }
    expect(
      refusal(await refusedWithoutTrace(world, () => fresh.post(path, { campaignId: '1001', people: named(1, 'x') }))),
    ).toEqual([409, 'not_connected'])
    expect(refusal(await fresh.post(path, { campaignId: 'none', ...unknown }))).toEqual([409, 'not_connected'])
    const bad = await world.team()
    await storeKey(world, bad, 'bad-key')
    expect(refusal(await bad.post(path, { campaignId: '1003', ...unknown }))).toEqual([409, 'invalid_key'])
    const { team } = await connect(world)
    expect(
      refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId: '1003', ...unknown }))),
    ).toEqual([404, undefined])
    expect(
      refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId: '1003', people: named(1, 'x') }))),
    ).toEqual([400, 'campaign_closed'])
  })

  it('a campaign that is a draft, over or senderless takes nobody; unknown is 404 [ERR-11, OUT-14, OUT-15, OUT-22]', async () => {
    const { team, key } = await connect(world)
    for (const [campaign, expected] of [
      [{ status: 'FINISHED' }, [400, 'campaign_closed']],
      [{ status: 'CANCELED' }, [400, 'campaign_closed']],
      [{ status: 'FAILED' }, [400, 'campaign_closed']],
      [{ status: 'DRAFT' }, [400, 'campaign_closed']],
      [{ accountIds: [] }, [400, 'no_senders']],
    ] as const) {
      const id = seedCampaign(world, key, campaign)
      expect(
        refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId: id, people: named(1, 'x') }))),
      ).toEqual(expected)
      expect([addsTo(world, id), world.network.outreach.campaign(key, Number(id))!.restarts]).toEqual([0, 0])
    }
    for (const id of ['99999999', 'nope', '-1', '1e3'])
      expect(
        refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId: id, people: named(1, 'x') }))),
      ).toEqual([404, undefined])
  })

  it('a paused, scheduled or starting campaign takes leads and stays as it is [OUT-14]', async () => {
    const { team, key } = await connect(world)
    for (const status of ['PAUSED', 'SCHEDULED', 'STARTING']) {
      const id = seedCampaign(world, key, { status })
      expect(await ok(team.post(path, { campaignId: id, people: named(1, 'y') }))).toMatchObject({ added: 1 })
      expect(world.network.outreach.campaign(key, Number(id))).toMatchObject({ status, restarts: 0 })
    }
  })

  it('an agent that the team has not is 404 agent_not_found [OUT-09]', async () => {
    const { team, campaignId } = await connect(world)
    const source = await capture(world, team, fans(1))
    const agentId = '01a1fd55-7a80-7003-a3e3-0123456789ab'
    for (const who of [{ leadIds: source.leadIds }, { people: named(1, 'z') }])
      expect(refusal(await refusedWithoutTrace(world, () => team.post(path, { campaignId, agentId, ...who })))).toEqual(
        [404, 'agent_not_found'],
      )
  })
})
