import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { les, startStub, type Stub } from './shell.ts'

let stub: Stub
beforeEach(async () => {
  stub = await startStub(({ path }) =>
    path.endsWith('/nope')
      ? { status: 404, text: '{"error":"No such endpoint", "code":"not_found"}' }
      : { text: '{ "ok":1 }' },
  )
})
afterEach(() => stub.close())

describe('les api', () => {
  it.each([
    ['get leads --field limit=10 --field name=A&B', 'GET', '/api/v1/leads', { limit: '10', name: 'A&B' }, undefined],
    ['GET /api/v1/leads?limit=2 --field offset=3', 'GET', '/api/v1/leads', { limit: '2', offset: '3' }, undefined],
    ['DELETE /keys/k', 'DELETE', '/api/v1/keys/k', {}, undefined],
    [
      'POST /enrich/profile --field username=jane=1 --field creditCapPerSync=null --field x=true --field n=-5 --field z=007',
      'POST',
      '/api/v1/enrich/profile',
      {},
      { username: 'jane=1', creditCapPerSync: null, x: true, n: -5, z: '007' },
    ],
    ['PUT /sources/s/outreach --body null', 'PUT', '/api/v1/sources/s/outreach', {}, null],
    ['POST /sources/s/sync', 'POST', '/api/v1/sources/s/sync', {}, {}],
    ['GET //evil.example/x', 'GET', '/api/v1//evil.example/x', {}, undefined],
  ])('%j sends %s %s [CLI-01]', async (argv, method, path, query, body) => {
    expect(await les(`api ${argv}`, { url: stub.url })).toEqual({
      code: 0,
      stdout: '{ "ok":1 }\n',
      stderr: '',
      pausesMs: [],
    })
    expect(stub.received[0]).toMatchObject({ method, path, query, headers: { 'x-api-key': 'test-key' } })
    expect(stub.received[0]!.body).toEqual(body)
  })

  it('prints refusals as they come and ends like any command [CLI-01]', async () => {
    expect(await les('api GET /nope', { url: stub.url })).toEqual({
      code: 5,
      stdout: '{"error":"No such endpoint", "code":"not_found"}\n',
      stderr: 'les: No such endpoint\n',
      pausesMs: [],
    })
  })

  it('sends one key with every try of a request, or the one that is given', async () => {
    await stub.close()
    let tries = 0
    stub = await startStub(() =>
      ++tries % 2 === 1 ? { status: 429, text: '{"error":"Slow down","code":"rate_limited"}' } : { text: '{}' },
    )
    for (const flags of [[], ['--idempotency-key', 'once']])
      expect((await les(['api', 'POST', '/keys', ...flags], { url: stub.url })).code).toBe(0)
    const [own, ...others] = stub.received.map(({ headers }) => headers['idempotency-key'])
    expect(own).toMatch(/./)
    expect(others).toEqual([own, 'once', 'once'])
  })

  it.each([
    [['GET', 'https://evil.example/x']],
    [['FETCH', '/x']],
    [['GET', '/x', '--body', '{}']],
    [['POST', '/x', '--body', '{}', '--field', 'a=1']],
    [['POST', '/x', '--field', 'a']],
    [['GET']],
  ])('%j is a usage error and sends nothing', async (argv) => {
    expect((await les(['api', ...argv], { url: stub.url })).code).toBe(2)
    expect(stub.received).toEqual([])
  })
})
