/** The egress of the vendors' packages: what they may send, and what they get of the answer. */
import { describe, expect, it } from 'vitest'
import { answering, type Served } from '../../../test/providers/answers.ts'
import { fetchThrough, openModel, costOf, knownModels, modelOf } from './vendors.ts'
import { aiVendors, defaultModels } from './port.ts'

const post = { method: 'POST', body: '{}', headers: { 'X-Own': 'a' } }
const url = 'https://vendor.example/v1/x'
const through = (served: Served | Error, leftMs = 700, signal?: AbortSignal) => {
  const egress = answering(served)
  return { fetch: fetchThrough(egress, () => leftMs, signal), asked: egress.asked }
}

describe('a request', () => {
  it('goes out as it is, uncompressed, for what is left of the time and for a megabyte at most', async () => {
    const { signal } = new AbortController()
    const { fetch, asked } = through({ body: {} }, 700, signal)
    await fetch(url, post)
    await fetch(new URL(url), post)
    await fetch(new Request(url), post)
    const sent = {
      method: 'POST',
      url,
      headers: { 'x-own': 'a', 'accept-encoding': 'identity' },
      body: '{}',
      timeoutMs: 700,
      maxBytes: 1_048_576,
      signal,
    }
    expect(asked).toEqual([sent, sent, sent])
    const late = through({ body: {} }, -5)
    await late.fetch(url, { method: 'POST', body: '{}' })
    expect(late.asked).toEqual([
      { ...sent, headers: { 'accept-encoding': 'identity' }, timeoutMs: 1, signal: undefined },
    ])
  })
})

describe('a model that a team has named', () => {
  const base = 'https://gateway.example/google/v1beta'
  it.each([
    ['gemini-2.5-flash', '/models/gemini-2.5-flash'],
    ['models/gemini-x', '/models/gemini-x'],
    ['publishers/google/models/z@1', '/publishers/google/models/z%401'],
    ['../../internal/admin?x=', '/-/-/internal/admin%3Fx%3D'],
    ['./a/../b#', '/-/a/-/b%23'],
    ['%2e%2e/%2E/y', '/%252e%252e/%252E/y'],
    ['a\\..\\..\\b', '/models/a%5C..%5C..%5Cb'],
    ['..', '/models/-'],
    ['//other.example/x', '///other.example/x'],
  ])('is asked below the address of the vendor: %j', async (model, path) => {
    const { fetch, asked } = through({ status: 404, body: {} })
    const google = openModel.google(model, { apiKey: 'k', baseURL: base, fetch }) as Exclude<
      ReturnType<typeof openModel.google>,
      string
    >
    await google
      .doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'ok' }] }] } as never)
      .then(undefined, () => undefined)
    expect(asked.map(({ url: to }) => new URL(to).href)).toEqual([`${base}${path}:generateContent`])
  })
})

describe('an answer', () => {
  it.each([
    [200, 200, '{"a":1}'],
    [429, 429, '{"a":1}'],
    [204, 204, ''],
    [205, 205, ''],
    [304, 304, ''],
    [100, 200, '{"a":1}'],
    [599, 599, '{"a":1}'],
    [999, 599, '{"a":1}'],
  ])('%i is told as %i with the body %j', async (status, told, body) => {
    const { fetch } = through({ status, body: { a: 1 }, headers: { 'retry-after': '7' } })
    const answer = await fetch(url, post)
    expect([answer.status, await answer.text(), answer.headers.get('retry-after')]).toEqual([told, body, '7'])
  })
})

describe('the table of models', () => {
  it('knows the default of every vendor, with prices', () => {
    for (const vendor of aiVendors) {
      const known = modelOf(vendor, defaultModels[vendor])
      expect([vendor, known !== undefined && known.input > 0 && known.output >= known.input]).toEqual([vendor, true])
    }
    expect(new Set(knownModels.map(({ vendor, name }) => `${vendor} ${name}`)).size).toBe(knownModels.length)
  })
  it('knows dated names of a model, and nothing of others or of another vendor', () => {
    expect(modelOf('openai', 'gpt-6-luna-2026-08-01')?.name).toBe('gpt-6-luna')
    expect(modelOf('openai', 'gpt-9')).toBeUndefined()
    expect(modelOf('anthropic', 'gpt-6-luna')).toBeUndefined()
  })
  it('knows a model by the longest name that its own begins with', () => {
    const named = (name: string) => ({ ...knownModels[0]!, name })
    const models = [named('gpt'), named('gpt-6-mini'), named('gpt-6')]
    expect(['gpt-6-mini-1', 'gpt-6-max', 'gpt-5'].map((model) => modelOf('openai', model, models)?.name)).toEqual([
      'gpt-6-mini',
      'gpt-6',
      'gpt',
    ])
  })
  it('prices a call by its tokens, and none whose model or tokens are unknown', () => {
    expect(costOf('openai', 'gpt-6-luna', { inputTokens: 1_000_000, outputTokens: 2_000_000 })).toBeCloseTo(1.1)
    expect(costOf('openai', 'gpt-6-luna', { inputTokens: undefined, outputTokens: 5 })).toBeNull()
    expect(costOf('openai', 'gpt-6-luna', { inputTokens: 5, outputTokens: undefined })).toBeNull()
    expect(costOf('openai', 'own', { inputTokens: 1, outputTokens: 1 })).toBeNull()
  })
})
