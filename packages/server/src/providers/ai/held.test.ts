/** The judge behind the breaker of a team's key: what is asked, what counts as trouble, and what is said of a question that was not put. */
import { describe, expect, it } from 'vitest'
import type { Entry, VendorBreaker } from '../breaker/port.ts'
import type { Held } from '../ports.ts'
import { aiAccount, heldJudge } from './held.ts'
import { AiFailure, type AiJudge, type AiQuestion } from './port.ts'

const until = new Date('2026-11-20T12:01:05.000Z')
const question: AiQuestion = {
  vendor: 'mistral',
  model: null,
  key: 'abc',
  prompt: 'x',
  posts: [{ id: 'p', text: 't', author: null, headline: null }],
}
/** With the first 24 digits of SHA-256 of the key. */
const account = 'mistral:ba7816bf8f01cfea414140de'

function behindBreaker(fails: unknown, entry: Entry = { kind: 'go', failures: 0 }, after: Held | null = null) {
  const asked: unknown[][] = []
  const told: unknown[][] = []
  const judge: AiJudge = {
    judge: async (...given) => {
      asked.push(['judge', ...given])
      if (fails !== undefined) throw fails
      return [{ id: 'p', keep: true, reason: 'r' }]
    },
    check: async (...given) => void asked.push(['check', ...given]),
  }
  const breaker: VendorBreaker = {
    enter: async (...given) => (told.push(['enter', ...given]), entry),
    leave: async (...given) => (told.push(['leave', ...given]), after),
    takeProbe: async () => false,
    listHeld: async () => new Map(),
  }
  return { held: heldJudge(judge, breaker), asked, told }
}
const thrown = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const failure = (kind: AiFailure['kind']) =>
  new AiFailure({ vendor: 'mistral', model: 'm', kind, message: kind, retryAfterMs: 90_000, cause: 'a cause' })

it('an account is named by its vendor and key, which cannot be read from the name', () =>
  expect(aiAccount('mistral', 'abc')).toBe(account))

it('a question is passed on and answered, and the breaker is told that the account is well', async () => {
  const { held, asked, told } = behindBreaker(undefined)
  expect(await held.judge(question)).toEqual([{ id: 'p', keep: true, reason: 'r' }])
  expect(asked).toEqual([['judge', question]])
  expect(told).toEqual([
    ['enter', account, true],
    ['leave', account, { kind: 'go', failures: 0 }, null],
  ])
})

it('trying out a key goes past the breaker', async () => {
  const { held, asked, told } = behindBreaker(undefined)
  await held.check('openai', 'abc', { model: 'm' })
  expect([asked, told]).toEqual([[['check', 'openai', 'abc', { model: 'm' }]], []])
})

it.each([
  ['rate', null, 'rate_limited', 'mistral-small-latest', 'mistral allows no more calls with this key for now.'],
  ['rate', '  ', 'rate_limited', 'mistral-small-latest', 'mistral allows no more calls with this key for now.'],
  ['away', ' own ', 'unavailable', 'own', 'mistral did not answer.'],
  ['money', 'own', 'unavailable', 'own', 'mistral did not answer.'],
] as const)(
  'a question is not put while the account is held for %s (model %j)',
  async (reason, model, kind, of, message) => {
    const { held, asked, told } = behindBreaker(undefined, { kind: 'held', held: { reason, until }, afterMs: 65_000 })
    const error = await thrown(held.judge({ ...question, model }))
    expect(error).toBeInstanceOf(AiFailure)
    expect(error).toMatchObject({ vendor: 'mistral', model: of, kind, message, held: { reason, until } })
    expect([asked, told.length]).toEqual([[], 1])
  },
)

describe('a failure', () => {
  it.each([
    ['unavailable', { reason: 'away', after: 3 }],
    ['rate_limited', { reason: 'rate', after: 5, retryAfterMs: 90_000 }],
    ['key', null],
    ['model', null],
    ['unreadable', null],
  ] as const)('%s is told as %j', async (kind, trouble) => {
    const error = failure(kind)
    const { held, told } = behindBreaker(error)
    expect(await thrown(held.judge(question))).toBe(error)
    expect(told[1]).toEqual(['leave', account, { kind: 'go', failures: 0 }, trouble])
  })
  it('that has the account held says until when, and nothing else of it changes', async () => {
    const { held } = behindBreaker(failure('unavailable'), { kind: 'go', failures: 2 }, { reason: 'away', until })
    const error = await thrown(held.judge(question))
    expect(error).toBeInstanceOf(AiFailure)
    expect(error).toMatchObject({
      vendor: 'mistral',
      model: 'm',
      kind: 'unavailable',
      message: 'unavailable',
      retryAfterMs: 90_000,
      cause: 'a cause',
      held: { reason: 'away', until },
    })
  })
  it('of a question that was given up, or that is none of the vendor, is no trouble of the account', async () => {
    const given = behindBreaker(failure('unavailable'), { kind: 'go', failures: 2 }, { reason: 'away', until })
    const error = await thrown(given.held.judge({ ...question, signal: AbortSignal.abort() }))
    expect([(error as AiFailure).held, given.told[1]?.[3]]).toEqual([null, null])
    const going = behindBreaker(failure('unavailable'))
    await thrown(going.held.judge({ ...question, signal: new AbortController().signal }))
    expect(going.told[1]?.[3]).toEqual({ reason: 'away', after: 3 })
    const ours = behindBreaker(new Error('ours'), { kind: 'go', failures: 2 }, { reason: 'away', until })
    expect([await thrown(ours.held.judge(question)), ours.told[1]?.[3]]).toEqual([new Error('ours'), null])
  })
})
