/** The HeyReach adapter without a socket: calls as they are sent, tries, pages, and what is read of answers . */
import { describe, expect, it } from 'vitest'
import { answering, failuresOf, type Served, stillClock } from '../../../test/providers/answers.ts'
import { EgressFailure } from '../../platform/egress/types.ts'
import { BudgetExhausted, type BudgetRequest, type VendorBudget } from '../budget.ts'
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
    learnt: async () => null,
    learn: async () => {},
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
const paths = (asked: { method: string; url: string }[]) =>
  asked.map(({ method, url }) => `${method} ${url.replace(base, '')}`)
const bodies = (asked: { body?: string | Uint8Array }[]) =>
  asked.map(({ body }) => (body === undefined ? undefined : (JSON.parse(String(body)) as unknown)))

describe('what is sent', () => {
  it('to try a key: no body, the key in its header, twenty seconds, at most four megabytes', async () => {
    const { platform, asked } = before({ body: '' })
    await platform.checkKey(key)
    expect(asked).toEqual([
      {
        method: 'GET',
        url: `${base}/auth/CheckApiKey`,
        headers: {
          'x-api-key': key,
          accept: 'application/json, text/plain',
          'user-agent': 'lead-engagement-service/1.0',
        },
        timeoutMs: 20_000,
        maxBytes: 4_194_304,
      },
    ])
  })
  it('of a lead: what is known and nothing else, custom fields inside it, both resume flags false, for 45 seconds', async () => {
    const { platform, asked } = before({ body: { addedLeadsCount: 2, updatedLeadsCount: 0, failedLeadsCount: 0 } })
    await platform.addLeads(key, '77', [
      lead('ada', {
        name: '  Ada   Maria Lovelace ',
        headline: 'Counts',
        jobTitle: 'CTO',
        company: 'Acme',
        country: 'France',
        email: 'ada@example.com',
        customFields: { signal: ' strong\u0000 ', long: 'x'.repeat(5_001) },
      }),
      lead('grace-hopper', { name: null }),
    ])
    expect(paths(asked)).toEqual(['POST /campaign/AddLeadsToCampaignV2'])
    expect([asked[0]!.timeoutMs, asked[0]!.headers?.['content-type']]).toEqual([45_000, 'application/json'])
    expect(bodies(asked)).toEqual([
      {
        campaignId: 77,
        accountLeadPairs: [
          {
            lead: {
              profileUrl: 'https://www.linkedin.com/in/ada',
              firstName: 'Ada',
              lastName: 'Maria Lovelace',
              location: 'France',
              summary: 'Counts',
              companyName: 'Acme',
              position: 'CTO',
              emailAddress: 'ada@example.com',
              customUserFields: [
                { name: 'signal', value: 'strong' },
                { name: 'long', value: 'x'.repeat(5_000) },
              ],
            },
          },
          {
            lead: {
              profileUrl: 'https://www.linkedin.com/in/grace-hopper',
              firstName: 'Grace',
              lastName: 'Hopper',
              customUserFields: [],
            },
          },
        ],
        resumeFinishedCampaign: false,
        resumePausedCampaign: false,
      },
    ])
  })
  it('takes the time and the signal of its caller', async () => {
    const { platform, asked, places } = before(done)
    const { signal } = new AbortController()
    await platform.addLeads(key, '77', [lead('ada')], { timeoutMs: 900, signal })
    expect([asked[0]!.timeoutMs, asked[0]!.signal, places[0]![1].waitMs, places[0]![1].signal]).toEqual([
      900,
      signal,
      450,
      signal,
    ])
  })
})

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
  it('are listed without those over and odd rows, each once, whatever state they are in', async () => {
    const { platform, asked } = before({
      body: {
        totalCount: 9,
        items: [
          row,
          { id: 7, name: 'Spring again', status: 'DRAFT' },
          { id: 8, name: null, status: 'ARCHIVED', campaignAccountIds: null },
          ...['FINISHED', 'CANCELED', 'FAILED'].map((status, at) => ({ id: 20 + at, name: 'Over', status })),
          { id: 1.5, name: 'x', status: 'DRAFT' },
          { id: 9, name: 'No state' },
          'nonsense',
        ],
      },
    })
    expect(await platform.listCampaigns(key)).toEqual([
      { id: '7', name: 'Spring again', status: 'DRAFT', accountIds: [] },
      { id: '8', name: 'Campaign 8', status: 'UNKNOWN', accountIds: [] },
    ])
    expect([paths(asked), bodies(asked)]).toEqual([['POST /campaign/GetAll'], [{ offset: 0, limit: 100 }]])
  })
  it.each(['IN_PROGRESS', 'PAUSED', 'DRAFT', 'SCHEDULED', 'STARTING', 'FINISHED', 'CANCELED', 'FAILED'])(
    'are found in the state %s',
    async (status) => {
      const { platform, asked } = before({ body: { ...row, status } })
      expect(await platform.findCampaign(key, '7')).toEqual({ id: '7', name: 'Spring', status, accountIds: [5, 6] })
      expect(paths(asked)).toEqual(['GET /campaign/GetById?campaignId=7'])
    },
  )
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
  it('of a call that reads are three, of one that changes one, where the platform may have done it', async () => {
    const reads = before({ status: 500, body: {} })
    expect(await failureOf(reads.platform.findCampaign(key, '7'))).toMatchObject({ kind: 'unavailable', done: 'no' })
    expect([reads.asked.length, reads.system.slept, reads.released()]).toEqual([3, [300, 600], 3])
    const adds = before({ status: 500, body: {} })
    expect(await failureOf(adds.platform.addLeads(key, '7', [lead('a')]))).toMatchObject({ done: 'maybe' })
    expect([adds.asked.length, adds.released()]).toEqual([1, 1])
  })
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
  it('wait as long as they are told, within five seconds', async () => {
    const short = before({ status: 429, body: {}, headers: { 'retry-after': '1' } }, done)
    expect(await short.platform.addLeads(key, '7', [lead('a')])).toMatchObject({ added: 1 })
    expect(short.system.slept).toEqual([1_050])
    const long = before({ status: 429, body: {}, headers: { 'retry-after': '90' } })
    expect(await failureOf(long.platform.addLeads(key, '7', [lead('a')]))).toMatchObject({ retryAfterMs: 90_000 })
    expect(long.system.slept).toEqual([])
  })
  it('end with the time of the call: none is begun without any left', async () => {
    const none = before({ body: '' })
    expect(await failureOf(none.platform.checkKey(key, { timeoutMs: 0 }))).toMatchObject({
      kind: 'unavailable',
      message: 'heyreach CheckApiKey: no time left',
    })
    expect([none.asked.length, none.places.length]).toEqual([0, 0])
    const little = before({ status: 500, body: {} })
    await failureOf(little.platform.findCampaign(key, '7', { timeoutMs: 400 }))
    expect([little.asked.map(({ timeoutMs }) => timeoutMs), little.system.slept]).toEqual([[400, 100], [300]])
  })
  it('are given up with their caller, by the failure that was waited for', async () => {
    const gone = new AbortController()
    const { open, asked, system } = before({ status: 500, body: {} })
    const waits = { ...system, sleep: async () => gone.abort() === undefined && Promise.reject(new Error('aborted')) }
    const failure = await failureOf(open({ system: waits as never }).findCampaign(key, '7', { signal: gone.signal }))
    expect([failure.message, asked.length]).toEqual(['heyreach GetById: HTTP 500', 1])
  })
  it('that fail for a reason of ours are not explained away, and give their place back', async () => {
    const ours = new Error('ours')
    const broken = before(ours)
    await expect(broken.platform.checkKey(key)).rejects.toBe(ours)
    expect(broken.released()).toBe(1)
  })
  it('are logged with their outcome, words and length, and without the key', async () => {
    const { open, log, system } = before({ status: 500, body: { message: `sorry ${key}` } }, { body: {} })
    const egress = before({ status: 500, body: { message: `sorry ${key}` } }, { status: 201, body: '' })
    const slow = {
      request: async () => (
        system.move(70), answering({ status: 500, body: { message: `sorry ${key}` } }).request({} as never)
      ),
      close: async () => {},
    }
    await failureOf(open({ egress: slow }).addLeads(key, '7', [lead('a')]))
    await egress.platform.checkKey(key)
    expect(log).toEqual([
      {
        provider: 'heyreach',
        operation: 'AddLeadsToCampaignV2',
        attempt: 1,
        outcome: 'unavailable',
        status: 500,
        elapsedMs: 70,
        cost: null,
        vendorMessage: 'sorry [key]',
      },
    ])
    expect(egress.log.map(({ attempt, outcome, status }) => [attempt, outcome, status])).toEqual([
      [1, 'unavailable', 500],
      [2, 'ok', 201],
    ])
    expect(Object.keys(egress.log[1]!)).not.toContain('vendorMessage')
  })
})

