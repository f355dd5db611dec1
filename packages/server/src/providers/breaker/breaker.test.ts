/** Vendors behind their account's circuit breaker: what counts as trouble, and the error of a refused call (OUT-23). */
import { describe, expect, it } from 'vitest'
import { aiAccount, AiFailure, judgeWithBreaker, type AiJudge } from '../ai/index.ts'
import { BudgetExhausted } from '../budget.ts'
import type { OutsideFailure } from '../failure.ts'
import { vendorWithBreaker } from '../network/index.ts'
import { heldPlatform, outreachAccount, OutreachFailure, type OutreachPlatform } from '../outreach/index.ts'
import { type CallOptions, type Held, type NetworkProvider, ProviderFailure } from '../ports.ts'
import type { Entry, VendorBreaker } from './breaker.ts'

const until = new Date('2026-11-20T12:01:05.000Z')
const go: Entry = { kind: 'go', failures: 0 }
type Call = (...given: unknown[]) => Promise<unknown>
type Calls = Readonly<Record<string, Call>>
type Wrapper = (asked: Calls, breaker: VendorBreaker) => unknown

const vendors = {
  network: (asked, breaker) => vendorWithBreaker('harvestapi', asked as unknown as NetworkProvider, breaker),
  outreach: (asked, breaker) => heldPlatform(asked as unknown as OutreachPlatform, breaker),
  ai: (asked, breaker) => judgeWithBreaker(asked as unknown as AiJudge, breaker),
} satisfies Record<string, Wrapper>
type Vendor = keyof typeof vendors

/** A vendor behind a breaker that lets calls through or not; `after`: the account is held once a call has failed. */
function stage(
  vendor: Vendor,
  { fails, entry = go, after = null }: { fails?: unknown; entry?: Entry; after?: Held | null } = {},
) {
  const asked: unknown[][] = []
  const reported: unknown[][] = []
  const calls = new Proxy({} as Calls, {
    get:
      (_, name) =>
      async (...given: unknown[]) => {
        asked.push([name, ...given])
        if (fails !== undefined) throw fails
        return `answer of ${String(name)}`
      },
  })
  const breaker: VendorBreaker = {
    enter: async (...given) => (reported.push(['enter', ...given]), entry),
    leave: async (...given) => (reported.push(['leave', ...given]), after),
    takeProbe: async () => false,
    listHeld: async () => new Map(),
  }
  return { held: vendors[vendor](calls, breaker) as unknown as Calls, asked, reported }
}
const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const holding = (reason: Held['reason']): Entry => ({ kind: 'held', held: { reason, until }, afterMs: 65_000 })

const question = (options: CallOptions = {}, model: string | null = null) => ({
  vendor: 'mistral',
  model,
  key: 'abc',
  prompt: 'x',
  posts: [{ id: 'p', text: 't', author: null, headline: null }],
  ...options,
})
const account = { network: 'harvestapi', outreach: outreachAccount('abc'), ai: aiAccount('mistral', 'abc') }
const probesItself = { network: false, outreach: true, ai: true }
const of = (vendor: Vendor, ...given: unknown[]) => (vendor === 'outreach' ? ['abc', ...given] : given)
/** A call of each vendor that takes options as its last argument. */
const aCall = (vendor: Vendor, held: Calls, options?: CallOptions) =>
  vendor === 'network'
    ? held.post!('urn', options)
    : vendor === 'outreach'
      ? held.listCampaigns!('abc', options)
      : held.judge!(question(options))

it('an account is named by its vendor and key, which cannot be read from the name', () => {
  expect([account.outreach, account.ai]).toEqual([
    'heyreach:ba7816bf8f01cfea414140de',
    'mistral:ba7816bf8f01cfea414140de',
  ])
  expect(outreachAccount('abd')).not.toBe(account.outreach)
})

describe.each<[Vendor, string, unknown[]]>([
  ['network', 'resolveHandle', ['ada']],
  ['network', 'profile', [{ handle: 'ada' }]],
  ['network', 'company', [{ slug: 'acme' }]],
  ['network', 'posts', [{ kind: 'person' }, null]],
  ['network', 'post', ['urn']],
  ['network', 'reactions', [{ urn: 'urn' }, { page: 2 }]],
  ['network', 'comments', [{ urn: 'urn' }, null]],
  ['network', 'replies', [{ urn: 'urn' }, { commentId: '1' }]],
  ['network', 'searchPosts', [{ term: 'x' }, null]],
  ['outreach', 'listCampaigns', []],
  ['outreach', 'findCampaign', ['7']],
  ['outreach', 'addLeads', ['7', []]],
  ['outreach', 'findMembers', ['7', ['a']]],
  ['outreach', 'readProgress', ['7', 0]],
  ['ai', 'judge', []],
])('%s: %s', (vendor, operation, rest) => {
  const given = vendor === 'ai' ? [question()] : [...of(vendor, ...rest), { timeoutMs: 5 }]
  it('is passed on and answered, and the breaker hears that the account is well', async () => {
    const { held, asked, reported } = stage(vendor)
    expect(await held[operation]!(...given)).toBe(`answer of ${operation}`)
    expect(asked).toEqual([[operation, ...given]])
    expect(reported).toEqual([
      ['enter', account[vendor], probesItself[vendor]],
      ['leave', account[vendor], go, null],
    ])
  })
  it('is not made while the account is held', async () => {
    const { held, asked, reported } = stage(vendor, { entry: holding('away') })
    const error = await thrown(held[operation]!(...given))
    expect(error).toMatchObject({ kind: 'unavailable', retryAfterMs: 65_000, held: { reason: 'away', until } })
    expect([asked, reported.length]).toEqual([[], 1])
  })
})

