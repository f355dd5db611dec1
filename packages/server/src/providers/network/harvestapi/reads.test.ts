/** HarvestAPI's single reads: what is asked for which question, and what is read of an answer where it says less, more or otherwise. */
import { describe, expect, it } from 'vitest'
import { failuresOf, opening, type Served } from '../../../../test/providers/answers.ts'
import { ProviderFailure } from '../../ports.ts'
import type { AdapterOptions } from '../vendor-client.ts'
import { createHarvestApi } from './index.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'
function stage(served: readonly (Served | Error)[], budget: Partial<AdapterOptions['budget']> = {}) {
  const stand = opening(served)
  return { ...stand, vendor: createHarvestApi({ ...stand.options, budget: { ...stand.options.budget, ...budget } }) }
}
const element = (body: object): Served => ({ body: { element: body } })
const failureOf = failuresOf(ProviderFailure)

describe('a question', () => {
  it('is asked as the vendor takes it', async () => {
    const { vendor, calls, asked } = stage([element({})])
    for (const ask of [
      vendor.resolveHandle('ada'),
      vendor.profile({ handle: 'ada' }),
      vendor.profile({ urn: ada }),
      vendor.company({ slug: 'acme' }),
      vendor.company({ urn: 'urn:li:company:42' }),
      vendor.post('urn:li:activity:7'),
    ])
      await failureOf(ask)
    expect(calls()).toEqual([
      '/linkedin/profile-id?publicIdentifier=ada',
      '/linkedin/profile?publicIdentifier=ada&main=true',
      `/linkedin/profile?profileId=${ada}&main=true`,
      '/linkedin/company?universalName=acme',
      '/linkedin/company?companyId=42',
      '/linkedin/post?url=https%3A%2F%2Fwww.linkedin.com%2Ffeed%2Fupdate%2Furn%3Ali%3Aactivity%3A7',
    ])
    expect(asked[0]!.headers).toMatchObject({ 'x-api-key': 'k3y' })
  })
  it.each([
    ['resolveHandle', 'harvestapi resolveHandle: the answer has no member id'],
    ['profile', 'harvestapi profile: the profile has no member id'],
    ['company', 'harvestapi company: the company has no id or name'],
    ['post', 'harvestapi post: the post has no activity number'],
  ] as const)('%s that is answered without the key of the thing fails', async (operation, message) => {
    const { vendor } = stage([element({ id: 'x' })])
    const given = { resolveHandle: 'ada', profile: { urn: ada }, company: { slug: 'no slug' }, post: 'urn' }[operation]
    const failure = await failureOf((vendor[operation] as (what: unknown) => Promise<unknown>)(given))
    expect([failure.kind, failure.operation, failure.message]).toEqual(['malformed', operation, message])
  })
  it('of a handle is answered with the spelling it is kept in', async () => {
    const of = async (publicIdentifier: unknown, handle: string) =>
      (await stage([element({ id: ada, publicIdentifier })]).vendor.resolveHandle(handle)).handle
    expect([await of('Ada-Q', 'x'), await of(null, 'Ada'), await of(null, 'a b')]).toEqual(['ada-q', 'ada', 'a b'])
  })
})

describe('the calls in flight', () => {
  const account = 'harvestapi:4ebed04a9fcd9ea8ac07b0c2'
  const says = (requestsConcurrency: unknown): Served => ({
    body: { element: { id: ada }, user: { requestsConcurrency } },
  })
  it('are one until an answer says how many, then as many, and what is learnt is kept once', async () => {
    const { vendor, limits, learnt } = stage([says(0), says('x'), says(4), says(4), says(100), says(101), says(3)])
    for (let call = 0; call < 8; call++) await vendor.resolveHandle('ada')
    expect(limits).toEqual([1, 1, 1, 4, 4, 100, 100, 3].map((inFlight) => [inFlight, null]))
    expect(learnt.map(([, inFlight]) => inFlight)).toEqual([4, 100, 3])
    expect(new Set(learnt.map(([of]) => of)).size).toBe(1)
    expect(learnt[0]![0]).toMatch(/^harvestapi:[0-9a-f]{24}$/)
    expect(learnt[0]![0]).toHaveLength(account.length)
  })
  it('begin with what is kept of the account, which is asked for once', async () => {
    const asked: string[] = []
    const { vendor, limits } = stage([element({ id: ada })], {
      learnt: async (of) => (asked.push(of), 7),
    })
    await vendor.resolveHandle('ada')
    await vendor.resolveHandle('ada')
    expect([limits, asked.length]).toEqual([
      [
        [7, null],
        [7, null],
      ],
      1,
    ])
  })
  it('that cannot be kept do not fail the call', async () => {
    const { vendor } = stage([says(4)], { learn: () => Promise.reject(new Error('away')) })
    expect((await vendor.resolveHandle('ada')).urn).toBe(ada)
  })
})

describe('the account', () => {
  const report = (user: object | null, more: object = {}) =>
    stage([{ body: { user, ...more } }]).vendor.account.report()
  it.each([
    [{}, {}, { plan: null, balance: null, maxInFlight: null }],
    [
      { planName: 'Pro', membershipTier: 'gold', requestsConcurrency: 9, totalBalance: 12.5 },
      { usage: { balance: 3 } },
      { plan: 'Pro', balance: 12.5, maxInFlight: 9 },
    ],
    [{ membershipTier: 'gold' }, { usage: { balance: 3 } }, { plan: 'gold', balance: 3, maxInFlight: null }],
    [{ totalBalance: 0, activePackages: [{ amountRemaining: 5 }] }, {}, { plan: null, balance: 0, maxInFlight: null }],
    [
      { activePackages: [{ amountRemaining: 5 }, { amountRemaining: null }, { amountRemaining: 2.5 }] },
      {},
      { plan: null, balance: 7.5, maxInFlight: null },
    ],
    [{ activePackages: [{}] }, {}, { plan: null, balance: null, maxInFlight: null }],
  ])('%j beside %j is told as %j', async (user, more, told) =>
    expect(await report(user, more)).toEqual({ credits: null, perMinute: null, ...told }),
  )
  it('is asked for where it is, and an answer without it is refused', async () => {
    const { vendor, calls } = stage([{ body: { user: {} } }])
    await vendor.account.report()
    expect([vendor.account.vendor, calls()]).toEqual(['harvestapi', ['/users/my-api-user']])
    for (const user of [null, [], 'x']) {
      const failure = await failureOf(stage([{ body: { user } }]).vendor.account.report())
      expect([failure.kind, failure.operation]).toEqual(['malformed', 'account'])
    }
  })
  it('is looked at by a page that is always there; that it is not found is an answer, too', async () => {
    const { vendor, calls } = stage([element({})])
    await vendor.account.canary()
    expect(calls()).toEqual(['/linkedin/company?universalName=linkedin'])
    await stage([{ status: 404, body: {} }]).vendor.account.canary()
    for (const status of [401, 500])
      expect((await failureOf(stage([{ status, body: {} }]).vendor.account.canary())).operation).toBe('canary')
  })
})
