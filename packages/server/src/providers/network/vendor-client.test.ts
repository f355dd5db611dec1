/** One vendor call: the request, timeouts of each part, retries, and the log of every try. */
import { describe, expect, it } from 'vitest'
import { answering, failuresOf, type Served, stillClock } from '../../../test/providers/answers.ts'
import { EgressFailure } from '../../platform/egress/types.ts'
import { type CallOptions, ProviderFailure } from '../ports.ts'
import { BudgetExhausted, type BudgetRequest } from '../budget.ts'
import { judgeRefusal } from './refusals.ts'
import { type AdapterOptions, asRecord, createVendorClient, type Dialect, type VendorCall } from './vendor-client.ts'
import type { VendorLogEntry } from '../calls.ts'

const call: VendorCall = { operation: 'post', path: '/a', query: {} }

function stage(
  served: readonly (Served | Error)[],
  more: { moves?: number; acquire?: AdapterOptions['budget']['acquire'] } = {},
) {
  const egress = answering(...served)
  const system = stillClock()
  const log: VendorLogEntry[] = []
  const places: (BudgetRequest & { vendor: string })[] = []
  let released = 0
  let limited = 0
  const acquire: AdapterOptions['budget']['acquire'] = async (vendor, request) => {
    places.push({ vendor, ...request })
    return { release: async () => void (released += 1) }
  }
  const options: AdapterOptions = {
    baseUrl: 'https://v.example/prefix//',
    apiKey: 'k3y',
    egress: {
      request: async (request) => (system.move(more.moves ?? 0), egress.request(request)),
      close: egress.close,
    },
    budget: {
      acquire: more.acquire ?? acquire,
      saveConcurrencyLimit: async () => {},
      findConcurrencyLimit: async () => null,
    },
    system,
    random: { next: () => 0.5 },
    log: (entry) => void log.push(entry),
  }
  const dialect: Dialect = {
    provider: 'vend',
    headers: { 'x-key': 'k3y' },
    limits: () => ({ maxInFlight: () => 3, perMinute: 9 }),
    onRateLimited: () => void (limited += 1),
    judge: (answer) =>
      answer.status === 200 && asRecord(answer.json) !== null
        ? { ok: true, body: asRecord(answer.json)!, cost: 0.5 }
        : { ok: false, ...judgeRefusal(answer) },
  }
  const client = createVendorClient(options, dialect)
  const get = (change: Partial<VendorCall> = {}, asked?: CallOptions) => client.get({ ...call, ...change }, asked)
  return { client, get, asked: egress.asked, system, log, places, released: () => released, limited: () => limited }
}
const failureOf = failuresOf(ProviderFailure)
const busy: Served = { status: 503, body: {} }

describe('a request', () => {
  it('goes to the address under the prefix, with the headers of its vendor and of ours', async () => {
    const { get, asked } = stage([{ body: { a: 1 } }])
    expect(await get()).toEqual({ a: 1 })
    expect(asked).toEqual([
      {
        method: 'GET',
        url: 'https://v.example/prefix/a',
        headers: { 'x-key': 'k3y', accept: 'application/json', 'user-agent': 'lead-engagement-service/1.0' },
        timeoutMs: 30_000,
        maxBytes: 8_388_608,
      },
    ])
  })
  it('has what is asked for, without what is not', async () => {
    const { get, asked } = stage([{ body: {} }])
    await get({ query: { a: 'x y&z', b: 0, c: null, d: undefined, e: '' } })
    expect(asked[0]!.url).toBe('https://v.example/prefix/a?a=x+y%26z&b=0&e=')
  })
  it.each([
    [undefined, 30_000],
    [500, 500],
    [80_000, 80_000],
    [90_000, 80_000],
  ])('within %s ms takes %i ms at most', async (timeoutMs, most) => {
    const { get, asked } = stage([{ body: {} }])
    await get({}, timeoutMs === undefined ? {} : { timeoutMs })
    expect(asked[0]!.timeoutMs).toBe(most)
  })
  it('can be given up', async () => {
    const { signal } = new AbortController()
    const { get, asked, places } = stage([{ body: {} }])
    await get({}, { signal })
    expect([asked[0]!.signal, places[0]!.signal]).toEqual([signal, signal])
  })
})

