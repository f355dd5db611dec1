/** The meaning of a refusal, around every status bound and by words alone where no status decides. */
import { describe, expect, it } from 'vitest'
import { judgeRefusal, statusIn } from './refusals.ts'

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
