/** The HeyReach adapter without a socket: requests, retries, pages, and how answers are read. */
import { describe, expect, it } from 'vitest'
import { answering, failuresOf, type Served, stillClock } from '../../../test/providers/answers.ts'
import { EgressFailure } from '../../platform/egress/types.ts'
import type { BudgetRequest, VendorBudget } from '../budget.ts'
import type { VendorLogEntry } from '../calls.ts'
import { createHeyReach } from './heyreach.ts'
import { createHeyReachClient, type HeyReachCall, type HeyReachOptions } from './heyreach-client.ts'
import { OutreachFailure, type OutreachLead } from './port.ts'

const key = 'k'.repeat(40)
const base = 'https://vendor.example/api/public'
const done: Served = { body: { addedLeadsCount: 1, updatedLeadsCount: 0, failedLeadsCount: 0 } }
const lead = (handle: string, more: Partial<OutreachLead> = {}): OutreachLead => ({
  profileUrl: `https://www.linkedin.com/in/${handle}`,
  name: 'Jane Doe',
  headline: null,
  jobTitle: null,
  company: null,
  country: null,
  email: null,
  customFields: {},
  ...more,
})

function before(...served: (Served | Error)[]) {
  const egress = answering(...served)
  const system = stillClock()
  const places: [string, BudgetRequest][] = []
  const log: VendorLogEntry[] = []
  let released = 0
  const budget: VendorBudget = {
    acquire: async (account, request) => {
      places.push([account, request])
      return { release: async () => void (released += 1) }
    },
    findConcurrencyLimit: async () => null,
    saveConcurrencyLimit: async () => {},
  }
  const open = (change: Partial<HeyReachOptions> = {}) =>
    createHeyReach({
      baseUrl: `${base}//`,
      egress,
      budget,
      system,
      random: { next: () => 0.5 },
      log: (entry) => void log.push(entry),
      ...change,
    })
  const options = { baseUrl: base, egress, budget, system, random: { next: () => 0.5 } }
  const send = (call: HeyReachCall) => createHeyReachClient(options)(key, call)
  return { platform: open(), open, send, asked: egress.asked, system, places, log, budget, released: () => released }
}
const failureOf = failuresOf(OutreachFailure)

describe('leads', () => {
  it('are added 1 to 100 at a time, and a mistake asks nobody', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => lead(`p-${at}`))
    const { platform, asked } = before(done)
    for (const wrong of [0, 101])
      await expect(platform.addLeads(key, '77', many(wrong))).rejects.toThrow('addLeads takes 1 to 100 leads')
    expect(asked).toHaveLength(0)
    expect(await platform.addLeads(key, '77', many(100))).toEqual({ added: 1, updated: 0, failed: 99 })
  })
  it.each([
    [1, 0, 0, { added: 1, updated: 0, failed: 2 }],
    [1, 1, 1, { added: 1, updated: 1, failed: 1 }],
    [0, 0, 0, { added: 0, updated: 0, failed: 3 }],
    [0, 3, 0, { added: 0, updated: 3, failed: 0 }],
    [2, 2, 0, { added: 2, updated: 1, failed: 0 }],
    [9, 9, 9, { added: 3, updated: 0, failed: 0 }],
  ])('counted as %i added, %i updated, %i failed', async (added, updated, failed, counted) => {
    const { platform } = before({
      body: { addedLeadsCount: added, updatedLeadsCount: updated, failedLeadsCount: failed },
    })
    expect(await platform.addLeads(key, '77', [lead('a'), lead('b'), lead('c')])).toEqual(counted)
  })
  it.each([
    {},
    { addedLeadsCount: -1, updatedLeadsCount: 0, failedLeadsCount: 0 },
    { addedLeadsCount: 1.5, updatedLeadsCount: 0, failedLeadsCount: 0 },
    null,
  ])('that are counted as %j may have been added', async (body) => {
    const failure = await failureOf(before({ body }).platform.addLeads(key, '77', [lead('a')]))
    expect(failure).toMatchObject({
      kind: 'unreadable',
      done: 'maybe',
      message: 'heyreach AddLeadsToCampaignV2: the answer has not the promised shape',
    })
  })
})

