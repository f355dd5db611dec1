import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPooledEgress } from '../../src/platform/egress/index.ts'
import { createMemoryBudget } from './memory-budget.ts'
import type { BudgetRequest, VendorBudget } from '../../src/providers/budget.ts'
import {
  createHeyReach,
  type HeyReachOptions,
  type OutreachFailure,
  type OutreachLead,
  type OutreachPlatform,
} from '../../src/providers/outreach/index.ts'
import { instantClock } from './quick.ts'

const clock = instantClock()
const egress = openPooledEgress()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'heyreach', now: () => new Date('2026-11-20T12:00:00.000Z') })
})
afterEach(() => sandbox.world.reset())
afterAll(async () => {
  await egress.close()
  await sandbox.close()
})

const asked: [string, BudgetRequest][] = []
const counting = (budget: VendorBudget): VendorBudget => ({
  ...budget,
  acquire: (vendor, request) => (asked.push([vendor, request]), budget.acquire(vendor, request)),
})
const open = (baseUrl: string, change: Partial<HeyReachOptions> = {}): OutreachPlatform =>
  createHeyReach({
    baseUrl,
    egress,
    budget: counting(createMemoryBudget({ system: clock })),
    system: clock,
    random: { next: () => 0.5 },
    ...change,
  })
const platform = () => open(sandbox.addresses.heyreach)
const key = 'k'.repeat(40)
const person = (handle: string, more: Partial<OutreachLead> = {}): OutreachLead => ({
  profileUrl: `https://www.linkedin.com/in/${handle}`,
  name: 'Jane Doe',
  headline: null,
  jobTitle: null,
  company: null,
  country: null,
  email: null,
  customFields: {},
  ...more,
})
const failure = async (asking: Promise<unknown>): Promise<Partial<OutreachFailure>> => {
  const error = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect((error as Error | undefined)?.name).toBe('OutreachFailure')
  const { kind, done, retryAfterMs } = error as OutreachFailure
  return { kind, done, retryAfterMs }
}