describe('the budget of a key', () => {
  it('is 300 calls a minute and eight at once, under a name that the key cannot be read from', async () => {
    const { platform, places } = before({ body: '' })
    await platform.checkKey('abc')
    const [account, request] = places[0]!
    expect([account, request.perMinute, request.maxInFlight(), request.waitMs, 'signal' in request]).toEqual([
      'heyreach:ba7816bf8f01cfea414140de',
      300,
      8,
      10_000,
      false,
    ])
  })
  it('that is used up, or given up, is a failure of the call; a failure of ours stays what it is', async () => {
    const { open, asked, budget } = before({ body: '' })
    const refusing = (error: Error) => open({ budget: { ...budget, acquire: async () => Promise.reject(error) } })
    expect(await failureOf(refusing(new BudgetExhausted('heyreach', 7_000)).checkKey(key))).toMatchObject({
      kind: 'rate_limited',
      done: 'no',
      retryAfterMs: 7_000,
      message: 'heyreach CheckApiKey: our own call budget is used up',
      cause: expect.any(BudgetExhausted),
    })
    const signal = AbortSignal.abort()
    expect(await failureOf(refusing(new Error('x')).checkKey(key, { signal }))).toMatchObject({
      kind: 'unavailable',
      message: 'heyreach CheckApiKey: the call was given up',
    })
    await expect(refusing(new Error('ours')).checkKey(key)).rejects.toThrow('ours')
    expect(asked).toHaveLength(0)
  })
  it('keeps the answer when a place cannot be given back', async () => {
    const { open, budget } = before({ body: { id: 7, status: 'DRAFT' } })
    const acquire = async () => ({ release: async () => Promise.reject(new Error('gone')) })
    expect(await open({ budget: { ...budget, acquire } }).findCampaign(key, '7')).toMatchObject({ id: '7' })
  })
})

const page = '<html><head><title>Error 1010</title></head><body><h1>Blocked</h1></body></html>'
const reads: HeyReachCall = { operation: 'GetById', method: 'GET', path: '/x' }
const adds: HeyReachCall = { operation: 'AddLeadsToCampaignV2', method: 'POST', path: '/x', changes: true }
const checks: HeyReachCall = { operation: 'CheckApiKey', method: 'GET', path: '/x' }

describe('an answer', () => {
  /** `kind done tries`, or the body of what is no failure. */
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
    // status, of a call that reads, of one that changes
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
    // In JSON or without a word the platform refuses the key; a page is a proxy's and says nothing of it.
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
  it.each([
    ['90', 90_000],
    [new Date(1_000_000 + 30_000).toUTCString(), 30_000],
    [undefined, undefined],
  ])('429 with Retry-After %s is worth another call after %s ms', async (retryAfter, waitMs) => {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    expect((await failureOf(before({ status: 429, body: {}, headers }).send(adds))).retryAfterMs).toBe(waitMs)
  })
})