it.each<[Vendor, Held['reason'], object]>([
  ['network', 'away', { provider: 'harvestapi', operation: 'post', kind: 'unavailable', why: null }],
  [
    'network',
    'key',
    { kind: 'account', why: 'key', message: 'harvestapi post: not asked, since its account is held (key)' },
  ],
  ['network', 'money', { kind: 'account', why: 'money' }],
  ['network', 'rate', { kind: 'rate_limited', why: null }],
  ['network', 'cap', { kind: 'unavailable', why: null }],
  ['outreach', 'rate', { kind: 'rate_limited', done: 'no' }],
  [
    'outreach',
    'key',
    { kind: 'unavailable', done: 'no', message: 'heyreach listCampaigns: not asked, since its account is held (key)' },
  ],
  [
    'ai',
    'rate',
    {
      kind: 'rate_limited',
      model: 'mistral-small-latest',
      message: 'mistral allows no more calls with this key for now.',
    },
  ],
  ['ai', 'money', { kind: 'unavailable', message: 'mistral did not answer.' }],
])('a call of %s that is not made since its account is held for %s fails as %j', async (vendor, reason, failure) => {
  const error = await thrown(aCall(vendor, stage(vendor, { entry: holding(reason) }).held))
  expect(error).toMatchObject({ ...failure, held: { reason, until } })
})

it('trying out a key goes past the breaker', async () => {
  const platform = stage('outreach')
  await platform.held.checkKey!('abc', { timeoutMs: 5 })
  expect([platform.asked, platform.reported]).toEqual([[['checkKey', 'abc', { timeoutMs: 5 }]], []])
  const judge = stage('ai')
  await judge.held.check!('openai', 'abc', { model: 'm' })
  expect([judge.asked, judge.reported]).toEqual([[['check', 'openai', 'abc', { model: 'm' }]], []])
})

const failureOf = (vendor: Vendor, kind: string, cause: unknown = undefined): OutsideFailure => {
  const about = { kind: kind as never, message: kind, retryAfterMs: 90_000, cause }
  if (vendor === 'network') return new ProviderFailure({ ...about, provider: 'harvestapi', operation: 'post' })
  return vendor === 'outreach'
    ? new OutreachFailure({ ...about, done: 'maybe' })
    : new AiFailure({ ...about, vendor: 'mistral', model: 'm' })
}
const away = { reason: 'away', after: 3 }
const rate = { reason: 'rate', after: 5, retryAfterMs: 90_000 }

describe('a failure', () => {
  it.each<[Vendor, string, object | null]>([
    ['network', 'not_found', null],
    ['network', 'unavailable', away],
    ['network', 'malformed', { reason: 'away', after: 5 }],
    ['network', 'account', { reason: 'key', after: 2 }],
    ['network', 'rate_limited', rate],
    ['outreach', 'unavailable', away],
    ['outreach', 'rate_limited', rate],
    ['outreach', 'invalid_key', null],
    ['outreach', 'campaign_closed', null],
    ['outreach', 'refused', null],
    ['outreach', 'unreadable', null],
    ['ai', 'unavailable', away],
    ['ai', 'rate_limited', rate],
    ['ai', 'key', null],
    ['ai', 'model', null],
    ['ai', 'unreadable', null],
  ])('of %s that is %s is reported as %j', async (vendor, kind, trouble) => {
    const error = failureOf(vendor, kind)
    const { held, reported } = stage(vendor, { fails: error, entry: { kind: 'probe' } })
    expect(await thrown(aCall(vendor, held))).toBe(error)
    expect(reported[1]).toEqual(['leave', account[vendor], { kind: 'probe' }, trouble])
  })
  it.each<Vendor>(['network', 'outreach', 'ai'])(
    'of %s after which the account is held says until when',
    async (vendor) => {
      const { held } = stage(vendor, {
        fails: failureOf(vendor, 'unavailable', 'a cause'),
        after: { reason: 'away', until },
      })
      expect(await thrown(aCall(vendor, held))).toMatchObject({
        kind: 'unavailable',
        message: 'unavailable',
        retryAfterMs: 90_000,
        cause: 'a cause',
        held: { reason: 'away', until },
        ...(vendor === 'outreach' ? { done: 'maybe' } : {}),
      })
    },
  )
  it.each<Vendor>(['network', 'outreach', 'ai'])(
    'of %s whose caller gave up, that found no place of ours, or that is ours says nothing of the account',
    async (vendor) => {
      for (const [error, options] of [
        [failureOf(vendor, 'unavailable'), { signal: AbortSignal.abort() }],
        [failureOf(vendor, 'rate_limited', new BudgetExhausted('x', 5)), {}],
        [new TypeError('ours'), {}],
      ] as const) {
        const { held, reported } = stage(vendor, { fails: error, after: { reason: 'away', until } })
        expect(await thrown(aCall(vendor, held, options))).toBe(error)
        expect([reported[1], (error as Partial<OutsideFailure>).held ?? null]).toEqual([
          ['leave', account[vendor], go, null],
          null,
        ])
      }
      const going = stage(vendor, { fails: failureOf(vendor, 'unavailable', new Error('x')) })
      await thrown(aCall(vendor, going.held, { signal: new AbortController().signal }))
      expect(going.reported[1]).toEqual(['leave', account[vendor], go, away])
    },
  )
})
