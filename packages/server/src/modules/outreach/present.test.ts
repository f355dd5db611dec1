import { describe, expect, it } from 'vitest'
import { presentCampaign, presentOwned } from './present.ts'
import type { ListedRule } from './rule-store.ts'

describe('a rule', () => {
  const rule: ListedRule = {
    ownerId: 'o1',
    ownerKind: 'source',
    campaignId: '7',
    campaignName: 'Pumps',
    autoSend: true,
    autoSendSince: new Date(0),
    filters: [{ column: 'jobTitle', operator: 'contains', value: 'cto' }],
    state: 'paused',
    pausedReason: 'invalid_key',
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    sourceType: 'person',
    username: 'ben',
  }
  const shown = {
    campaignId: '7',
    campaignName: 'Pumps',
    autoSend: true,
    filters: [{ column: 'jobTitle', operator: 'contains', value: 'cto' }],
    state: 'paused',
    pausedReason: 'invalid_key',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  it('of a source names the source', () => {
    expect(presentOwned(rule)).toEqual({
      ownerKind: 'source',
      sourceId: 'o1',
      type: 'person',
      username: 'ben',
      agentId: null,
      ...shown,
    })
  })
  it('of an agent names the agent', () => {
    expect(presentOwned({ ...rule, ownerKind: 'agent', sourceType: null, username: null })).toEqual({
      ownerKind: 'agent',
      sourceId: null,
      type: null,
      username: null,
      agentId: 'o1',
      ...shown,
    })
  })
})

describe('a campaign [OUT-04, OUT-05]', () => {
  const campaign = { id: '7', name: 'Pumps', status: 'IN_PROGRESS', accountIds: [1, 2] }
  it.each([
    ['IN_PROGRESS', [1, 2], true],
    ['PAUSED', [1], true],
    ['PAUSED', [], false],
    ['DRAFT', [1], false],
    ['UNKNOWN', [1], false],
  ])('%s with senders %j takes leads: %s', (status, accountIds, canTakeLeads) => {
    expect(presentCampaign({ ...campaign, status, accountIds } as never)).toEqual({
      id: '7',
      name: 'Pumps',
      status,
      accountIds,
      canTakeLeads,
    })
  })
  it.each(['FINISHED', 'CANCELED', 'FAILED'])('that is %s is not shown', (status) => {
    expect(presentCampaign({ ...campaign, status } as never)).toBeUndefined()
  })
})
