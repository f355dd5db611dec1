import { expect, test } from 'vitest'
import { readCredential, readSigningSecrets } from '../../src/modules/accounts/index.ts'
import { snapshot } from '../world/snapshot.ts'
import { operatorToken, request, startLocalService, useLocalService } from './local-service.ts'

const service = useLocalService()

const unknownId = '00000000-0000-4000-8000-000000000000'
const routes = [
  ['POST', '/teams'],
  ['GET', `/teams/${unknownId}`],
  ['POST', '/clock'],
  ['GET', '/clock'],
  ['POST', '/drain'],
  ['PUT', '/faults/handler'],
  ['GET', '/nope'],
] as const

test('without the token everything is 401, also what does not exist', async () => {
  const before = await snapshot(service.database.pool)
  for (const [method, path] of routes) {
    for (const authorization of [
      undefined,
      'Bearer wrong',
      `Basic ${operatorToken}`,
      operatorToken,
      `Bearer ${operatorToken}x`,
    ]) {
      const answer = await service.call(method, `/operator${path}`, {
        body: {},
        headers: authorization ? { authorization } : {},
      })
      expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['error']])
    }
  }
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('a team is made with a key that works, a signing secret, and an account opened as asked', async () => {
  const made = await service.operate('POST', '/teams', {
    name: 'Acme',
    credits: 77,
    grantCredits: 5,
    limits: { reads: 9 },
    keywordDailyCeiling: 1,
    leadCap: 3,
    captureAllowed: false,
    keepDays: {},
  })
  expect([made.status, made.body]).toEqual([
    201,
    {
      team: { id: expect.any(String), name: 'Acme', plan: 'growth', status: 'active', trialEndsAt: null },
      apiKey: expect.stringMatching(/^cs_/),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    },
  ])
  const { id } = made.body.team
  expect((await service.api('GET', '/keys', made.body.apiKey)).status).toBe(200)
  const read = await service.operate('GET', `/teams/${id}`)
  expect([read.status, read.body.team]).toEqual([
    200,
    {
      ...made.body.team,
      limits: { reads: 9, writes: 60, untrackedPosts: 10 },
      keywordDailyCeiling: 1,
      leadCap: 3,
      captureAllowed: false,
      sourceCap: 10_000,
      vendorCallsPerDay: null,
      keepDays: {},
      createdAt: '2026-06-01T12:00:00.000Z',
      credits: {
        balance: 82,
        used: 0,
        limit: 77,
        remaining: 77,
        plan: 'growth',
        nextReset: '2026-07-01T12:00:00.000Z',
      },
    },
  ])
})

test('a trial lasts 14 days unless told otherwise, and ends in a subscription', async () => {
  const made = await service.operate('POST', '/teams', { name: 'T', status: 'trial' })
  expect(made.body.team).toMatchObject({ plan: 'trial', status: 'trial', trialEndsAt: '2026-06-15T12:00:00.000Z' })
  const changed = await service.operate('PATCH', `/teams/${made.body.team.id}`, { status: 'active', credits: 9 })
  expect(changed.body.team).toMatchObject({ plan: 'growth', status: 'active' })
  expect(changed.body.team.credits).toMatchObject({ limit: 9, balance: 9, nextReset: '2026-07-01T12:00:00.000Z' })
  const team = { status: 'active', trialEndsAt: '2026-05-20T12:00:00.000Z' }
  await service.operate('PATCH', `/teams/${made.body.team.id}`, team)
  const again = await service.operate('PATCH', `/teams/${made.body.team.id}`, { status: 'trial' })
  expect(again.body.team).toMatchObject({ plan: 'trial', status: 'trial', trialEndsAt: '2026-06-15T12:00:00.000Z' })
})

