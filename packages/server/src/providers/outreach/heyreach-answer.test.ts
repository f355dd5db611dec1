/** What each answer of HeyReach means, and what the lack of one: by status on either side of every bound, with the platform's own words. */
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../test/providers/answers.ts'
import { judge, type KeyedCall, unanswered } from './heyreach-answer.ts'

const nowMs = Date.parse('2026-11-20T12:00:00.000Z')
const read: KeyedCall = { operation: 'GetById', method: 'GET', path: '/x', key: 'k'.repeat(40) }
const add: KeyedCall = { ...read, operation: 'AddLeadsToCampaignV2', method: 'POST', changes: true }
const check: KeyedCall = { ...read, operation: 'CheckApiKey' }
const page = '<html><head><title>Error 1010</title></head><body><h1>Blocked</h1></body></html>'

/** `kind done again status`, or the body of what is no failure. */
function meaning(call: KeyedCall, status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  const outcome = judge(call, answerOf({ status, body, headers }), nowMs)
  if (outcome.ok) return { body: outcome.body }
  return `${outcome.failure.kind} ${outcome.failure.done} ${outcome.again ? 'again' : 'once'} ${outcome.status}`
}
const messageOf = (call: KeyedCall, status: number, body: unknown) => {
  const outcome = judge(call, answerOf({ status, body }), nowMs)
  return outcome.ok ? 'ok' : outcome.failure.message
}

describe('an answer', () => {
  it.each([
    // status, of a call that reads, of one that changes
    [199, 'unavailable no once', 'unavailable maybe once'],
    [300, 'unavailable no once', 'unavailable maybe once'],
    [302, 'unavailable no once', 'unavailable maybe once'],
    [399, 'unavailable no once', 'unavailable maybe once'],
    [400, 'refused no once', 'refused no once'],
    [401, 'invalid_key no once', 'invalid_key no once'],
    [402, 'refused no once', 'refused no once'],
    [403, 'invalid_key no once', 'invalid_key no once'],
    [405, 'refused no once', 'refused no once'],
    [407, 'refused no once', 'refused no once'],
    [408, 'unavailable no once', 'unavailable maybe once'],
    [409, 'refused no once', 'refused no once'],
    [428, 'refused no once', 'refused no once'],
    [429, 'rate_limited no again', 'rate_limited no again'],
    [499, 'refused no once', 'refused no once'],
    [500, 'unavailable no again', 'unavailable maybe once'],
    [503, 'unavailable no again', 'unavailable maybe once'],
  ] as const)('%i is %s, and %s', (status, ofRead, ofAdd) => {
    expect([meaning(read, status), meaning(add, status)]).toEqual([`${ofRead} ${status}`, `${ofAdd} ${status}`])
  })
  it.each([200, 201, 299])('%i is done: its JSON, or nothing where it has no body', (status) => {
    expect([meaning(read, status, { a: 1 }), meaning(add, status, { a: 1 })]).toEqual([
      { body: { a: 1 } },
      { body: { a: 1 } },
    ])
    expect(meaning(read, status, '')).toEqual({ body: null })
  })
  it('that is no JSON is unreadable, but for the check of a key, which needs none', () => {
    expect([meaning(read, 200, 'ok'), meaning(add, 200, 'ok'), meaning(check, 200, 'ok')]).toEqual([
      'unreadable no once 200',
      'unreadable maybe once 200',
      { body: null },
    ])
    expect(messageOf(read, 200, 'ok')).toBe('heyreach GetById: the answer is not JSON')
  })
  it('404 is that there is none, and to an add that there is no campaign', () => {
    expect([meaning(read, 404), meaning(add, 404)]).toEqual([{ body: undefined }, 'campaign_closed no once 404'])
  })
  it('403 in JSON or without a word refuses the key; a page is a proxy’s and says nothing of it', () => {
    expect([meaning(read, 403, ''), meaning(read, 403, { message: 'x' })]).toEqual([
      'invalid_key no once 403',
      'invalid_key no once 403',
    ])
    expect([meaning(read, 403, page), meaning(add, 403, page)]).toEqual([
      'unavailable no again 403',
      'unavailable maybe once 403',
    ])
    expect(meaning(read, 401, page)).toBe('invalid_key no once 401')
  })
  it('429 carries how long to wait, in seconds or as a date, where it says so', () => {
    const waits = (retryAfter?: string) => {
      const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      const outcome = judge(add, answerOf({ status: 429, body: {}, headers }), nowMs)
      return outcome.ok ? 'ok' : outcome.failure.retryAfterMs
    }
    expect([waits('90'), waits('Fri, 20 Nov 2026 12:00:30 GMT'), waits()]).toEqual([90_000, 30_000, undefined])
  })
})

describe('a refusal', () => {
  it.each([
    'You cannot add new leads to a draft campaign.',
    'The campaign is finished.',
    'This campaign was canceled',
    'Campaign failed',
    'Campaign is closed',
    'The campaign has ended',
    'Campaign completed',
    'campaign archived',
    'CAMPAIGN DELETED',
    'Campaign is not active',
    'Campaign is inactive',
    "You can't add leads to this campaign",
    'Cannot add leads to campaign 7',
  ])('%j is of a closed campaign', (errorMessage) => {
    expect(meaning(add, 400, { errorMessage })).toBe('campaign_closed no once 400')
  })
  it.each(['The list is finished', 'The campaign field is required', 'You cannot add a lead without a name', ''])(
    '%j is another',
    (errorMessage) => {
      expect(meaning(add, 400, { errorMessage })).toBe('refused no once 400')
    },
  )
  it.each([
    [{ errorMessage: 'Bad lead' }, 'Bad lead'],
    [{ message: 'Bad lead' }, 'Bad lead'],
    [{ title: 'Invalid', errors: { Field: ['Required'] } }, 'Invalid'],
    ['plain words', 'plain words'],
    [page, 'Error 1010 · Blocked'],
    ['', 'HTTP 400'],
    [{}, 'HTTP 400'],
    [{ errorMessage: `no ${'k'.repeat(40)} here` }, 'no [key] here'],
    [{ errorMessage: '\u0000' }, 'it gave no reason'],
  ] as const)('in the words %j says %s', (body, words) => {
    expect(messageOf(read, 400, body)).toBe(`heyreach GetById: ${words}`)
  })
  it('of too many calls says why, too', () =>
    expect(messageOf(read, 429, { message: 'Slow down' })).toBe('heyreach GetById: Slow down'))
})

it('a call without an answer names itself and keeps what is known of it', () => {
  const why = { kind: 'unavailable', message: 'cut off', done: 'maybe' } as const
  expect(unanswered(add, why)).toMatchObject({ ok: false, again: false, status: null })
  expect(unanswered(add, why, true)).toMatchObject({
    again: true,
    failure: { kind: 'unavailable', done: 'maybe', message: 'heyreach AddLeadsToCampaignV2: cut off' },
  })
})
