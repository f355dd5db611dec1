/** A vendor behind the breaker of its account: what is asked, what counts as trouble, and what is said of a call that was not made. */
import { describe, expect, it } from 'vitest'
import type { Entry, VendorBreaker } from '../breaker/port.ts'
import { type Held, type NetworkProvider, ProviderFailure, type ProviderFailureKind } from '../ports.ts'
import { BudgetExhausted } from './budget.ts'
import { heldFailure, heldVendor } from './held.ts'

const until = new Date('2026-11-20T12:01:05.000Z')
const go: Entry = { kind: 'go', failures: 0 }

function behindBreaker(fails: unknown, entry: Entry = go, after: Held | null = null) {
  const asked: unknown[][] = []
  const told: unknown[][] = []
  const vendor = new Proxy({} as NetworkProvider, {
    get:
      (_, name) =>
      async (...given: unknown[]) => {
        asked.push([name, ...given])
        if (fails !== undefined) throw fails
        return `answer of ${String(name)}`
      },
  })
  const breaker: VendorBreaker = {
    enter: async (...given) => (told.push(['enter', ...given]), entry),
    leave: async (...given) => (told.push(['leave', ...given]), after),
    takeProbe: async () => false,
    listHeld: async () => new Map(),
  }
  return { held: heldVendor('harvestapi', vendor, breaker) as unknown as Record<string, Ask>, asked, told }
}
type Ask = (...given: unknown[]) => Promise<unknown>
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const failure = (kind: ProviderFailureKind, cause?: unknown) =>
  new ProviderFailure({ provider: 'harvestapi', operation: 'post', kind, message: kind, retryAfterMs: 90_000, cause })

describe.each([
  ['resolveHandle', ['ada']],
  ['profile', [{ handle: 'ada' }]],
  ['company', [{ slug: 'acme' }]],
  ['posts', [{ kind: 'person' }, null]],
  ['post', ['urn']],
  ['reactions', [{ urn: 'urn' }, { page: 2 }]],
  ['comments', [{ urn: 'urn' }, null]],
  ['replies', [{ urn: 'urn' }, { commentId: '1' }]],
  ['searchPosts', [{ term: 'x' }, null]],
])('%s', (operation, given) => {
  it('is passed on and answered, and the breaker is told that the account is well', async () => {
    const { held, asked, told } = behindBreaker(undefined)
    const options = { timeoutMs: 5 }
    expect(await held[operation]!(...given, options)).toBe(`answer of ${operation}`)
    expect(asked).toEqual([[operation, ...given, options]])
    expect(told).toEqual([
      ['enter', 'harvestapi', false],
      ['leave', 'harvestapi', go, null],
    ])
  })
  it('is not asked while the account is held', async () => {
    const { held, asked } = behindBreaker(undefined, { kind: 'held', held: { reason: 'away', until }, afterMs: 65_000 })
    expect(await thrown(held[operation]!(...given))).toMatchObject({ operation, kind: 'unavailable' })
    expect(asked).toEqual([])
  })
})

it.each([
  ['away', 'unavailable', null],
  ['key', 'account', 'key'],
  ['money', 'account', 'money'],
  ['rate', 'rate_limited', null],
  ['cap', 'unavailable', null],
] as const)('an account held for %s fails as %s', (reason, kind, why) => {
  const failed = heldFailure('linkdapi', 'post', { held: { reason, until }, afterMs: 65_000 })
  expect(failed).toMatchObject({ provider: 'linkdapi', operation: 'post', kind, why, held: { reason, until } })
  expect(failed.message).toBe(`linkdapi post: not asked, since its account is held (${reason})`)
})

describe('a failure', () => {
  it.each([
    ['not_found', null],
    ['unavailable', { reason: 'away', after: 3 }],
    ['malformed', { reason: 'away', after: 5 }],
    ['account', { reason: 'key', after: 2 }],
    ['rate_limited', { reason: 'rate', after: 5, retryAfterMs: 90_000 }],
  ] as const)('%s is told as %j', async (kind, trouble) => {
    const error = failure(kind)
    const { held, told } = behindBreaker(error)
    expect(await thrown(held.post!('urn'))).toBe(error)
    expect(told[1]).toEqual(['leave', 'harvestapi', go, trouble])
  })
  it('that has the account held says until when', async () => {
    const { held } = behindBreaker(failure('unavailable'), go, { reason: 'away', until })
    const error = await thrown(held.post!('urn'))
    expect(error).toBeInstanceOf(ProviderFailure)
    expect(error).toMatchObject({ kind: 'unavailable', held: { reason: 'away', until } })
  })
  it('of a call that was given up, found no place of ours, or is none of the vendor says nothing of it', async () => {
    const held: Held = { reason: 'away', until }
    const ours = new TypeError('ours')
    for (const [error, options] of [
      [failure('unavailable'), { signal: AbortSignal.abort() }],
      [failure('rate_limited', new BudgetExhausted('harvestapi', 5)), undefined],
      [ours, undefined],
    ] as const) {
      const stage = behindBreaker(error, go, held)
      expect(await thrown(stage.held.post!('urn', options))).toBe(error)
      expect(stage.told[1]).toEqual(['leave', 'harvestapi', go, null])
    }
    const going = behindBreaker(failure('unavailable', new Error('x')))
    await thrown(going.held.post!('urn', { signal: new AbortController().signal }))
    expect(going.told[1]).toEqual(['leave', 'harvestapi', go, { reason: 'away', after: 3 }])
  })
})
