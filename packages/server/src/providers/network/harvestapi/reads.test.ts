/** HarvestAPI's single reads: the request for each question, and how unusual answers are read. */
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
})
