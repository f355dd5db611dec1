import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

const call = async (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  key = 'team-key',
): Promise<{ status: number; json: any; text: string }> => {
  const response = await fetch(`${sandbox.addresses.heyreach}${path}`, {
    method,
    headers: { 'x-api-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) }
}
const lead = (handle: string, more: object = {}) => ({
  profileUrl: `https://www.linkedin.com/in/${handle}`,
  firstName: 'Jane',
  lastName: 'Doe',
  ...more,
})
const add = (campaignId: number, leads: object[], more: object = {}) =>
  call('POST', '/campaign/AddLeadsToCampaignV2', {
    campaignId,
    accountLeadPairs: leads.map((one) => ({ lead: one })),
    resumeFinishedCampaign: false,
    resumePausedCampaign: false,
    ...more,
  })
const counts = (added: number, updated: number, failed: number) => ({
  addedLeadsCount: added,
  updatedLeadsCount: updated,
  failedLeadsCount: failed,
})
const seed = (more: object = {}): number => sandbox.world.outreach.seedCampaign({ key: 'team-key', ...more }).id

describe('keys', () => {
  it('are workspaces; bad ones are 401, and their campaigns are their own', async () => {
    expect([
      (await call('GET', '/auth/CheckApiKey')).status,
      (await call('GET', '/auth/CheckApiKey', undefined, 'bad-key')).status,
      (await call('GET', '/auth/CheckApiKey', undefined, '')).status,
    ]).toEqual([200, 401, 401])
    await sandbox.control('POST', 'outreach-keys', { key: 'team-key' })
    expect((await call('POST', '/campaign/GetAll', {})).status).toBe(401)
    await sandbox.control('POST', 'outreach-keys', { key: 'team-key', rejected: false })
    const id = seed()
    expect([
      (await call('GET', `/campaign/GetById?campaignId=${id}`)).status,
      (await call('GET', `/campaign/GetById?campaignId=${id}`, undefined, 'other')).status,
    ]).toEqual([200, 404])
  })
})

describe('campaigns', () => {
  it('of a new workspace are there to be seen, in pages of at most 100', async () => {
    const { json } = await call('POST', '/campaign/GetAll', { offset: 0, limit: 2 })
    expect([json.totalCount, json.items.map((row: any) => [row.id, row.status, row.campaignAccountIds])]).toEqual([
      6,
      [
        [1001, 'IN_PROGRESS', [501, 502]],
        [1002, 'PAUSED', [501]],
      ],
    ])
    expect(
      (await call('POST', '/campaign/GetAll', { offset: 4, limit: 100, statuses: ['FINISHED', 'IN_PROGRESS'] })).json,
    ).toEqual({ totalCount: 3, items: [] })
    expect((await call('POST', '/campaign/GetAll', { limit: 101 })).status).toBe(400)
  })

  it('are seeded, changed and read over /control', async () => {
    const made = (await sandbox.control('POST', 'campaigns', { key: 'team-key', name: 'Mine', accountIds: [9] })).json
    await add(made.id, [lead('jane-doe', { customUserFields: [{ name: 'signal', value: 'strong' }] })])
    expect((await sandbox.control('GET', `campaigns/${made.id}?key=team-key`)).json).toMatchObject({
      name: 'Mine',
      status: 'IN_PROGRESS',
      leads: [{ firstName: 'Jane', customFields: { signal: 'strong' }, times: 1 }],
    })
    expect(
      (await sandbox.control('POST', `campaigns/${made.id}`, { key: 'team-key', status: 'PAUSED' })).json.status,
    ).toBe('PAUSED')
    expect((await sandbox.control('GET', 'campaigns?key=team-key')).json.campaigns).toHaveLength(7)
    expect((await sandbox.control('GET', 'campaigns/5?key=team-key')).status).toBe(404)
  })
})

describe('leads', () => {
  it('are added once, then updated; who lacks part of a name is dropped without a word; a wrong address has failed', async () => {
    const id = seed()
    expect((await add(id, [lead('a'), lead('b')])).json).toEqual(counts(2, 0, 0))
    expect((await add(id, [lead('A'), lead('c')])).json).toEqual(counts(1, 1, 0))
    expect(
      (
        await add(id, [
          { profileUrl: 'https://www.linkedin.com/in/d', firstName: 'Only' },
          { profileUrl: 'https://www.linkedin.com/in/e' },
        ])
      ).json,
    ).toEqual(counts(0, 0, 0))
    expect((await add(id, [lead('f', { profileUrl: 'https://example.com/f' })])).json).toEqual(counts(0, 0, 1))
    expect(
      (await call('POST', '/campaign/GetLeadsFromCampaign', { campaignId: id, offset: 1, limit: 1 })).json,
    ).toMatchObject({
      totalCount: 3,
      items: [{ linkedInUserProfile: { profileUrl: 'https://www.linkedin.com/in/b' } }],
    })
  })

  it('lose the fields that lie beside them, and are refused fields with bad names', async () => {
    const id = seed()
    await call('POST', '/campaign/AddLeadsToCampaignV2', {
      campaignId: id,
      accountLeadPairs: [{ lead: lead('a'), customUserFields: [{ name: 'signal', value: 'lost' }] }],
    })
    expect(sandbox.world.outreach.campaign('team-key', id)?.leads[0]?.customFields).toEqual({})
    expect((await add(id, [lead('b', { customUserFields: [{ name: 'icp percent', value: '90' }] })])).status).toBe(400)
    expect(
      (
        await add(
          id,
          Array.from({ length: 101 }, (_, index) => lead(`many-${index}`)),
        )
      ).status,
    ).toBe(400)
  })

  it(
    'are refused by a draft and by what was canceled or failed; set a finished campaign going again whatever is ' +
      'asked; leave a paused one paused unless asked',
    async () => {
      for (const status of ['DRAFT', 'CANCELED', 'FAILED'] as const)
        expect(await add(seed({ status }), [lead('a')])).toMatchObject({
          status: 400,
          json: { errorMessage: expect.stringContaining('campaign') },
        })
      const [finished, paused] = [seed({ status: 'FINISHED' }), seed({ status: 'PAUSED' })]
      await add(finished, [lead('a')])
      await add(paused, [lead('a')])
      expect([
        sandbox.world.outreach.campaign('team-key', finished),
        sandbox.world.outreach.campaign('team-key', paused),
      ]).toMatchObject([
        { status: 'IN_PROGRESS', restarts: 1 },
        { status: 'PAUSED', restarts: 0 },
      ])
      await add(paused, [lead('b')], { resumePausedCampaign: true })
      expect(sandbox.world.outreach.campaign('team-key', paused)).toMatchObject({ status: 'IN_PROGRESS', restarts: 1 })
    },
  )
})

describe('faults', () => {
  it('a lost reply has done its work: the connection is cut, or another status comes', async () => {
    const id = seed()
    sandbox.world.fault({ kind: 'lost_reply', operation: 'AddLeadsToCampaignV2', times: 1 })
    await expect(add(id, [lead('a')])).rejects.toThrow('fetch failed')
    sandbox.world.fault({ kind: 'lost_reply', status: 503, times: 1, match: { campaignId: String(id) } })
    expect((await add(id, [lead('b')])).status).toBe(503)
    expect(sandbox.world.outreach.campaign('team-key', id)?.leads).toHaveLength(2)
    expect(sandbox.world.calls({ vendor: 'heyreach' }).map((each) => each.status)).toEqual(['reset', 503])
  })

  it('429, 5xx and unknown addresses look like the platform', async () => {
    sandbox.world.fault({ kind: 'status_429', retryAfterS: 3, times: 1 })
    expect(await call('GET', '/auth/CheckApiKey')).toMatchObject({
      status: 429,
      json: { errorMessage: expect.any(String) },
    })
    expect((await call('POST', '/lead/AddLeadsToCampaignV2', {})).status).toBe(404)
    expect((await call('GET', '/campaign/GetAll')).status).toBe(404)
  })
})
