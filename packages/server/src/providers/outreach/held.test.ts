/** The platform behind its breaker: what is asked, what counts as trouble, and what is said of a call that was not made (OUT-23). */
import { describe, expect, it } from 'vitest'
import type { Entry, VendorBreaker } from '../breaker/port.ts'
import { BudgetExhausted } from '../network/budget.ts'
import type { CallOptions, Held } from '../ports.ts'
import { heldPlatform, outreachAccount } from './held.ts'
import { OutreachFailure, type OutreachPlatform } from './port.ts'

const key = 'team-key'
const until = new Date('2026-11-20T12:01:05.000Z')

function behindBreaker(fails: unknown, entry: Entry = { kind: 'go', failures: 0 }, after: Held | null = null) {
  const asked: unknown[][] = []
  const told: unknown[][] = []
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given])
      if (fails !== undefined) throw fails
      return `answer of ${name}` as never
    }
  const platform: OutreachPlatform = {
    checkKey: call('checkKey'),
    listCampaigns: call('listCampaigns'),
    findCampaign: call('findCampaign'),
    addLeads: call('addLeads'),
    findMembers: call('findMembers'),
  }
  const breaker: VendorBreaker = {
    enter: async (...given) => (told.push(['enter', ...given]), entry),
    leave: async (...given) => (told.push(['leave', ...given]), after),
    takeProbe: async () => false,
    listHeld: async () => new Map(),
  }
  return { held: heldPlatform(platform, breaker), asked, told }
}
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const options = { timeoutMs: 5 }
const operations: readonly [
  name: keyof OutreachPlatform,
  ask: (held: OutreachPlatform, options?: CallOptions) => Promise<unknown>,
  given: unknown[],
][] = [
  ['listCampaigns', (held, asking = options) => held.listCampaigns(key, asking), [key, options]],
  ['findCampaign', (held, asking = options) => held.findCampaign(key, '7', asking), [key, '7', options]],
  ['addLeads', (held, asking = options) => held.addLeads(key, '7', [], asking), [key, '7', [], options]],
  ['findMembers', (held, asking = options) => held.findMembers(key, '7', ['a'], asking), [key, '7', ['a'], options]],
]

it('an account is named by its key, which cannot be read from the name', () => {
  expect(outreachAccount('abc')).toBe('heyreach:ba7816bf8f01cfea414140de')
  expect(outreachAccount(key)).not.toBe(outreachAccount('abc'))
})

describe.each(operations)('%s', (name, ask, given) => {
  it('is passed on and answered, and the breaker is told that the account is well', async () => {
    const { held, asked, told } = behindBreaker(undefined)
    expect(await ask(held)).toBe(`answer of ${name}`)
    expect(asked).toEqual([[name, ...given]])
    expect(told).toEqual([
      ['enter', outreachAccount(key), true],
      ['leave', outreachAccount(key), { kind: 'go', failures: 0 }, null],
    ])
  })
  it.each([
    ['our own budget is used up', options, new BudgetExhausted('heyreach', 5)],
    ['its caller gave it up', { ...options, signal: AbortSignal.abort() }, undefined],
  ])('that fails since %s says nothing of the account', async (_why, asking, cause) => {
    const failure = new OutreachFailure({ kind: 'rate_limited', message: 'none', cause })
    const { held, told } = behindBreaker(failure)
    expect(await thrown(ask(held, asking))).toBe(failure)
    expect(told.at(-1)).toEqual(['leave', outreachAccount(key), { kind: 'go', failures: 0 }, null])
  })
  it.each([
    ['rate', 'rate_limited'],
    ['away', 'unavailable'],
    ['key', 'unavailable'],
  ] as const)('is not made while the account is held for %s', async (reason, kind) => {
    const { held, asked, told } = behindBreaker(undefined, { kind: 'held', held: { reason, until }, afterMs: 65_000 })
    const error = await thrown(ask(held))
    expect(error).toBeInstanceOf(OutreachFailure)
    expect(error).toMatchObject({
      kind,
      done: 'no',
      held: { reason, until },
      message: `heyreach ${name}: not asked, since its account is held (${reason})`,
    })
    expect([asked, told.length]).toEqual([[], 1])
  })
})

it('trying out a key goes past the breaker', async () => {
  const { held, asked, told } = behindBreaker(undefined)
  await held.checkKey(key, options)
  expect([asked, told]).toEqual([[['checkKey', key, options]], []])
})

describe('a failure', () => {
  const failure = (kind: OutreachFailure['kind']) =>
    new OutreachFailure({ kind, message: kind, done: 'maybe', retryAfterMs: 90_000, cause: 'a cause' })
  it.each([
    ['unavailable', { reason: 'away', after: 3 }],
    ['rate_limited', { reason: 'rate', after: 5, retryAfterMs: 90_000 }],
    ['invalid_key', null],
    ['campaign_closed', null],
    ['refused', null],
    ['unreadable', null],
  ] as const)('%s is told as %j', async (kind, trouble) => {
    const error = failure(kind)
    const { held, told } = behindBreaker(error, { kind: 'probe' })
    expect(await thrown(held.listCampaigns(key))).toBe(error)
    expect(told[1]).toEqual(['leave', outreachAccount(key), { kind: 'probe' }, trouble])
  })
  it('that has the account held says until when, and nothing else of it changes', async () => {
    const { held } = behindBreaker(failure('unavailable'), { kind: 'go', failures: 2 }, { reason: 'away', until })
    const error = await thrown(held.listCampaigns(key))
    expect(error).toBeInstanceOf(OutreachFailure)
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: 'unavailable',
      done: 'maybe',
      retryAfterMs: 90_000,
      cause: 'a cause',
      held: { reason: 'away', until },
    })
  })
  it('that is none of the platform is no trouble of it', async () => {
    const error = new Error('ours')
    const { held, told } = behindBreaker(error, { kind: 'go', failures: 0 }, { reason: 'away', until })
    expect(await thrown(held.listCampaigns(key))).toBe(error)
    expect(told[1]).toEqual(['leave', outreachAccount(key), { kind: 'go', failures: 0 }, null])
  })
})
