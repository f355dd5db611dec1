/** The meaning of each error of the vendors' packages, by status around every bound and by the vendors' own words. */
import { APICallError } from 'ai'
import { describe, expect, it } from 'vitest'
import { EgressFailure } from '../../platform/egress/types.ts'
import { readTrouble } from './call.ts'

const nowMs = Date.parse('2026-11-20T12:00:00.000Z')
const answered = (statusCode: number | undefined, message = 'no', more: { body?: string; retryAfter?: string } = {}) =>
  new APICallError({
    message,
    url: 'https://vendor.example',
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(more.body === undefined ? {} : { responseBody: more.body }),
    ...(more.retryAfter === undefined ? {} : { responseHeaders: { 'retry-after': more.retryAfter } }),
  })
const kindOf = (status: number | undefined, message?: string, body?: string) =>
  readTrouble(answered(status, message, body === undefined ? {} : { body }), nowMs)?.kind

describe('a status', () => {
  it.each([
    [199, 'unavailable'],
    [200, 'unreadable'],
    [299, 'unreadable'],
    [300, 'unavailable'],
    [400, 'refused'],
    [401, 'key'],
    [402, 'key'],
    [403, 'key'],
    [404, 'model'],
    [405, 'unavailable'],
    [408, 'unavailable'],
    [413, 'refused'],
    [422, 'refused'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [529, 'unavailable'],
    [undefined, 'unavailable'],
  ] as const)('%s is %s', (status, kind) => {
    expect(readTrouble(answered(status), nowMs)).toEqual({ kind, status: status ?? null })
  })
})

describe('words', () => {
  it.each([
    [400, 'API key not valid. Please pass a valid API key.', 'key'],
    [400, 'Invalid api_key', 'key'],
    [400, 'reason: API_KEY_INVALID', 'key'],
    [400, 'The apikey is wrong', 'key'],
    [400, 'Your credit balance is too low to access the Anthropic API.', 'key'],
    [429, 'You exceeded your current quota, please check your plan and billing details.', 'key'],
    [429, 'insufficient_quota', 'key'],
    [429, 'Rate limit reached for this model', 'rate_limited'],
    [422, 'api key', 'refused'],
    [500, 'billing is down', 'unavailable'],
    [400, "Unsupported value: 'reasoning.effort' does not support 'none'", 'reasoning'],
    [400, 'Unknown parameter: reasoning_effort', 'reasoning'],
    [400, 'reasoning effort is not for this model', 'reasoning'],
    [400, 'Thinking level minimal is not supported', 'reasoning'],
    [400, 'Invalid thinking_config', 'reasoning'],
    [400, 'thinkingBudget is out of range', 'reasoning'],
    [400, '"thinking" is not supported by this model', 'reasoning'],
    [400, 'thinking: type disabled not available here', 'reasoning'],
    [400, 'We are thinking. Streaming is not supported by this model', 'model'],
    [422, 'reasoning_effort', 'refused'],
    [400, 'The model `gpt-0` does not exist', 'model'],
    [413, 'too long for this model', 'model'],
    [422, 'code: invalid_model', 'model'],
    [400, 'remodelling', 'refused'],
    [405, 'model', 'unavailable'],
  ] as const)('%i %j is %s', (status, words, kind) => {
    expect([kindOf(status, words), kindOf(status, 'no', words)]).toEqual([kind, kind])
  })
})

describe('an error without an answer', () => {
  const wrapped = (depth: number, inner: Error): Error =>
    depth === 0 ? inner : new Error('wrapped', { cause: wrapped(depth - 1, inner) })
  it.each([
    ['connection', 'unavailable'],
    ['timeout', 'unavailable'],
    ['aborted', 'unavailable'],
    ['refused_address', 'unavailable'],
    ['too_large', 'unreadable'],
  ] as const)('of an exchange that ended with %s is %s, up to five errors deep', (how, kind) => {
    const exchange = new EgressFailure(how, 'it broke')
    for (const depth of [0, 1, 4]) expect(readTrouble(wrapped(depth, exchange), nowMs)).toEqual({ kind, status: null })
    expect(readTrouble(wrapped(5, exchange), nowMs)).toBeUndefined()
  })
})
