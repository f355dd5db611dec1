/** The twins of destinations over HTTP, as their platforms are documented: limits, refusals, and what people change there. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

const call = async (
  address: string,
  { method = 'GET', key, body }: { method?: string; key: string; body?: object },
): Promise<{ status: number; json: any }> => {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, json: await response.json() }
}
const hubspot = (path: string) => `${sandbox.addresses.destinations.hubspot}${path}`
const upsert = (inputs: object[], key = 'pat-of-a-test') =>
  call(hubspot('/crm/objects/2026-09/contacts/batch/upsert'), { method: 'POST', key, body: { inputs } })
const contact = (email: string, more: object = {}) => ({
  id: email,
  idProperty: 'email',
  properties: { firstname: 'A' },
  ...more,
})

test('HubSpot: one bad input refuses a batch without trace ids, and itself alone with them', async () => {
  const bad = { firstname: 'B', hs_lead_status: 'SLEEPY' }
  expect((await upsert([contact('a@x.example'), contact('b@x.example', { properties: bad })])).status).toBe(400)
  expect(sandbox.world.twins.hubspot.view('pat-of-a-test')).toMatchObject({ contacts: [] })
  const { status, json } = await upsert([
    contact('a@x.example', { objectWriteTraceId: '1' }),
    contact('b@x.example', { objectWriteTraceId: '2', properties: bad }),
  ])
  expect([status, json.results.length, json.results[0].new, json.numErrors]).toEqual([207, 1, true, 1])
  expect(json.errors[0]).toMatchObject({
    category: 'VALIDATION_ERROR',
    message: expect.stringContaining('"error":"INVALID_OPTION","message":"SLEEPY was not one of the allowed options'),
    context: { objectWriteTraceId: ['2'] },
  })
})

test.each([
  ['more than a hundred inputs', Array.from({ length: 101 }, (_, at) => contact(`p${at}@x.example`))],
  ['one key twice', [contact('a@x.example'), contact('a@x.example')]],
  ['a property that is not unique', [contact('a@x.example', { idProperty: 'firstname' })]],
])('HubSpot: %s refuses the batch', async (_what, inputs) => {
  expect(await upsert(inputs)).toMatchObject({ status: 400, json: { category: 'VALIDATION_ERROR' } })
})

test('HubSpot: 190 calls in ten seconds, then a 429 with its policy, until the window has moved', async () => {
  const ask = () => call(hubspot('/account-info/2026-09/details'), { key: 'pat-of-a-test' })
  for (let made = 0; made < 190; made += 1) expect((await ask()).status).toBe(200)
  expect(await ask()).toMatchObject({ status: 429, json: { policyName: 'TEN_SECONDLY_ROLLING' } })
  sandbox.clock.ms += 10_001
  expect((await ask()).status).toBe(200)
})

test.each([
  ['hubspot', '/account-info/2026-09/details', 401],
  ['attio', '/v2/self', 401],
] as const)('%s: any well-formed token is taken, others are refused', async (name, path, status) => {
  const address = `${sandbox.addresses.destinations[name]}${path}`
  expect((await call(address, { key: 'any-token-at-all' })).status).toBe(200)
  for (const key of ['short', 'token-that-was-revoked']) expect((await call(address, { key })).status).toBe(status)
})

test('Salesforce: a session by client credentials, and 401 without one', async () => {
  const base = sandbox.addresses.destinations.salesforce
  const session = (client: string) =>
    fetch(`${base}/services/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: 'a-secret' }),
    })
  const opened = (await (await session('consumer-key')).json()) as { access_token: string; scope: string }
  expect(opened.scope).toBe('api id')
  const path = '/services/data/v68.0/sobjects/Lead/describe'
  expect((await call(base + path, { key: opened.access_token })).status).toBe(200)
  expect(await call(base + path, { key: 'some-other-session' })).toMatchObject({
    status: 401,
    json: [{ errorCode: 'INVALID_SESSION_ID' }],
  })
  expect((await session('revoked-key')).status).toBe(400)
})

test('what a twin holds is read, and what people do there is done, through /control', async () => {
  const at = 'destinations/hubspot?key=pat-of-a-test'
  const made = { do: 'create', object: 'contacts', properties: { email: 'a@x.example' } }
  expect((await sandbox.control('POST', at, made)).json).toEqual({ ok: true })
  expect((await sandbox.control('GET', at)).json).toMatchObject({
    contacts: [{ properties: { email: 'a@x.example' } }],
  })
  expect((await sandbox.control('POST', at, { do: 'nonsense' })).status).toBe(400)
  expect((await sandbox.control('GET', 'destinations/nowhere?key=x')).status).toBe(404)
})
