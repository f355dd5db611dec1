import { describe, expect, it } from 'vitest'
import { Refusal } from '../platform/refusal.ts'
import { checkSite } from './origin.ts'

const ours = 'https://leads.example.com'

/** `taken`, or the key of the refusal. */
function judge(method: string, headers: Record<string, string>, at = ours): string {
  try {
    checkSite(method, { host: 'leads.example.com', ...headers }, at)
    return 'taken'
  } catch (error) {
    if (error instanceof Refusal) return error.key
    throw error
  }
}

const json = { 'content-length': '2', 'content-type': 'application/json' }
const cookie = { cookie: '__Host-les.session_token=x' }

describe('a change [DSH-01]', () => {
  it.each([
    ['of our own page, by its origin', { ...cookie, ...json, origin: ours, 'sec-fetch-site': 'same-origin' }],
    ['of our own page, by what the browser says', { ...cookie, ...json, 'sec-fetch-site': 'same-origin' }],
    ['of our own page in an older browser', { ...cookie, ...json, origin: ours }],
    ['without a body', { ...cookie, origin: ours }],
    ['with an empty body', { ...cookie, origin: ours, 'content-length': '0' }],
    ['with a character set', { ...cookie, ...json, 'content-type': 'application/json; charset=utf-8', origin: ours }],
    ['of a program with a token of its own', { ...json, authorization: 'Bearer abc' }],
  ])('%s is taken', (_title, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(judge(method, headers)).toBe('taken')
  })
  it.each([
    [
      'of a name that somebody points at this service, at the very host that was called',
      { ...cookie, ...json, host: 'evil.example', origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['of another site', { ...cookie, ...json, origin: 'https://evil.example' }],
    [
      'of another site that the browser calls ours',
      { ...cookie, ...json, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['of a sibling domain', { ...cookie, ...json, origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
    [
      'of our origin, as the browser says, by another site',
      { ...cookie, ...json, origin: ours, 'sec-fetch-site': 'cross-site' },
    ],
    ['of an opaque origin', { ...cookie, ...json, origin: 'null' }],
    ['over plain HTTP', { ...cookie, ...json, origin: 'http://leads.example.com' }],
    ['with a path in its origin', { ...cookie, ...json, origin: `${ours}/x` }],
    ['that says nothing of where it was made', { ...cookie, ...json }],
    ['that says nothing, with a token beside a cookie', { ...cookie, ...json, authorization: 'Bearer abc' }],
    ['that says nothing, with no token', { ...json, authorization: 'Bearer ' }],
    [
      'with a token, by a page of another site',
      { ...json, authorization: 'Bearer abc', origin: 'https://evil.example' },
    ],
    ['whose body a form can send', { ...cookie, ...json, origin: ours, 'content-type': 'text/plain' }],
    [
      'whose body a form can send, in pieces',
      { ...cookie, origin: ours, 'transfer-encoding': 'chunked', 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['whose body says not what it is', { ...cookie, origin: ours, 'content-length': '2' }],
    ['whose body only begins like JSON', { ...cookie, ...json, origin: ours, 'content-type': 'application/jsonish' }],
  ])('%s is refused', (_title, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(judge(method, headers)).toBe('origin_refused')
  })
})

it("a change on a developer's machine may come from its other names, on the same port alone", () => {
  const local = 'http://127.0.0.1:8080'
  const from = (origin: string) => judge('POST', { ...cookie, ...json, origin }, local)
  expect(['http://localhost:8080', 'http://[::1]:8080', local].map(from)).toEqual(['taken', 'taken', 'taken'])
  for (const origin of ['http://localhost:8081', 'https://localhost:8080', 'http://localhost.evil.example:8080'])
    expect(from(origin)).toBe('origin_refused')
})

describe('a read', () => {
  it.each([
    [{}, 'taken'],
    [{ 'sec-fetch-site': 'same-origin' }, 'taken'],
    [{ 'sec-fetch-site': 'none' }, 'taken'],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'taken'],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'origin_refused'],
    [{ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 'origin_refused'],
  ])('with %j: %s', (headers, expected) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) expect(judge(method, { ...cookie, ...headers })).toBe(expected)
  })
})
