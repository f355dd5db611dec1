/** The auto-push of an agent, through the functions that the agent module calls: its rule, its filters, ICP % and signal. */
import { openBlockList } from '../../src/modules/network/index.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  checkCampaign,
  offerToOutreach,
  outreachWork,
  pushHistoric,
  readRule,
  removeRule,
  saveRules,
  type AgentScores,
  type OutreachDeps,
  type RuleSettings,
} from '../../src/modules/outreach/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openPooledEgress } from '../../src/platform/egress/index.ts'
import { openFaults } from '../../src/platform/faults.ts'
import { openLog } from '../../src/platform/log.ts'
import { createMemoryBudget } from '../providers/memory-budget.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import { createHeyReach } from '../../src/providers/outreach/index.ts'
import { useWorld, type Team } from '../world/world.ts'
import {
  capture,
  connect,
  fans,
  handlesIn,
  membersOf,
  ok,
  refusal,
  seedCampaign,
  storeKey,
  type Captured,
  noAgents,
} from './outreach-stage.ts'

// Without workers: only the step of this file sends.
const world = useWorld({ config: { roles: ['http'] } })
const egress = openPooledEgress()
afterAll(() => egress.close())

const depsWith = (scores: AgentScores): OutreachDeps => ({
  db: world.database.root,
  unitOfWork: world.service.unitOfWork,
  platform: createHeyReach({
    baseUrl: world.service.sandbox!.addresses.heyreach,
    egress,
    budget: createMemoryBudget({ system: systemClock }),
    system: systemClock,
    random: { next: () => 0.5 },
  }),
  vault: world.service.vault,
  blockList: openBlockList(world.service.vault),
  scores,
  system: systemClock,
  faultPoint: openFaults(undefined).faultPoint,
  log: openLog('silent'),
  owner: randomUUID(),
})

/** An agent of a team that has made these sources, and has been given the others. */
async function agentOf(team: Team, made: readonly Captured[], given: readonly Captured[] = []): Promise<string> {
  const id = randomUUID()
  await world.database.pool.query(
    `insert into agent (team_id, id, status, profile, created_at) values ($1, $2, 'active', '{}', $3)`,
    [team.id, id, await world.now()],
  )
  for (const [source, own] of [
    ...made.map((one) => [one, true] as const),
    ...given.map((one) => [one, false] as const),
  ]) {
    await world.database.pool.query(
      'insert into agent_source (team_id, agent_id, source_id, made, launch, added_at) values ($1, $2, $3, $4, 1, $5)',
      [team.id, id, source.id, own, await world.now()],
    )
  }
  return id
}

/** An agent that sees 80 % and a strong signal in the leads it likes. */
const liking = (agentId: string, liked: (leadId: string) => boolean, all: readonly string[]): AgentScores => ({
  score: async (_db, judge, leadIds) =>
    judge.agentId === agentId
      ? new Map(leadIds.map((lead) => [lead, { icpPercent: 80, signal: 'strong' }]))
      : undefined,
  passing: async (_db, judge, { leadIds }) => (judge.agentId === agentId ? (leadIds ?? all).filter(liked) : []),
})

async function workAll(deps: OutreachDeps): Promise<void> {
  const step = outreachWork.step(deps)
  while ((await step()) === 'worked');
}

const requested = (campaignId: string, more: Partial<RuleSettings> = {}): RuleSettings => ({
  campaignId,
  campaignName: 'Agent campaign',
  autoSend: true,
  filters: [{ column: 'icp', operator: 'at_least', value: 70 }],
  ...more,
})

const saveFor = async (tx: Tx, teamId: string, agentId: string, rule: RuleSettings) =>
  (await saveRules(tx, { teamId, owners: { kind: 'agent', ids: [agentId] }, rule }))[0]!

