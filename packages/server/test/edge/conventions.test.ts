import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService, type TestTeam } from './local-service.ts'

const service = useLocalService()
let team: TestTeam
let seen: { id: string; input: Record<string, unknown> }[] = []
beforeAll(async () => {
  team = await service.team({ limits: { reads: 100_000, writes: 100_000 } })
})
beforeEach(() => {
  seen = []
})

const handlers = [
  'enrichProfile',
  'getProfileSync',
  'getCompanySync',
  'listLeads',
  'updateProfileWebhook',
  'untrackProfile',
  'getJobStatus',
] as const
beforeAll(() => {
  for (const id of handlers)
    service.stubs[id] = async (input) => {
      seen.push({ id, input })
      throw Object.assign(new Error(), { stub: true })
    }
})
/** Checks that the call reached the handler; returns the handler's input. */
const reached = (answer: { status: number }, id: (typeof handlers)[number]) => {
  expect(answer.status).toBe(500)
  expect(seen.at(-1)?.id).toBe(id)
  return seen.at(-1)!.input
}

const get = (path: string) => service.api('GET', path, team.key)
const post = (path: string, raw: string | Buffer, headers?: Record<string, string>) =>
  service.call('POST', `/api/v1${path}`, { key: team.key, raw, headers })

test('the interface is served under /api/v1 and nowhere else [CON-01, VER-01]', async () => {
  expect((await get('/keys')).status).toBe(200)
  for (const path of [
    '/keys',
    '/api/v2/keys',
    '/api/keys',
    '/API/V1/keys',
    '//api/v1/keys',
    '/api/v1x/keys',
    '/',
    '/__api',
    '/%2e%2e/api/v1/keys',
    '/%zz',
  ]) {
    const answer = await service.call('GET', path, { key: team.key })
    expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'not_found'])
  }
})

test('bytes that are not UTF-8, 33 levels or 50,001 values are invalid_json; 32 levels and a byte order mark are fine', async () => {
  const nested = (depth: number) => `{"username":"x","y":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  for (const body of [
    Buffer.from([0x7b, 0xff, 0x7d]),
    Buffer.from('{"username":"\xe9"}', 'latin1'),
    nested(33),
    '['.repeat(200_000),
    `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
    `{"username":[${'1,'.repeat(50_000)}1]}`,
    `{"username":[${'{},'.repeat(25_000)}{}]}`,
  ]) {
    const answer = await post('/enrich/profile', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_json'])
  }
  for (const body of [
    nested(32),
    '\ufeff{"username":"x"}',
    `{"username":"x","y":"${','.repeat(30_000)}"}`,
    `{"username":"x","y":"${'['.repeat(50)}\\"${'['.repeat(50)}"}`,
  ])
    reached(await post('/enrich/profile', body), 'enrichProfile')
})

test('a body that is refused is told what it is: no JSON, no object, not UTF-8, or compressed [CON-07, CON-08]', async () => {
  const said = async (body: string | Buffer, headers?: Record<string, string>) =>
    (await post('/enrich/profile', body, headers)).body.error
  const object = 'The request body must be a JSON object'
  for (const [body, error] of [
    ['username=jane', `${object}, and is no valid JSON`],
    ['{"username":"jane"', `${object}, and is no valid JSON`],
    ['["jane"]', `${object}, not a list`],
    ['"jane"', `${object}, not a string`],
    ['5', `${object}, not a number`],
    ['true', `${object}, not a boolean`],
    ['null', `${object}, not null`],
    [Buffer.from([0x7b, 0xff, 0x7d]), `${object} in UTF-8`],
  ] as const)
    expect(await said(body)).toBe(error)
  const zipped = gzipSync('{"username":"jane"}')
  expect(await said(zipped, { 'content-encoding': 'gzip' })).toBe(
    `${object} as it is: one with a Content-Encoding is not read`,
  )
  expect(await said('{', { 'content-encoding': 'identity' })).toBe(`${object}, and is no valid JSON`)
})

