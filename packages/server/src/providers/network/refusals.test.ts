/** What a refusal means, on either side of every status and by the words alone where no status decides. */
import { describe, expect, it } from 'vitest'
import { judgeRefusal, requestIdOf, statusIn } from './refusals.ts'

const answer = (status: number, json: unknown, text = '') => ({ status, json, text, headers: {} })
const read = (status: number, json: unknown, text?: string) => {
  const { kind, why } = judgeRefusal(answer(status, json, text))
  return why === undefined ? kind : `${kind} ${why}`
}

describe('a status', () => {
  it.each([
    [199, 'malformed'],
    [300, 'malformed'],
    [400, 'malformed'],
    [401, 'account key'],
    [402, 'account money'],
    [403, 'account key'],
    [404, 'not_found'],
    [408, 'unavailable'],
    [409, 'malformed'],
    [429, 'rate_limited'],
    [499, 'malformed'],
    [500, 'unavailable'],
    [599, 'unavailable'],
  ])('%i alone is %s', (status, kind) => {
    expect(read(status, {})).toBe(kind)
    expect(judgeRefusal(answer(status, {})).message).toBe(`HTTP ${status}`)
  })
  it.each([
    [200, 404, 'not_found'],
    [200, 500, 'unavailable'],
    [200, 402, 'account money'],
    [400, 404, 'not_found'],
    [422, 429, 'rate_limited'],
    [401, 404, 'account key'],
    [402, 429, 'account money'],
    [403, 404, 'account key'],
    [404, 500, 'not_found'],
    [429, 500, 'rate_limited'],
    [500, 429, 'rate_limited'],
    [500, 404, 'unavailable'],
    [500, 401, 'unavailable'],
    [499, 404, 'not_found'],
  ])('%i whose body says %i is %s', (status, stated, kind) => expect(read(status, { status: stated })).toBe(kind))
  it('of success without what was promised says so', () => {
    expect(judgeRefusal(answer(200, {})).message).toBe('the answer has no payload')
    expect(judgeRefusal(answer(200, {}), 'no data').message).toBe('no data')
    expect(judgeRefusal(answer(200, undefined, 'x'))).toEqual({
      kind: 'malformed',
      words: 'x',
      message: 'the answer is not JSON',
    })
  })
})

describe('words', () => {
  it.each([
    ['API key is wrong', 'account key'],
    ['api_key', 'account key'],
    ['apikey', 'account key'],
    ['Unauthorised', 'account key'],
    ['invalid token', 'account key'],
    ['invalid access token', 'account key'],
    ['rate_limit', 'rate_limited'],
    ['Ratelimit reached', 'rate_limited'],
    ['too many calls', 'rate_limited'],
    ['concurrency', 'rate_limited'],
    ['not_found', 'not_found'],
    ['notfound', 'not_found'],
    ["it doesn't exist", 'not_found'],
    ['does not exist', 'not_found'],
    ['no such page', 'not_found'],
    ['out of credits', 'account money'],
    ['quota', 'account money'],
    ['your balance', 'account money'],
    ['payment required', 'account money'],
    ['subscription ended', 'account money'],
    ['no such api key', 'account key'],
    ['too many credits not found', 'rate_limited'],
    ['no such subscription', 'not_found'],
    ['something else', 'malformed'],
  ])('%j decide in a success and beside a plain 400', (message, kind) => {
    expect([read(200, { message }), read(400, { message }), read(200, { message, status: 400 })]).toEqual([
      kind,
      kind,
      kind,
    ])
    expect(read(422, { message })).toBe('malformed')
    expect(read(500, { message })).toBe('unavailable')
  })
  it('of a page decide nothing', () => expect(read(400, undefined, 'api key')).toBe('malformed'))
  it('tell money from the key where the status says only that it is the account', () =>
    expect([read(403, { message: 'quota' }), read(403, { message: 'no' }), read(401, { message: 'quota' })]).toEqual([
      'account money',
      'account key',
      'account key',
    ]))
})