describe('the rule of an agent', () => {
  it('sends past leads of its sources that the agent lets pass, and counts them [AGT-17, AGT-18, OUT-11, OUT-25]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [own, given, other] = [
      await capture(world, team, fans(3)),
      await capture(world, team, fans(1)),
      await capture(world, team, fans(1)),
    ]
    const agentId = await agentOf(team, [own], [given])
    const deps = depsWith(
      liking(agentId, (lead) => lead !== own.leadIds[0], [...own.leadIds, ...given.leadIds, ...other.leadIds]),
    )
    const campaign = await checkCampaign(deps, team.id, campaignId)
    const { rule, historic } = await world.service.unitOfWork(async (tx) => {
      const rule = await saveFor(tx, team.id, agentId, requested(campaign.id))
      return { rule, historic: await pushHistoric(tx, { teamId: team.id, rule, scores: deps.scores }) }
    })
    expect([rule.ownerKind, historic]).toEqual(['agent', { matched: 2, queued: 2 }])
    expect(await readRule(world.database.root, team.id, agentId)).toMatchObject({
      campaignId,
      state: 'active',
      filters: [{ column: 'icp', operator: 'at_least', value: 70 }],
    })
    // A key that is stored while a rule is being found without one does not leave the rule paused.
    await storeKey(world, team, null)
    let units = 0
    await outreachWork.step({
      ...deps,
      unitOfWork: async (work) => {
        if ((units += 1) === 2) await storeKey(world, team, key)
        return world.service.unitOfWork(work)
      },
    })()
    expect([units, (await readRule(world.database.root, team.id, agentId))!.state]).toEqual([2, 'active'])
    await workAll(deps)
    expect(membersOf(world, key, campaignId)).toHaveLength(2)
    for (const lead of membersOf(world, key, campaignId))
      expect(lead.customFields).toMatchObject({ icp_percent: '80', signal: 'strong', source_name: own.username })
    const listed = (await ok(team.get('/integrations/outreach'))).autoPush
    expect(listed).toMatchObject([
      { ownerKind: 'agent', agentId, sourceId: null, type: null, username: null, campaignId, state: 'active' },
    ])
    // A source and an agent stand in one list.
    await ok(team.put(`/sources/${other.id}/outreach`, { campaignId }))
    expect(
      (await ok(team.get('/integrations/outreach'))).autoPush.map((one: { ownerKind: string }) => one.ownerKind).sort(),
    ).toEqual(['agent', 'source'])
  })

  it('is offered new leads of those sources and no others, judged by the agent when they are sent [AGT-17, OUT-26]', async () => {
    const { team, key, campaignId } = await connect(world)
    const [own, given] = [await capture(world, team, fans(2)), await capture(world, team, fans(1))]
    const agentId = await agentOf(team, [own], [given])
    const deps = depsWith(liking(agentId, (lead) => lead === own.leadIds[0], []))
    await world.service.unitOfWork((tx) => saveFor(tx, team.id, agentId, requested(campaignId)))
    // Captured before the rule: history.
    await world.service.unitOfWork((tx) => offerToOutreach(tx, team.id, [...own.leadIds, ...given.leadIds]))
    await world.database.pool.query('update outreach_rule set auto_send_since = $1 where owner_id = $2', [
      new Date(0),
      agentId,
    ])
    const queue = async () =>
      (await world.database.pool.query('select lead_id from outreach_queue where owner_id = $1', [agentId])).rows
        .map((row) => row.lead_id)
        .sort()
    // The capture's own lead times are those of the rule: nothing is earlier while the clock stands still.
    await world.service.unitOfWork((tx) => offerToOutreach(tx, team.id, [...own.leadIds, ...given.leadIds]))
    expect(await queue()).toEqual(own.leadIds.toSorted())
    await workAll(deps)
    expect([handlesIn(world, key, campaignId).length, await queue()]).toEqual([1, []])
  })

  it('removed drops what is queued; one that an agent does not know sends nobody [AGT-17, OUT-19]', async () => {
    const { team, key, campaignId } = await connect(world)
    const own = await capture(world, team, fans(2))
    const agentId = await agentOf(team, [own])
    const deps = depsWith(liking(agentId, () => true, own.leadIds))
    const saveAndPush = () =>
      world.service.unitOfWork(async (tx) =>
        pushHistoric(tx, {
          teamId: team.id,
          rule: await saveFor(tx, team.id, agentId, requested(campaignId)),
          scores: deps.scores,
        }),
      )
    await saveAndPush()
    await world.service.unitOfWork((tx) => removeRule(tx, team.id, agentId))
    await workAll(deps)
    expect([await readRule(world.database.root, team.id, agentId), handlesIn(world, key, campaignId)]).toEqual([
      undefined,
      [],
    ])
    await saveAndPush()
    await workAll(depsWith(noAgents))
    expect(handlesIn(world, key, campaignId)).toEqual([])
  })

  it('has its campaign checked before anything is written [AGT-17, ERR-11, ERR-20]', async () => {
    const { team, key } = await connect(world)
    const deps = depsWith(noAgents)
    const why = async (asked: Promise<unknown>) =>
      asked.then(
        () => 'ok',
        (error: { key?: string }) => error.key,
      )
    expect(await why(checkCampaign(deps, team.id, seedCampaign(world, key, { status: 'FINISHED' })))).toBe(
      'campaign_closed',
    )
    expect(await why(checkCampaign(deps, team.id, seedCampaign(world, key, { accountIds: [] })))).toBe('no_senders')
    expect(await why(checkCampaign(deps, team.id, '424242'))).toBe('campaign_not_found')
    expect(await why(checkCampaign(deps, (await world.team()).id, '1001'))).toBe('not_connected')
    expect(await why(checkCampaign(deps, team.id, '1001'))).toBe('ok')
    expect(
      refusal(
        await team.post('/integrations/outreach/send', {
          campaignId: '1001',
          agentId: randomUUID(),
          people: [{ profileUrl: 'https://www.linkedin.com/in/x', name: 'X Y' }],
        }),
      ),
    ).toEqual([404, 'agent_not_found'])
  })
})