test('a + that a query does not encode is one all the same before the offset of a time [CON-26]', async () => {
  const since = new Date('2026-11-01T10:30:00.000Z')
  for (const text of ['2026-11-01T12:30:00+02:00', '2026-11-01T12:30:00%2B02:00', '2026-11-01T10:30:00.000000+00:00'])
    expect(reached(await get(`/leads?since=${text}`), 'listLeads')).toMatchObject({ since })
  expect((await get('/leads?since=2026-11-01+12:30')).status).toBe(400)
})

test('any content type is read as JSON', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    ';;;',
    'application/json; charset=utf-16',
    '',
  ]) {
    reached(await post('/enrich/profile', '{"username":"jane"}', { 'content-type': type }), 'enrichProfile')
  }
})

test('256 KB of body are read, one byte more is 413 without a code, told after key, rate and path', async () => {
  const padded = (size: number) => `{"username":"x"}`.padEnd(size, ' ')
  reached(await post('/enrich/profile', padded(262_144)), 'enrichProfile')
  const before = await snapshot(service.database.pool)
  for (const size of [262_145, 1_000_000, 12_000_000]) {
    const answer = await post('/enrich/profile', padded(size))
    expect([answer.status, answer.body.code]).toEqual([413, undefined])
    const chunked = await service.call('POST', '/api/v1/enrich/profile', {
      key: team.key,
      raw: padded(size),
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect(chunked.status).toBe(413)
  }
  expect((await service.call('POST', '/api/v1/enrich/profile', { raw: padded(300_000) })).status).toBe(401)
  expect((await post('/nope', padded(300_000))).status).toBe(404)
  expect((await post('/credits', padded(300_000))).status).toBe(405)
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('a company page URL in a path is split after routing, decoded, and unwrapped [CON-15]', async () => {
  const wanted = { username: 'acme' }
  for (const slug of [
    'acme',
    'ACME',
    '%40acme',
    '%61cme',
    encodeURIComponent('https://www.linkedin.com/company/acme/'),
    encodeURIComponent('linkedin.com/company/Acme?x=1'),
  ])
    expect(reached(await get(`/company/${slug}/sync`), 'getCompanySync')).toEqual(wanted)
  expect(reached(await get('/profile/j%C3%BCrgen/sync'), 'getProfileSync')).toEqual({ username: 'jürgen' })
  // Decoded until nothing is encoded (G146); the resulting slash is not allowed in a handle.
  expect((await get('/profile/jane%252Fdoe/sync')).status).toBe(400)
  expect(reached(await get('/profile/j%25C3%25BCrgen/sync'), 'getProfileSync')).toEqual({ username: 'jürgen' })
})

test('a path nobody serves is 404 not_found, also when it is malformed or ends in a slash [CON-16, CON-18, VER-12]', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  for (const path of [
    '',
    '/',
    '/nope',
    '/keys/',
    '//keys',
    '/keys//',
    '/profile//sync',
    '/profile/%zz/sync',
    '/profile/%ff/sync',
    '/profile/%C3/sync',
    `/sources/${id}`,
    '/keys/a/b',
    '/credits%2Fusage',
    '/%00',
    '/keys%00',
    '/Keys',
  ]) {
    for (const method of ['GET', 'PATCH', 'OPTIONS']) {
      const answer = await service.api(method, path, team.key)
      expect([path, method, answer.status]).toEqual([path, method, 404])
      expect(answer.body).toMatchObject({ error: 'No such endpoint', code: 'not_found' })
    }
  }
})

test('query names: unknown ones are ignored, repeated or undecodable ones refused by name [ERR-03]', async () => {
  expect(reached(await get('/leads?limit=7&foo=bar&&x'), 'listLeads')).toMatchObject({ limit: 7, offset: 0 })
  expect((await get('/leads?limt=7&foo=bar')).headers['x-ignored-parameters']).toBe('limt;did-you-mean=limit, foo')
  expect((await get('/leads?limit=7')).headers).not.toHaveProperty('x-ignored-parameters')
  expect(reached(await get('/leads?name=Anna+Maria%2B'), 'listLeads')).toMatchObject({ name: 'Anna Maria+' })
  for (const [query, message] of [
    ['limit=1&limit=1', '`limit` must not be repeated in the query'],
    ['foo=1&foo=2', '`foo` must not be repeated in the query'],
    ['name=%zz', '`name` must be percent-encoded UTF-8'],
    ['name=%ED%A0%80', '`name` must be percent-encoded UTF-8'],
    ['%ff=1', '`%ff` must be percent-encoded UTF-8'],
    ['name=a%00b', '`name` must not contain NUL or an unpaired surrogate'],
    ['a%00b=1', '`a\uFFFDb` must not contain NUL or an unpaired surrogate in its name'],
    ['limit=0', '`limit` must be a whole number from 1 to 100'],
    ['limit=101', '`limit` must be a whole number from 1 to 100'],
    ['limit=1.5', '`limit` must be a whole number from 1 to 100'],
    ['limit=', '`limit` must be a whole number from 1 to 100'],
    ['isIcp=TRUE', '`isIcp` must be true or false'],
    [
      'profileId=00000000-0000-4000-8000-000000000000&username=x',
      '`profileId` cannot be combined with username: send one of the two',
    ],
  ]) {
    const answer = await get(`/leads?${query}`)
    expect([query, answer.status, answer.body.error, answer.body.code]).toEqual([query, 400, message, undefined])
  }
})

test('NUL and unpaired surrogates are refused by name wherever they stand; a path parameter has at most 2,000 characters', async () => {
  for (const [body, message] of [
    ['{"username":"a\\u0000b"}', '`username` must not contain NUL or an unpaired surrogate'],
    ['{"username":"a\\ud800b"}', '`username` must not contain NUL or an unpaired surrogate'],
    ['{"username":"a","deep":[{"er":["\\udc00"]}]}', '`deep[0].er[0]` must not contain NUL or an unpaired surrogate'],
    ['{"username":"a","x\\ud800":1}', '`x\uFFFD` must not contain NUL or an unpaired surrogate in its name'],
  ] as const)
    expect((await post('/enrich/profile', body)).body.error).toBe(message)
  expect((await get('/profile/a%00b/sync')).body.error).toBe('`username` must not contain NUL or an unpaired surrogate')
  expect(reached(await get(`/jobs/${'x'.repeat(2_000)}/status`), 'getJobStatus')).toEqual({ jobId: null })
  expect(reached(await get(`/jobs/${'%E4%BD%A0'.repeat(2_000)}/status`), 'getJobStatus')).toEqual({ jobId: null })
  expect((await get(`/jobs/${'x'.repeat(2_001)}/status`)).body.error).toBe('`jobId` must be at most 2000 characters')
  const monster = await get(`/jobs/${'x'.repeat(60_000)}/status`)
  expect([monster.status, typeof monster.body.error]).toEqual([431, 'string'])
})

test('of a repeated body name the last one counts, and a prototype in a body is just an unknown field', async () => {
  expect(reached(await post('/enrich/profile', '{"username":7,"username":"jane"}'), 'enrichProfile')).toEqual({
    username: 'jane',
  })
  const input = reached(
    await post('/enrich/profile', '{"username":"jane","__proto__":{"saveTrackedProfile":true},"constructor":1}'),
    'enrichProfile',
  )
  expect(input.saveTrackedProfile).toBeUndefined()
})

test('the description declares 1.0.0 and needs no key [VER-02]', async () => {
  const answer = await service.call('GET', '/openapi.json')
  expect([answer.status, answer.body.openapi, answer.body.info.version]).toEqual([200, '3.1.0', '1.0.0'])
  expect(Object.keys(answer.body.paths).every((path) => path.startsWith('/api/v1/'))).toBe(true)
  expect(answer.headers['x-request-id']).toBeDefined()
})