describe('campaigns', () => {
  const row = { id: 7, name: ' Spring ', status: 'PAUSED', campaignAccountIds: [5, 6] }
  it('are named by whole numbers of at most 15 digits: nobody is asked for another', async () => {
    const { platform, asked } = before({ body: row })
    for (const id of ['', '0', '07', '-1', '1e3', '1.5', ' 7', '7 ', '7a', 'a7', '1'.repeat(16)])
      expect(await platform.findCampaign(key, id)).toBeUndefined()
    expect(asked).toHaveLength(0)
    await platform.findCampaign(key, '9'.repeat(15))
    expect(asked).toHaveLength(1)
  })
  it.each([
    [404, {}],
    [400, { errorMessage: 'No such thing' }],
    [400, { errorMessage: 'The campaign was deleted' }],
  ])('are not there after %i %j', async (status, body) => {
    expect(await before({ status, body }).platform.findCampaign(key, '7')).toBeUndefined()
  })
  it('whose answer cannot be read, or does not come, are not said to be missing', async () => {
    expect(await failureOf(before({ body: {} }).platform.findCampaign(key, '7'))).toMatchObject({
      kind: 'unreadable',
      done: 'no',
      message: 'heyreach GetById: the answer has not the promised shape',
    })
    const listed = await failureOf(before({ status: 500, body: {} }).platform.listCampaigns(key))
    expect([listed.name, listed.message]).toEqual(['OutreachFailure', 'heyreach GetAll: HTTP 500'])
    for (const [status, kind] of [
      [401, 'invalid_key'],
      [500, 'unavailable'],
    ] as const)
      expect((await failureOf(before({ status, body: {} }).platform.findCampaign(key, '7'))).kind).toBe(kind)
  })
})

describe('tries', () => {
  it.each([
    ['connection', 'unavailable', 3],
    ['timeout', 'unavailable', 1],
    ['aborted', 'unavailable', 1],
    ['too_large', 'unreadable', 1],
  ] as const)('that end with %s are %s', async (how, kind, tries) => {
    const reads = before(new EgressFailure(how, 'it broke'))
    expect(await failureOf(reads.platform.findCampaign(key, '7'))).toMatchObject({
      kind,
      done: 'no',
      message: 'heyreach GetById: it broke',
    })
    expect(reads.asked).toHaveLength(tries)
    const adds = before(new EgressFailure(how, 'it broke'))
    expect(await failureOf(adds.platform.addLeads(key, '7', [lead('a')]))).toMatchObject({ kind, done: 'maybe' })
    expect(adds.asked).toHaveLength(1)
  })
})

const page = '<html><head><title>Error 1010</title></head><body><h1>Blocked</h1></body></html>'
const reads: HeyReachCall = { operation: 'GetById', method: 'GET', path: '/x' }
const adds: HeyReachCall = { operation: 'AddLeadsToCampaignV2', method: 'POST', path: '/x', changes: true }
const checks: HeyReachCall = { operation: 'CheckApiKey', method: 'GET', path: '/x' }

