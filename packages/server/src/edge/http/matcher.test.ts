import { expect, test } from 'vitest'
import { makeMatcher } from './matcher.ts'
import { readTarget } from './target.ts'

const routes = [
  { method: 'PATCH', path: '/profile/{username}' },
  { method: 'DELETE', path: '/profile/{username}' },
  { method: 'GET', path: '/profile/{username}/posts' },
  { method: 'POST', path: '/profile/posts' },
  { method: 'GET', path: '/sources' },
  { method: 'GET', path: '/sources/{id}/sync' },
  { method: 'POST', path: '/post/track' },
  { method: 'DELETE', path: '/post/{urn}' },
] as const
const match = makeMatcher(routes)
const at = (method: string, path: string) => match(method, readTarget(`/api/v1${path}`, '/api/v1').segments)

test('a literal wins for the methods it serves, and the parameter serves the rest [CON-17]', () => {
  expect(at('POST', '/profile/posts')).toMatchObject({ kind: 'found', route: routes[3], params: {} })
  expect(at('PATCH', '/profile/posts')).toMatchObject({ kind: 'found', params: { username: 'posts' } })
  expect(at('DELETE', '/post/track')).toMatchObject({ kind: 'found', params: { urn: 'track' } })
  expect(at('GET', '/profile/posts/posts')).toMatchObject({ kind: 'found', params: { username: 'posts' } })
})

test('allowed is the union of all that match, the literal first [CON-17]', () => {
  expect(at('GET', '/profile/posts')).toEqual({ kind: 'method_not_allowed', allowed: ['POST', 'PATCH', 'DELETE'] })
  expect(at('PUT', '/profile/jane')).toEqual({ kind: 'method_not_allowed', allowed: ['PATCH', 'DELETE'] })
})

test('paths are split before they are decoded, and decoded once', () => {
  expect(at('DELETE', '/post/urn%3Ali%3Aactivity%3A7')).toMatchObject({ params: { urn: 'urn:li:activity:7' } })
  expect(at('DELETE', '/post/urn:li:activity:7')).toMatchObject({ params: { urn: 'urn:li:activity:7' } })
  expect(at('PATCH', '/profile/a%2Fposts')).toMatchObject({ params: { username: 'a/posts' } })
  expect(at('PATCH', '/profile/a%252Fb')).toMatchObject({ params: { username: 'a%2Fb' } })
})

test('what nobody serves, cannot be decoded, or has an empty segment is no endpoint [CON-16, CON-18]', () => {
  for (const path of ['/sources/x', '/sources/', '/profile//posts', '/profile/%zz', '/profile/%E4', '', '/'])
    for (const method of ['GET', 'PATCH', 'HEAD']) expect(at(method, path).kind).toBe('no_such_endpoint')
})

test('a route served twice is a mistake found at the start', () => {
  expect(() => makeMatcher([...routes, { method: 'PATCH', path: '/profile/{handle}' }])).toThrow('served twice')
})

test('a query is read pair by pair, decoded once', () => {
  const query = (search: string) => readTarget(`/api/v1/x?${search}`, '/api/v1').query
  expect(query('a=1&b=x+y%2B&c&=d&&a=%zz')).toEqual([
    ['a', '1'],
    ['b', 'x y+'],
    ['c', ''],
    ['', 'd'],
    ['a', null],
  ])
  expect(query('')).toEqual([])
  expect(query('a=b=c?d')).toEqual([['a', 'b=c?d']])
})
