/** Which vendor is called, with which timeout, and whose failure is reported; with vendors that answer at once. */
import { describe, expect, it } from 'vitest'
import {
  type CallOptions,
  type Held,
  type NetworkProvider,
  ProviderFailure,
  type ProviderFailureKind,
} from '../ports.ts'
import { createNetwork } from './failover.ts'

const post = { urn: 'urn:li:activity:7', url: '' }
const page = { items: [1], next: { start: 10 }, total: 5, cutShort: false, source: 'primary' }
const failure = (provider: string, kind: ProviderFailureKind, held: Held | null = null) =>
  new ProviderFailure({ provider, operation: 'x', kind, message: kind, held })
const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

type Asked = [vendor: string, operation: string, ...given: unknown[]]
function stage(fails: Readonly<Record<string, Error | null>>, most?: number) {
  const asked: Asked[] = []
  const vendor = (id: string) =>
    new Proxy({} as NetworkProvider, {
      get:
        (_, operation) =>
        async (...given: unknown[]) => {
          asked.push([id, String(operation), ...given])
          if (fails[id]) throw fails[id]
          return { ...page, by: id }
        },
    })
  const vendors = Object.keys(fails).map((id) => ({ id, vendor: vendor(id) }))
  return { network: createNetwork(vendors, most === undefined ? {} : { fallbackPages: most }), asked }
}
const times = (asked: readonly Asked[]) =>
  asked.map(([id, , ...given]) => [id, (given.at(-1) as CallOptions | undefined)?.timeoutMs])

it('without a vendor there is no network', () => expect(() => createNetwork([])).toThrow('no network vendor is set up'))

describe('a single read', () => {
  it('ends with an error that is no vendor’s', async () => {
    const ours = new TypeError('ours')
    const { network, asked } = stage({ one: ours, two: null })
    expect([await failureOf(network.post('7')), asked.length]).toEqual([ours, 1])
  })
  it('ends with its caller: nobody else is asked, and the first failure is told', async () => {
    const gone = stage({ one: failure('one', 'unavailable'), two: null })
    expect(await failureOf(gone.network.post('7', { signal: AbortSignal.abort() }))).toMatchObject({ provider: 'one' })
    expect(gone.asked).toHaveLength(1)
    const caller = new AbortController()
    const late = stage({ one: failure('one', 'account'), two: failure('two', 'unavailable') })
    const asking = late.network.post('7', { signal: caller.signal })
    caller.abort()
    expect(await failureOf(asking)).toMatchObject({ provider: 'one' })
  })
  it('shares its time: six tenths for the first of what is left, the rest for the last', async () => {
    const { network, asked } = stage({
      one: failure('one', 'unavailable'),
      two: failure('two', 'unavailable'),
      three: null,
    })
    await network.post('7', { timeoutMs: 1_001 })
    expect(times(asked)).toEqual([
      ['one', 601],
      ['two', 241],
      ['three', 161],
    ])
    const alone = stage({ one: null })
    await alone.network.post('7', { timeoutMs: 1_000 })
    expect(times(alone.asked)).toEqual([['one', 1_000]])
  })
})

describe('with both failed', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
  const held = (reason: Held['reason'], minute: number): Held => ({ reason, until: at(minute) })
  it.each([
    [null, null, null],
    [held('key', 1), held('away', 2), held('key', 1)],
    [held('key', 2), held('away', 2), held('key', 2)],
    [held('key', 3), held('away', 2), held('key', 2)],
    [held('key', 1), null, held('key', 11)],
    [null, held('away', 2), held('away', 12)],
  ])('the first held %j and the second %j, the failure of the first says %j', async (one, other, told) => {
    const { network } = stage({ one: failure('one', 'account', one), two: failure('two', 'unavailable', other) })
    expect(await failureOf(network.post('7'))).toMatchObject({ provider: 'one', kind: 'account', held: told })
  })
})

describe('a paged read', () => {
  it('goes on with the first or the second vendor where its caller names that', async () => {
    const { network, asked } = stage({ one: null, two: null })
    for (const from of ['primary', 'fallback', 'one', 'two']) await network.reactions(post, { from, cursor: {} })
    expect(asked.map(([id]) => id)).toEqual(['one', 'two', 'one', 'two'])
    expect(['primary', 'one', 'fallback', 'two', 'gone'].map((from) => network.roleOf(from))).toEqual([
      'primary',
      'primary',
      'fallback',
      'fallback',
      'fallback',
    ])
  })
  it('of a fallback is left off after so many pages, for callers that ask for that, and of the first never', async () => {
    const { network } = stage({ one: failure('one', 'unavailable'), two: null }, 2)
    const capped = { capFallback: true }
    const first = await network.reactions(post, null, capped)
    expect(first).toMatchObject({ next: { start: 10, fallbackPages: 1 } })
    const second = await network.reactions(post, { from: 'two', cursor: first.next! }, capped)
    expect(second).toMatchObject({ next: null, leftForPrice: true })
    expect((await network.reactions(post, { from: 'two', cursor: first.next! })).next).toEqual({ start: 10 })
    const primary = stage({ one: null, two: null }, 1)
    expect((await primary.network.reactions(post, null, capped)).next).toEqual({ start: 10 })
    const endless = stage({ one: failure('one', 'unavailable'), two: null })
    expect(
      (await endless.network.reactions(post, { from: 'two', cursor: { fallbackPages: 999 } }, capped)).next,
    ).not.toBeNull()
    for (const fallbackPages of ['many', -3, 1.5, 0])
      expect((await network.reactions(post, { from: 'two', cursor: { fallbackPages } }, capped)).next).toEqual({
        start: 10,
        fallbackPages: 1,
      })
  })
})
