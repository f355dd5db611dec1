import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ProviderFailure, type ProviderFailureKind } from '../../src/providers/ports.ts'
import { refusal, refuse } from '../../src/platform/refusal.ts'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService, type TestTeam } from './local-service.ts'

const service = useLocalService()
let team: TestTeam
beforeAll(async () => {
  team = await service.team({ limits: { reads: 10_000, writes: 10_000 } })
})
beforeEach(() => {
  for (const id of Object.keys(service.stubs)) delete service.stubs[id as keyof typeof service.stubs]
  service.logLines.length = 0
})

const track = () => service.api('POST', '/enrich/profile', team.key, { username: 'jane' })
const touchTeam = (name: string) => async (tx: { db: { updateTable: Function } }) => {
  await tx.db.updateTable('team').set({ name }).where('id', '=', team.id).execute()
}

test('a bug is 500 without a code; the caller sees no internals, the log has the stack and the request id [ERR-21, ERR-01]', async () => {
  service.stubs.getCredits = async () => {
    throw new TypeError('secret detail of table credit_account, key cs_0123456789012345678901234567890')
  }
  const answer = await service.api('GET', '/credits', team.key, undefined, { 'x-request-id': 'trace-me' })
  expect([answer.status, answer.body]).toEqual([
    500,
    { error: 'Unexpected server error: read the state again before you retry', requestId: 'trace-me' },
  ])
  const line = service.logLines.find((text) => text.includes('trace-me'))!
  expect(line).toContain('failures.test.ts')
  expect(line).toContain('"operation":"getCredits"')
  expect(line).not.toContain('cs_0123456789')
})

test('a write that breaks after its work is undone whole, and the state can be read again [ERR-21]', async () => {
  await service.operate('PUT', '/faults/handler', { times: 1, action: 'fail' })
  const before = await snapshot(service.database.pool, ['armed_fault'])
  const broken = await service.api('POST', '/keys', team.key, { name: 'lost' }, { 'idempotency-key': 'after-a-bug' })
  expect([broken.status, broken.body.code]).toEqual([500, undefined])
  expect(await snapshot(service.database.pool, ['armed_fault'])).toEqual(before)
  expect(
    (await service.api('POST', '/keys', team.key, { name: 'lost' }, { 'idempotency-key': 'after-a-bug' })).status,
  ).toBe(201)
})

test.each(['rate_limited', 'unavailable', 'malformed', 'account'] as ProviderFailureKind[])(
  'a provider that is %s is 502 provider_unavailable, and nothing changed [ERR-22]',
  async (kind) => {
    service.stubs.enrichProfile = async () => {
      throw new ProviderFailure({ provider: 'harvestapi', operation: 'profile', kind, message: 'their internals' })
    }
    const before = await snapshot(service.database.pool)
    const answer = await track()
    expect([answer.status, answer.body.code]).toEqual([502, 'provider_unavailable'])
    expect(answer.text).not.toContain('internals')
    expect(await snapshot(service.database.pool)).toEqual(before)
  },
)

test('what a provider does not know is 404 without a code', async () => {
  service.stubs.resolveProfileUrn = async () => {
    throw new ProviderFailure({ provider: 'harvestapi', operation: 'profile', kind: 'not_found', message: 'x' })
  }
  const answer = await service.api('GET', '/profile/jane/urn', team.key)
  expect([answer.status, answer.body.code]).toEqual([404, undefined])
})

test('a refusal thrown in a unit of work undoes it, one returned keeps it', async () => {
  const before = await snapshot(service.database.pool)
  service.stubs.enrichProfile = (_input, { unitOfWork }) =>
    unitOfWork(async (tx) => {
      await touchTeam('thrown')(tx)
      return refuse('lead_not_found')
    })
  expect((await track()).status).toBe(404)
  expect(await snapshot(service.database.pool)).toEqual(before)
  service.stubs.enrichProfile = (_input, { unitOfWork }) =>
    unitOfWork(async (tx) => {
      await touchTeam('returned')(tx)
      return refusal('lead_not_found', { jobId: 'j' })
    })
  const kept = await track()
  expect([kept.status, kept.body.jobId]).toEqual([404, 'j'])
  expect((await service.operate('GET', `/teams/${team.id}`)).body.team.name).toBe('returned')
})

test('an answer that breaks the contract, or was made outside the unit of work, is a bug and commits nothing', async () => {
  const before = await snapshot(service.database.pool)
  service.stubs.enrichProfile = (_input, { unitOfWork }) =>
    unitOfWork(async (tx) => {
      await touchTeam('broken')(tx)
      return { jobId: 'not a uuid' }
    })
  expect((await track()).status).toBe(500)
  service.stubs.enrichProfile = async () => ({ jobId: '0190a1b2-0000-7000-8000-000000000000' })
  expect((await track()).status).toBe(500)
  service.stubs.getCredits = async () => ({ balance: 1.5 })
  expect((await service.api('GET', '/credits', team.key)).status).toBe(500)
  expect(await snapshot(service.database.pool)).toEqual(before)
  expect(service.logLines.join()).toContain('breaks its contract')
})

test('an answer carries the fields of the contract and no others', async () => {
  service.stubs.getCredits = async () => ({
    balance: 1,
    used: 2,
    limit: 3,
    remaining: 1,
    plan: 'growth',
    nextReset: '2026-07-01T00:00:00.000Z',
    internal: 'x',
  })
  const answer = await service.api('GET', '/credits', team.key)
  expect([answer.status, Object.keys(answer.body)]).toEqual([
    200,
    ['balance', 'used', 'limit', 'remaining', 'plan', 'nextReset'],
  ])
})

test('requests are counted by operation and status, with labels of our own only', async () => {
  await service.api('GET', '/keys', team.key)
  await service.api('GET', '/who/knows/what', team.key)
  const text = await service.metrics.text()
  expect(text).toMatch(/les_requests_total\{surface="api",operation="listKeys",status="200"\} \d+/)
  expect(text).toMatch(/les_requests_total\{surface="api",operation="none",status="404"\} \d+/)
  expect(text).not.toContain('knows')
})