test('secrets are sealed in the database and open only where they belong [AUT-17, AIF-02]', async () => {
  const team = await service.team()
  const { root, pool } = service.database
  const now = await service.clock.now(root)
  expect(await readSigningSecrets(root, { vault: service.vault, teamId: team.id, now })).toEqual({
    current: team.secret,
    previous: null,
  })
  await pool.query(
    'update team set previous_signing_secret = signing_secret, previous_secret_until = $2 where id = $1',
    [team.id, new Date(now.getTime() + 1)],
  )
  expect((await readSigningSecrets(root, { vault: service.vault, teamId: team.id, now })).previous).toBe(team.secret)
  expect(
    (await readSigningSecrets(root, { vault: service.vault, teamId: team.id, now: new Date(now.getTime() + 1) }))
      .previous,
  ).toBeNull()

  const stored = await service.operate('PUT', `/teams/${team.id}/credentials/openai`, { key: 'sk-very-secret' })
  expect([stored.status, stored.text]).toEqual([200, '{"stored":true}'])
  expect(await readCredential(root, { vault: service.vault, teamId: team.id, kind: 'openai' })).toBe('sk-very-secret')
  expect(await readCredential(root, { vault: service.vault, teamId: team.id, kind: 'outreach' })).toBeNull()
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from team_credential where team_id = $1', [
    team.id,
  ])
  expect(rows[0]!.sealed.toString('latin1')).not.toContain('secret')
  await pool.query(
    `insert into team_credential select team_id, 'google', sealed, stored_at from team_credential where team_id = $1`,
    [team.id],
  )
  await expect(readCredential(root, { vault: service.vault, teamId: team.id, kind: 'google' })).rejects.toThrow()

  await service.operate('PUT', `/teams/${team.id}/credentials/openai`, { key: 'sk-second' })
  expect(await readCredential(root, { vault: service.vault, teamId: team.id, kind: 'openai' })).toBe('sk-second')
  for (let times = 0; times < 2; times++)
    expect((await service.operate('PUT', `/teams/${team.id}/credentials/openai`, { key: null })).body).toEqual({
      stored: false,
    })
  expect(await readCredential(root, { vault: service.vault, teamId: team.id, kind: 'openai' })).toBeNull()
})

test('keys are made for a team up to its limit', async () => {
  const team = await service.team()
  for (let made = 0; made < 9; made++) {
    const answer = await service.operate('POST', `/teams/${team.id}/keys`, { name: `k${made}` })
    expect([answer.status, Object.keys(answer.body)]).toEqual([201, ['apiKey']])
    if (made === 0) expect((await service.api('GET', '/keys', answer.body.apiKey)).status).toBe(200)
  }
  const beyond = await service.operate('POST', `/teams/${team.id}/keys`, { name: 'eleventh' })
  expect([beyond.status, Object.keys(beyond.body)]).toEqual([403, ['error']])
})

test('mistakes are 400 naming the field, unknown things 404; neither changes anything', async () => {
  const team = await service.team()
  const before = await snapshot(service.database.pool)
  const bad: [method: string, path: string, body: unknown, message: string][] = [
    ['POST', '/teams', {}, '`name` is required'],
    ['POST', '/teams', { name: '' }, '`name`'],
    ['POST', '/teams', { name: 'a\u0000b' }, '`name` must not contain NUL'],
    ['POST', '/teams', { name: 'x', status: 'gold' }, '`status` must be active, trial or expired'],
    ['POST', '/teams', { name: 'x', credits: -1 }, '`credits`'],
    ['POST', '/teams', { name: 'x', limits: { reads: 0 } }, '`limits.reads`'],
    ['POST', '/teams', { name: 'x', trialEndsAt: 'soon' }, '`trialEndsAt` must be an ISO 8601'],
    ['POST', '/teams', { name: 'x', colour: 'red' }, 'colour'],
    ['PATCH', `/teams/${team.id}`, { plan: 7 }, '`plan`'],
    ['PUT', `/teams/${team.id}/credentials/openai`, {}, '`key` is required'],
    // A header cannot contain these; the HTTP client's error would put the key into the log.
    ...['a\nb', 'a b', 'ключ', '', 'x'.repeat(4_001), 7].map((key): (typeof bad)[number] => [
      'PUT',
      `/teams/${team.id}/credentials/anthropic`,
      { key },
      '`key` must be a key',
    ]),
    ['POST', '/clock', {}, 'either advanceSeconds or to'],
    ['POST', '/clock', { advanceSeconds: -1 }, '`advanceSeconds`'],
    ['POST', '/clock', { advanceSeconds: 1, to: '2027-01-01' }, 'either advanceSeconds or to'],
    ['POST', '/clock', { to: '2026-06-01T11:59:59Z' }, '`to` must not be earlier'],
    ['PUT', '/faults/handler', { times: 1, action: 'explode' }, '`action` must be fail or crash'],
  ]
  for (const [method, path, body, message] of bad) {
    const answer = await service.operate(method, path, body)
    expect([path, answer.status, answer.body.error, Object.keys(answer.body)]).toEqual([
      path,
      400,
      expect.stringContaining(message),
      ['error'],
    ])
  }
  const missing: [string, string, unknown][] = [
    ['GET', `/teams/${unknownId}`, undefined],
    ['GET', '/teams/no-uuid', undefined],
    ['PATCH', `/teams/${unknownId}`, { name: 'x' }],
    ['POST', `/teams/${unknownId}/keys`, { name: 'x' }],
    ['PUT', `/teams/${unknownId}/credentials/openai`, { key: 'x' }],
    ['PUT', `/teams/${unknownId}/credentials/openai`, { key: null }],
    ['PUT', `/teams/${team.id}/credentials/aws`, { key: 'x' }],
    ['PUT', '/faults/nonsense', { times: 1, action: 'fail' }],
    ['PUT', '/faults/toString', { times: 1, action: 'fail' }],
    ['GET', '/teams/%zz', undefined],
    ['GET', '', undefined],
  ]
  for (const [method, path, body] of missing) {
    const answer = await service.operate(method, path, body)
    expect([path, answer.status, Object.keys(answer.body)]).toEqual([path, 404, ['error']])
  }
  expect((await service.operate('DELETE', '/teams')).status).toBe(405)
  expect(await snapshot(service.database.pool)).toEqual(before)
})