describe('against the platform', () => {
  test('a key is checked, campaigns are listed to the last page without those over, one is found in any state', async () => {
    await platform().checkKey(key)
    expect(await failure(platform().checkKey('bad-key'))).toMatchObject({ kind: 'invalid_key' })
    for (let made = 0; made < 130; made++) sandbox.world.outreach.seedCampaign({ key })
    const list = await platform().listCampaigns(key)
    expect([
      list.length,
      new Set(list.map(({ id }) => id)).size,
      list.some(({ status }) => status === 'FINISHED'),
    ]).toEqual([135, 135, false])
    expect(await platform().findCampaign(key, '1005')).toMatchObject({
      id: '1005',
      status: 'FINISHED',
      accountIds: [501],
    })
    for (const id of ['424242', 'nope', '', '1e3', '-1', '99999999999999999999'])
      expect(await platform().findCampaign(key, id)).toBeUndefined()
  })

  test('leads arrive whole: names in two parts, fields inside the lead, both resume flags false', async () => {
    const { id } = sandbox.world.outreach.seedCampaign({ key, status: 'PAUSED' })
    const leads = [
      person('one', {
        name: 'Ada Maria Lovelace',
        headline: 'Counts',
        jobTitle: 'CTO',
        company: 'Acme',
        country: 'France',
        email: 'a@example.com',
        customFields: { signal: 'strong', icp_percent: '85' },
      }),
      person('grace-hopper-9f2', { name: null }),
    ]
    expect(await platform().addLeads(key, String(id), leads)).toEqual({ added: 2, updated: 0, failed: 0 })
    expect(await platform().addLeads(key, String(id), [person('one'), person('ghost-1'), person('mute-1')])).toEqual({
      added: 0,
      updated: 1,
      failed: 2,
    })
    const campaign = sandbox.world.outreach.campaign(key, id)!
    expect(campaign.status).toBe('PAUSED')
    expect(campaign.leads[0]).toMatchObject({
      firstName: 'Jane',
      lastName: 'Doe',
      customFields: { signal: 'strong', icp_percent: '85' },
      times: 2,
    })
    expect(campaign.leads[1]).toMatchObject({
      firstName: 'Grace',
      lastName: 'Hopper',
      companyName: null,
      customFields: {},
    })
  })

  test('members are found over all pages, by any spelling of their address', async () => {
    const { id } = sandbox.world.outreach.seedCampaign({ key })
    for (const from of [0, 100, 200])
      await platform().addLeads(
        key,
        String(id),
        Array.from({ length: 100 }, (_, index) => person(`member-${from + index}`)),
      )
    const members = ['https://www.linkedin.com/in/MEMBER-7/', 'https://linkedin.com/in/member-299?x=1']
    const strangers = Array.from({ length: 48 }, (_, index) => `https://www.linkedin.com/in/nobody-${index}`)
    const called = (operation: string) => sandbox.world.calls({ vendor: 'heyreach', operation }).length
    const find = async (wanted: string[]) => [...(await platform().findMembers(key, String(id), wanted))].sort()
    expect(await find([...members, ...strangers])).toEqual(members.toSorted())
    expect(called('GetLeadsFromCampaign')).toBe(3)
  })

  test.each([
    ['DRAFT', 'campaign_closed'],
    ['CANCELED', 'campaign_closed'],
  ] as const)('a %s campaign refuses as %s, certainly without doing anything', async (status, kind) => {
    const { id } = sandbox.world.outreach.seedCampaign({ key, status })
    expect(await failure(platform().addLeads(key, String(id), [person('one')]))).toMatchObject({ kind, done: 'no' })
  })

  test('calls that change are made once when their answer is lost, calls that read are made again', async () => {
    const { id } = sandbox.world.outreach.seedCampaign({ key })
    for (const fault of [
      { kind: 'lost_reply' },
      { kind: 'lost_reply', status: 500 },
      { kind: 'truncated_json' },
      { kind: 'html_200' },
      { kind: 'huge_body', bytes: 6_000_000 },
    ] as const) {
      sandbox.world.clearCalls()
      sandbox.world.fault({ operation: 'AddLeadsToCampaignV2', times: 1, ...fault })
      expect(await failure(platform().addLeads(key, String(id), [person('one')]))).toMatchObject({ done: 'maybe' })
      expect(sandbox.world.calls({ operation: 'AddLeadsToCampaignV2' })).toHaveLength(1)
      sandbox.world.clearFaults()
    }
    sandbox.world.clearCalls()
    sandbox.world.fault({ operation: 'GetById', kind: 'reset', times: 2 })
    expect(await platform().findCampaign(key, String(id))).toMatchObject({ id: String(id) })
    expect(sandbox.world.calls({ operation: 'GetById' })).toHaveLength(3)
  })

  test('too many calls are tried again, also when they change: nothing was done; a long wait is said', async () => {
    const { id } = sandbox.world.outreach.seedCampaign({ key })
    sandbox.world.fault({ operation: 'AddLeadsToCampaignV2', kind: 'status_429', times: 2 })
    expect(await platform().addLeads(key, String(id), [person('one')])).toMatchObject({ added: 1 })
    sandbox.world.fault({ operation: 'AddLeadsToCampaignV2', kind: 'status_429', retryAfterS: 90 })
    expect(await failure(platform().addLeads(key, String(id), [person('two')]))).toEqual({
      kind: 'rate_limited',
      done: 'no',
      retryAfterMs: 90_000,
    })
  })

  test('the budget is 300 calls a minute for each key, and what is written down is not the key', async () => {
    const own = open(sandbox.addresses.heyreach)
    asked.length = 0
    await own.checkKey('first-key')
    await own.checkKey('second-key')
    expect(asked.map(([, request]) => request.perMinute)).toEqual([300, 300])
    const [one, two] = asked.map(([vendor]) => vendor)
    expect([one === two, `${one}${two}`.includes('first-key'), /^heyreach:[0-9a-f]{24}$/.test(one!)]).toEqual([
      false,
      false,
      true,
    ])
    for (let made = 1; made < 300; made++) await own.checkKey('first-key')
    expect(await failure(own.checkKey('first-key', { timeoutMs: 5_000 }))).toMatchObject({
      kind: 'rate_limited',
      done: 'no',
    })
    await own.checkKey('third-key')
  })
})
