/** LinkdAPI's single reads: the request for each question, its cost, and how unusual answers are read. */
import { describe, expect, it } from 'vitest'
import { failuresOf, opening, type Served } from '../../../../test/providers/answers.ts'
import { ProviderFailure } from '../../ports.ts'
import { createLinkdApi } from './index.ts'

const ada = 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'
const stage = (served: readonly (Served | Error)[], tier?: Served) => {
  const stand = opening(served, tier)
  const costs: unknown[] = []
  return { ...stand, costs, vendor: createLinkdApi({ ...stand.options, log: ({ cost }) => void costs.push(cost) }) }
}
const ok = (data: unknown): Served => ({ body: { success: true, data } })
const failureOf = failuresOf(ProviderFailure)

describe('a question', () => {
  it('is asked as the vendor takes it, and costs what its table says', async () => {
    const { vendor, calls, asked, costs } = stage([ok({})])
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
      '/api/v1/profile/username-to-urn?username=ada',
      '/api/v1/profile/full?username=ada',
      `/api/v1/profile/full?urn=${ada}`,
      '/api/v1/companies/company/info?name=acme',
      '/api/v1/companies/company/info-v2?id=42',
      '/api/v1/posts/info?urn=7',
    ])
    expect(costs).toEqual([0.01, 0.01, 0.01, 0.02, 0.01, 0.01])
    expect(asked[0]!.headers).toMatchObject({ 'x-linkdapi-apikey': 'k3y' })
  })
  it.each([
    ['resolveHandle', 'linkdapi resolveHandle: the answer has no member id'],
    ['profile', 'linkdapi profile: the profile has no member id'],
    ['company', 'linkdapi company: the company has no id or name'],
    ['post', 'linkdapi post: the answer has no post'],
  ] as const)('%s that is answered without the key of the thing fails', async (operation, message) => {
    for (const data of [{ id: 'x', urn: 'x' }, { id: 'x', post: 7 }, { post: { urn: 'x' } }]) {
      const { vendor } = stage([ok(data)])
      const given = { resolveHandle: 'ada', profile: { urn: ada }, company: { slug: 'x' }, post: 'urn:li:activity:7' }[
        operation
      ]
      const failure = await failureOf((vendor[operation] as (what: unknown) => Promise<unknown>)(given))
      expect([failure.kind, failure.operation, failure.message]).toEqual(['malformed', operation, message])
    }
  })
  it('of a post that has another URN is not asked', async () => {
    const { vendor, calls } = stage([ok({})])
    for (const [operation, work] of [
      ['post', vendor.post('urn:li:share:7')],
      ['reactions', vendor.reactions({ urn: 'urn:li:share:7', url: '' }, null)],
      ['comments', vendor.comments({ urn: 'urn:li:share:7', url: '' }, null)],
    ] as const) {
      const failure = await failureOf(work)
      expect([failure.provider, failure.operation, failure.kind, failure.message]).toEqual([
        'linkdapi',
        operation,
        'unavailable',
        `linkdapi ${operation}: posts are known by activity number only`,
      ])
    }
    expect(calls()).toEqual([])
  })
})

describe('the account', () => {
  it.each([
    [{}, { plan: null, balance: null, credits: null, perMinute: null }],
    [{ balance: 250 }, { plan: null, balance: 2.5, credits: 250, perMinute: null }],
    [
      { balance: 250, credits_per_dollar: 0 },
      { plan: null, balance: 2.5, credits: 250, perMinute: null },
    ],
    [
      { balance: 250, credits_per_dollar: 50, current_tier: { name: 'Gold', limit_per_minute: 60 } },
      { plan: 'Gold', balance: 5, credits: 250, perMinute: 60 },
    ],
  ])('%j is told as %j', async (data, told) => {
    const { vendor, calls, costs } = stage([ok(data)])
    expect(await vendor.account.report()).toEqual({ maxInFlight: null, ...told })
    expect([vendor.account.vendor, calls(), costs]).toEqual(['linkdapi', ['/api/i/v1/credits/tier/k/'], [0]])
  })
})

describe('the limits', () => {
  const tierOf = (limit: unknown): Served => ({ body: { data: { current_tier: { limit_per_minute: limit } } } })
  const ask = async ({ vendor }: ReturnType<typeof stage>) => {
    await vendor.resolveHandle('ada').catch(() => {})
    await new Promise((done) => setImmediate(done))
  }
  const answer = ok({ urn: ada })

  it('are five calls in flight, and as many a minute as the account says, asked for beside the first call', async () => {
    const stand = stage([answer], tierOf(7))
    await ask(stand)
    await ask(stand)
    expect(stand.limits).toEqual([
      [5, 30],
      [5, 7],
    ])
    expect(stand.ofTier).toEqual([
      {
        method: 'GET',
        url: 'https://v.example/api/i/v1/credits/tier/k/',
        headers: {
          'x-linkdapi-apikey': 'k3y',
          accept: 'application/json',
          'user-agent': 'lead-engagement-service/1.0',
        },
        timeoutMs: 5_000,
        maxBytes: 64_000,
      },
    ])
  })
  it.each([
    [tierOf(0), null],
    [{ body: {} }, null],
    [{ body: { data: {} } }, null],
    [{ body: 'no JSON' }, 30],
    [{ body: 'null' }, 30],
    [{ status: 500, body: {} }, 30],
  ])('of an account that says %j are %s a minute', async (tier, perMinute) => {
    const stand = stage([answer], tier)
    await ask(stand)
    await ask(stand)
    expect([stand.limits[1]![1], stand.ofTier.length]).toEqual([perMinute, 1])
  })
  it('are believed for ten minutes, and for one where they could not be read', async () => {
    for (const [tier, believedMs] of [
      [tierOf(7), 600_000],
      [{ status: 500, body: {} }, 60_000],
    ] as const) {
      const stand = stage([answer], tier)
      await ask(stand)
      stand.system.move(believedMs - 1)
      await ask(stand)
      expect(stand.ofTier.length).toBe(1)
      stand.system.move(1)
      await ask(stand)
      expect(stand.ofTier.length).toBe(2)
    }
  })
  it('are asked for again after a refusal, unless they were read within a minute', async () => {
    for (const [sinceMs, times] of [
      [60_000, 1],
      [60_001, 2],
    ] as const) {
      const stand = stage([answer, { status: 429, body: {}, headers: { 'retry-after': '60' } }], tierOf(7))
      await ask(stand)
      stand.system.move(sinceMs)
      await ask(stand)
      expect([sinceMs, stand.ofTier.length]).toEqual([sinceMs, times])
    }
  })
})