test('the manual clock is read and moved, and whoever must know is told', async () => {
  const start = (await service.operate('GET', '/clock')).body
  expect(start.mode).toBe('manual')
  const moves = service.clockMoves.count
  const moved = await service.operate('POST', '/clock', { advanceSeconds: 1.5 })
  expect(new Date(moved.body.now).getTime()).toBe(new Date(start.now).getTime() + 1_500)
  expect((await service.operate('POST', '/clock', { to: '2026-06-02' })).body.now).toBe('2026-06-02T00:00:00.000Z')
  expect((await service.operate('POST', '/clock', { to: '2026-06-02' })).status).toBe(200)
  expect((await service.operate('GET', '/clock')).body).toEqual({ now: '2026-06-02T00:00:00.000Z', mode: 'manual' })
  expect(service.clockMoves.count).toBe(moves + 3)
})

test('drain answers what was done, faults are listed and armed', async () => {
  expect((await service.operate('POST', '/drain')).body).toEqual({ processed: 0, byKind: {} })
  expect((await service.operate('GET', '/faults')).body.faults).toEqual(
    expect.arrayContaining(['handler', 'mode_read', 'agent_save']),
  )
  expect((await service.operate('PUT', '/faults/handler', { times: 0, action: 'fail' })).status).toBe(200)
})

test('without LES_FAULTS there are no faults to arm', async () => {
  const plain = await startLocalService({ faults: false })
  for (const [method, path] of [
    ['GET', '/faults'],
    ['PUT', '/faults/handler'],
  ] as const)
    expect((await plain.operate(method, path, { times: 1, action: 'fail' })).status).toBe(404)
  await plain.stop()
})

test('the operator draws on no window, and is not limited but for wrong tokens', async () => {
  const answers = await Promise.all(Array.from({ length: 150 }, () => service.operate('GET', '/clock')))
  expect(answers.every((answer) => answer.status === 200 && answer.headers['x-ratelimit-limit'] === undefined)).toBe(
    true,
  )
})

test('the right token is let in however many wrong ones the same proxy has forwarded [SEC-16]', async () => {
  const guessed = await startLocalService()
  try {
    const wrong = () =>
      request(guessed.url, 'GET', '/operator/clock', { headers: { authorization: 'Bearer a-wrong-guess' } })
    for (let count = 0; count < 100; count++) expect((await wrong()).status).toBe(401)
    const refused = await wrong()
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await request(guessed.url, 'GET', '/operator/clock')).status).toBe(429)
    expect((await guessed.operate('GET', '/clock')).status).toBe(200)
  } finally {
    await guessed.stop()
  }
})
