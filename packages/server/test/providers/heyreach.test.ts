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