describe('an answer', () => {
  /** `kind done tries` of a failure, or the body of a success. */
  async function meaning(call: HeyReachCall, status: number, body: unknown = {}) {
    const { send, asked } = before({ status, body })
    return send(call).then(
      (answer) => ({ body: answer }),
      (failure: OutreachFailure) => `${failure.kind} ${failure.done} ${asked.length}`,
    )
  }
  const wordsOf = async (status: number, body: unknown) =>
    (await failureOf(before({ status, body }).send(reads))).message.replace('heyreach GetById: ', '')

  it.each([
    // Status, result for a reading call, result for a changing call.
    [199, 'unavailable no 1', 'unavailable maybe 1'],
    [300, 'unavailable no 1', 'unavailable maybe 1'],
    [399, 'unavailable no 1', 'unavailable maybe 1'],
    [400, 'refused no 1', 'refused no 1'],
    [401, 'invalid_key no 1', 'invalid_key no 1'],
    [402, 'refused no 1', 'refused no 1'],
    [403, 'invalid_key no 1', 'invalid_key no 1'],
    [405, 'refused no 1', 'refused no 1'],
    [407, 'refused no 1', 'refused no 1'],
    [408, 'unavailable no 1', 'unavailable maybe 1'],
    [409, 'refused no 1', 'refused no 1'],
    [428, 'refused no 1', 'refused no 1'],
    [429, 'rate_limited no 3', 'rate_limited no 3'],
    [499, 'refused no 1', 'refused no 1'],
    [500, 'unavailable no 3', 'unavailable maybe 1'],
    [503, 'unavailable no 3', 'unavailable maybe 1'],
  ] as const)('%i is %s, and %s', async (status, ofRead, ofAdd) => {
    expect([await meaning(reads, status), await meaning(adds, status)]).toEqual([ofRead, ofAdd])
  })
  it.each([200, 201, 299])('%i is done: its JSON, or nothing where it has no body', async (status) => {
    for (const call of [reads, adds]) expect(await meaning(call, status, { a: 1 })).toEqual({ body: { a: 1 } })
    expect(await meaning(reads, status, '')).toEqual({ body: null })
  })
  it.each([
    [reads, 200, 'ok', 'unreadable no 1'],
    [adds, 200, 'ok', 'unreadable maybe 1'],
    [checks, 200, 'ok', { body: null }],
    [reads, 404, {}, { body: undefined }],
    [adds, 404, {}, 'campaign_closed no 1'],
    // With JSON or an empty body the platform refuses the key; an HTML page comes from a proxy and says nothing about it.
    [reads, 403, '', 'invalid_key no 1'],
    [reads, 403, { message: 'x' }, 'invalid_key no 1'],
    [reads, 403, page, 'unavailable no 3'],
    [adds, 403, page, 'unavailable maybe 1'],
    [reads, 401, page, 'invalid_key no 1'],
  ])('to %j of %i %j is %j', async (call, status, body, expected) => {
    expect(await meaning(call, status, body)).toEqual(expected)
  })
  it.each([
    'You cannot add new leads to a draft campaign.',
    'The campaign is finished.',
    'This campaign was canceled',
    'Campaign failed',
    'Campaign is closed',
    'The campaign has ended',
    'Campaign completed',
    'campaign archived',
    'CAMPAIGN DELETED',
    'Campaign is not active',
    'Campaign is inactive',
    "You can't add leads to this campaign",
    'Cannot add leads to campaign 7',
  ])('%j is of a closed campaign', async (errorMessage) => {
    expect(await meaning(adds, 400, { errorMessage })).toBe('campaign_closed no 1')
    expect(await meaning(adds, 400, { error: { code: 'X', message: errorMessage } })).toBe('campaign_closed no 1')
  })
  it.each(['The list is finished', 'The campaign field is required', 'You cannot add a lead without a name', ''])(
    '%j is another refusal',
    async (errorMessage) => {
      expect(await meaning(adds, 400, { errorMessage })).toBe('refused no 1')
    },
  )
  it.each([
    [400, { errorMessage: 'Bad lead' }, 'Bad lead'],
    [400, { message: 'Bad lead' }, 'Bad lead'],
    [400, { title: 'Invalid', errors: { Field: ['Required'] } }, 'Invalid'],
    [400, 'plain words', 'plain words'],
    [400, page, 'Error 1010 · Blocked'],
    [400, '', 'HTTP 400'],
    [400, {}, 'HTTP 400'],
    [400, { errorMessage: `${'x'.repeat(195)}${key} is not allowed` }, `${'x'.repeat(195)}[key]`],
    [400, { errorMessage: '\u0000' }, 'it gave no reason'],
    [429, { message: 'Slow down' }, 'Slow down'],
    [200, 'ok', 'the answer is not JSON'],
  ] as const)('%i %j says %s', async (status, body, words) => {
    expect(await wordsOf(status, body)).toBe(words)
  })
})