describe('the place in the budget', () => {
  it.each([
    [30_000, 15_000],
    [40_000, 20_000],
    [41_000, 20_000],
  ])('of %i ms is waited for %i ms, within the limits of the account, and given back', async (timeoutMs, waitMs) => {
    const { get, places, released } = stage([{ body: {} }])
    await get({}, { timeoutMs })
    expect(places).toEqual([{ vendor: 'vend', maxInFlight: expect.any(Function), perMinute: 9, waitMs }])
    expect(released()).toBe(1)
  })
  it('is given back when nothing is answered, and a failure to do so is no failure of the call', async () => {
    const { get, released } = stage([new EgressFailure('timeout', 'late')])
    await failureOf(get())
    expect(released()).toBe(1)
    const stuck = stage([{ body: { a: 1 } }], {
      acquire: async () => ({ release: () => Promise.reject(new Error('x')) }),
    })
    expect(await stuck.get()).toEqual({ a: 1 })
  })
  it('that does not come free is a failure of its own, of which no try is told', async () => {
    const exhausted = new BudgetExhausted('vend', 7_000)
    const { get, asked, log } = stage([{ body: {} }], { acquire: () => Promise.reject(exhausted) })
    const failure = await failureOf(get())
    expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000, operation: 'post', provider: 'vend' })
    expect([failure.message, failure.cause, asked.length, log.length]).toEqual([
      'vend post: our own call budget is used up',
      exhausted,
      0,
      0,
    ])
  })
  it('that is waited for in vain when the caller has gone is a call that was given up; any other error is ours', async () => {
    const caller = new AbortController()
    const gone = stage([{ body: {} }], {
      acquire: async () => {
        caller.abort()
        throw new Error('aborted')
      },
    })
    const failure = await failureOf(gone.get({}, { signal: caller.signal }))
    expect([failure.kind, failure.message]).toEqual(['unavailable', 'vend post: the call was given up'])
    const ours = new Error('the database is away')
    const broken = stage([{ body: {} }], { acquire: () => Promise.reject(ours) })
    await expect(broken.get()).rejects.toBe(ours)
    await expect(broken.get({}, { signal: new AbortController().signal })).rejects.toBe(ours)
  })
})

describe('a call', () => {
  it('tells its vendor of every 429 and of nothing else', async () => {
    for (const [answer, times] of [
      [{ status: 429, body: {} }, 3],
      [busy, 0],
      [{ status: 404, body: {} }, 0],
    ] as const) {
      const { get, limited } = stage([answer])
      await failureOf(get())
      expect(limited()).toBe(times)
    }
  })
  it('is not made without time left, nor again', async () => {
    const none = stage([{ body: {} }])
    const failure = await failureOf(none.get({}, { timeoutMs: 0 }))
    expect([failure.kind, failure.message, none.asked.length]).toEqual(['unavailable', 'vend post: no time left', 0])
    const late = stage([busy], { moves: 800 })
    await failureOf(late.get({}, { timeoutMs: 1_000 }))
    expect([late.asked.length, late.system.slept]).toEqual([1, []])
    const slow = stage([busy], { moves: 4_800 })
    await failureOf(slow.get())
    expect(slow.asked.length).toBe(1)
  })
  it('that fails for a reason of ours does so, with its place given back', async () => {
    const ours = new TypeError('ours')
    const { get, released } = stage([ours])
    await expect(get()).rejects.toBe(ours)
    expect(released()).toBe(1)
  })
})

it('an object is no list, no null and no text', () =>
  expect([{ a: 1 }, {}, [], null, undefined, 'x', 7].map((value) => asRecord(value))).toEqual([
    { a: 1 },
    {},
    null,
    null,
    null,
    null,
    null,
  ]))

it('an answer without the promised shape says of which call it is', () => {
  const failure = stage([]).client.malformed('post', 'no rows')
  expect(failure).toMatchObject({
    provider: 'vend',
    operation: 'post',
    kind: 'malformed',
    message: 'vend post: no rows',
  })
})
