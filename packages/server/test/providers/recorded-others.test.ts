/** Recorded shapes (recorded/README.md) of outreach and AI vendors, for their adapters and the sandbox. */
import type { Sandbox } from '@les/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Egress, EgressRequest, EgressResponse } from '../../src/platform/egress/index.ts'
import { AiFailure, aiVendors, createAiJudge, defaultModels } from '../../src/providers/ai/index.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { createHeyReach, OutreachFailure, type OutreachPlatform } from '../../src/providers/outreach/index.ts'
import { instantClock } from './quick.ts'
import { differences, expectGolden, expectRecorded, recordingsOf, type Recorded } from './recorded-shapes.ts'

const key = 'k3y-that-nobody-may-see'
const both = ['https://www.linkedin.com/in/ada-quill', 'https://www.linkedin.com/in/zoe-marsh']
const person = { name: 'Ada Quill', headline: null, jobTitle: null, company: null, country: null, email: null }

function always(answer: Recorded, spoken: (request: EgressRequest) => unknown = () => answer.body) {
  const routes: string[] = []
  const egress: Egress = {
    request: async (request) => {
      routes.push(new URL(request.url).pathname.split('/').at(-1)!)
      const body = spoken(request)
      return {
        status: answer.status,
        headers: { 'content-type': 'application/json', ...answer.headers },
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        truncated: false,
        elapsedMs: 1,
      } satisfies EgressResponse
    },
    close: async () => {},
  }
  return { egress, routes }
}

/** The adapter call that makes this request first. */
const asks: Readonly<Record<string, (platform: OutreachPlatform) => Promise<unknown>>> = {
  CheckApiKey: (platform) => platform.checkKey(key).then(() => 'good'),
  GetAll: (platform) => platform.listCampaigns(key),
  GetById: (platform) => platform.findCampaign(key, '77').then((found) => found ?? 'none'),
  AddLeadsToCampaignV2: (platform) =>
    platform.addLeads(
      key,
      '77',
      both.map((profileUrl) => ({ ...person, profileUrl, customFields: {} })),
    ),
  GetLeadsFromCampaign: async (platform) => [
    ...(await platform.findMembers(key, '77', [...both, 'https://www.linkedin.com/in/nobody'])),
  ],
}

async function readHeyReach(operation: string, answer: Recorded): Promise<unknown> {
  const { egress, routes } = always(answer)
  const system = instantClock()
  const platform = createHeyReach({
    baseUrl: 'https://vendor.example/api/public',
    egress,
    budget: createMemoryBudget({ system }),
    system,
    random: { next: () => 0.5 },
  })
  try {
    return { read: await asks[operation]!(platform), routes }
  } catch (error) {
    if (!(error instanceof OutreachFailure)) throw error
    return { failure: error.kind, done: error.done, message: error.message, routes }
  }
}

async function readAi(vendor: (typeof aiVendors)[number], answer: Recorded): Promise<unknown> {
  const { egress, routes } = always(answer, ({ body }) => {
    const asked = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    // Each question has a new post id.
    const id = /\\"id\\":\s*\\"([^"\\]+)\\"/.exec(String(body))?.[1] ?? 'none'
    return asked.replaceAll('@1', id)
  })
  const judge = createAiJudge({
    addresses: Object.fromEntries(aiVendors.map((one) => [one, 'https://vendor.example/v1'])) as never,
    egress,
    system: instantClock(),
    ids: { bytes: (count) => Buffer.alloc(count, 7) },
    random: { next: () => 0.5 },
  })
  const posts = [{ id: 'urn:li:activity:1', text: 'On moons', author: null, headline: null }]
  try {
    return { read: await judge.judge({ vendor, model: null, key, prompt: 'moons', posts }), calls: routes.length }
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error
    return { failure: error.kind, message: error.message, calls: routes.length }
  }
}

describe.each([
  ['heyreach', 5],
  ['ai', 4],
] as const)('%s', (vendor, count) => {
  const files = recordingsOf(vendor)
  test('every operation in use has at least five recorded answers, each with where and when its shape was seen', () => {
    expect(files).toHaveLength(count)
    expectRecorded(files)
  })
  test.each(files.map((file) => [file.operation, file] as const))(
    '%s is read as its golden says',
    async (name, file) => {
      const read: Record<string, unknown> = {}
      for (const answer of file.answers)
        read[answer.name] = vendor === 'ai' ? await readAi(name as 'openai', answer) : await readHeyReach(name, answer)
      expect(JSON.stringify(read)).not.toContain(key)
      await expectGolden(vendor, name, read)
    },
  )
})

describe('the sandbox', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    // Loaded only for these tests: the others open no socket.
    sandbox = await (await import('@les/sandbox')).startSandbox({ seed: 'recorded' })
  })
  afterAll(() => sandbox.close())

  const successes = (vendor: string, operation: string): unknown[] =>
    recordingsOf(vendor)
      .find((file) => file.operation === operation)!
      .answers.filter(({ status, body }) => status === 200 && typeof body === 'object' && !Array.isArray(body))
      .map(({ body }) => body)
  const ask = async (url: string, headers: Record<string, string>, body?: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect([url, response.status]).toEqual([url, 200])
    return response.json()
  }

  test('speaks HeyReach with the keys, types and conventions of the recordings', async () => {
    const { id } = sandbox.world.outreach.seedCampaign({ key })
    const at = `${sandbox.addresses.heyreach}/campaign`
    const own = { 'x-api-key': key }
    const lead = { profileUrl: both[0], firstName: 'Ada', lastName: 'Quill' }
    const made: Record<string, unknown> = {
      AddLeadsToCampaignV2: await ask(`${at}/AddLeadsToCampaignV2`, own, {
        campaignId: id,
        accountLeadPairs: [{ lead }],
      }),
      GetAll: await ask(`${at}/GetAll`, own, { offset: 0, limit: 100 }),
      GetById: await ask(`${at}/GetById?campaignId=${id}`, own),
      GetLeadsFromCampaign: await ask(`${at}/GetLeadsFromCampaign`, own, { campaignId: id, offset: 0, limit: 100 }),
    }
    for (const [operation, answer] of Object.entries(made)) {
      // Recorded invalid answers are not a model for the sandbox.
      const known = successes('heyreach', operation).filter(
        (body) => !JSON.stringify(body).includes('"items":"none"') && !JSON.stringify(body).includes('"items":null'),
      )
      expect([operation, differences(answer, known)]).toEqual([operation, []])
    }
  })

  test.each(aiVendors)('speaks %s with the keys, types and conventions of the recordings', async (vendor) => {
    const model = defaultModels[vendor]
    const messages = [{ role: 'user', content: 'Say ok.' }]
    const [path, headers, body]: [string, Record<string, string>, unknown] = {
      openai: ['/responses', { authorization: `Bearer ${key}` }, { model, input: messages }],
      anthropic: ['/messages', { 'x-api-key': key }, { model, messages, max_tokens: 16 }],
      google: [`/models/${model}:generateContent`, { 'x-goog-api-key': key }, { contents: [] }],
      mistral: ['/chat/completions', { authorization: `Bearer ${key}` }, { model, messages }],
    }[vendor] as never
    expect(
      differences(await ask(`${sandbox.addresses.ai[vendor]}${path}`, headers, body), successes('ai', vendor)),
    ).toEqual([])
  })
})