describe('somebody whom nobody may see', () => {
  const message = 'This profile is private'
  it.each([
    [200, 'not_found'],
    [400, 'not_found'],
    [403, 'not_found'],
    [404, 'not_found'],
    [401, 'account key'],
    [402, 'account money'],
    [422, 'malformed'],
    [500, 'unavailable'],
  ])('with %i is %s', (status, kind) => expect(read(status, { message })).toBe(kind))
  it.each([
    ['The member was deactivated', 'not_found'],
    ['page deleted', 'not_found'],
    ['Post restricted', 'not_found'],
    ['company suspended', 'not_found'],
    ['member hibernated', 'not_found'],
    [`profile ${'x'.repeat(38)} private`, 'not_found'],
    [`profile ${'x'.repeat(41)} private`, 'account key'],
    ['The profile. It is private', 'account key'],
    ['profiles are private', 'account key'],
    ['profile privately', 'account key'],
    ['your profile is private', 'account key'],
    ['profile is private: unauthorized', 'account key'],
  ])('%j with 403 is %s', (words, kind) => expect(read(403, { message: words })).toBe(kind))
  it('is told in JSON, never by a page', () => expect(read(403, undefined, message)).toBe('unavailable'))
})

describe('a door before the vendor', () => {
  it.each([
    [undefined, 'blocked', 'unavailable'],
    [undefined, '  ', 'account key'],
    [{ message: 'Error 1010' }, '', 'unavailable'],
    [{ message: 'error code: 1020' }, '', 'unavailable'],
    [{ message: 'ERROR1015' }, '', 'unavailable'],
    [{ message: 'Cloudflare' }, '', 'unavailable'],
    [{ message: 'error 1110' }, '', 'account key'],
    [{ message: 'error 10100' }, '', 'account key'],
  ])('with 403, %j and %j is %s', (json, text, kind) => {
    expect(read(403, json, text)).toBe(kind)
    expect(read(401, json, text)).toBe('account key')
  })
})

describe('the status that a body names', () => {
  it.each([
    [399, null],
    [400, 400],
    [599, 599],
    [600, null],
    [400.5, null],
    ['404', null],
    [null, null],
    [{ status: 404 }, 404],
    [{ statusCode: '404' }, 404],
    [{ code: 404 }, 404],
    [{ code: '4040' }, null],
    [{ code: 'x404' }, null],
    [{ code: '304' }, null],
    [{ status: 200, statusCode: 429 }, 429],
    [{ status: 400, error: 404 }, 404],
    [{ status: 400, error: { status: 404 } }, 404],
    [{ status: 400, errors: [{ code: 404 }] }, 404],
    [{ status: 400, error: 'none', errors: 'none' }, 400],
    [{ error: 429, errors: 404 }, 429],
    [{ error: { error: { error: { error: 404 } } } }, 404],
    [{ error: { error: { error: { error: { error: 404 } } } } }, null],
    [{ errors: [0, 0, 0, 0, 404] }, 404],
    [{ errors: [0, 0, 0, 0, 0, 404] }, null],
    [{ errors: [null, { status: 200 }, { status: 404 }, { status: 500 }] }, 404],
    [[{ status: 404 }], 404],
    [{ data: { status: 404 } }, null],
  ])('%j is %s', (body, status) => expect(statusIn(body)).toBe(status))
})

describe('the number of a call', () => {
  const id = (json: unknown, headers: Record<string, string> = {}) =>
    requestIdOf({ status: 500, json, text: '', headers })
  it.each([
    [{ requestId: 'a.b:c-1_2' }, {}, 'a.b:c-1_2'],
    [{ request_id: 'b' }, { 'x-request-id': 'c' }, 'b'],
    [{ requestId: 'not one', request_id: 'b' }, {}, 'b'],
    [{}, { 'x-request-id': 'c', 'cf-ray': 'd' }, 'c'],
    [null, { 'cf-ray': 'd' }, 'd'],
    [undefined, { 'cf-ray': 'd' }, 'd'],
    [{ requestId: 'x'.repeat(100) }, {}, 'x'.repeat(100)],
    [{ requestId: 'x'.repeat(101) }, {}, null],
    [{ requestId: '' }, {}, null],
    [{ requestId: ' a' }, {}, null],
    [{ requestId: 'a ' }, {}, null],
    ['text', {}, null],
  ])('of %j and %j is %s', (json, headers, found) => expect(id(json, headers as Record<string, string>)).toBe(found))
})
