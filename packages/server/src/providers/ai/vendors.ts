/** The AI vendors' packages, wired to the team's key, our addresses and our egress, and the table of known models. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel } from 'ai'
import type { Egress } from '../../platform/egress/index.ts'
import type { AiVendor } from './port.ts'

type ModelEndpoint = {
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof globalThis.fetch
}

/** A model name as URL path segments. A team writes it, so it must not reach above or outside the vendor's base address. */
const inAddress = (model: string): string =>
  model
    .split('/')
    .map((part) => (/^\.{1,2}$/.test(part) ? '-' : encodeURIComponent(part)))
    .join('/')

/** Opens a model by the vendor's own name. Only Google's package puts the name into the URL. */
export const openModel: Readonly<Record<AiVendor, (model: string, endpoint: ModelEndpoint) => LanguageModel>> = {
  openai: (model, endpoint) => createOpenAI(endpoint)(model),
  anthropic: (model, endpoint) => createAnthropic(endpoint)(model),
  google: (model, endpoint) => createGoogle(endpoint)(inAddress(model)),
  mistral: (model, endpoint) => createMistral(endpoint)(model),
}

const maxBytes = 1024 * 1024
const bodyless = new Set([204, 205, 304])

/** `fetch` through the egress, limited to the time left for the question; rejects with `EgressFailure`. */
export function fetchThrough(
  egress: Egress,
  leftMs: () => number,
  signal: AbortSignal | undefined,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (init?.method !== 'POST' || typeof init.body !== 'string')
      throw new Error('an AI package wants more than to post JSON')
    const answer = await egress.request({
      method: 'POST',
      url,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
      body: init.body,
      timeoutMs: Math.max(1, leftMs()),
      maxBytes,
      signal,
    })
    return new Response(bodyless.has(answer.status) ? null : new Uint8Array(answer.body), {
      // `Response` accepts only 200 to 599.
      status: Math.min(599, Math.max(200, answer.status)),
      headers: answer.headers,
    })
  }
}

/** Models whose names start with `name` (the longest match applies); prices in dollars per million tokens. */
type KnownModel = {
  readonly vendor: AiVendor
  readonly name: string
  readonly input: number
  readonly output: number
  /** `none`: the model can answer without reasoning. Null: not documented to accept that setting. */
  readonly reasoning: 'none' | null
}

/** Known models (list prices as published in November 2026). */
export const knownModels: readonly KnownModel[] = [
  { vendor: 'openai', name: 'gpt-6-luna', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'anthropic', name: 'claude-haiku-5-5', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'google', name: 'gemini-3.5-flash-lite', input: 0.3, output: 2.5, reasoning: 'none' },
  { vendor: 'mistral', name: 'mistral-small', input: 0.15, output: 0.6, reasoning: null },
]

/** The table's entry for a model; undefined when there is none. */
export const modelOf = (vendor: AiVendor, model: string, models = knownModels): KnownModel | undefined =>
  models
    .filter((known) => known.vendor === vendor && model.startsWith(known.name))
    .toSorted((a, b) => b.name.length - a.name.length)[0]

/** Dollars of a call; null when the model is unknown or the vendor reported no usage. */
export function costOf(
  vendor: AiVendor,
  model: string,
  usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined },
): number | null {
  const known = modelOf(vendor, model)
  const { inputTokens, outputTokens } = usage
  if (!known || inputTokens === undefined || outputTokens === undefined) return null
  return (inputTokens * known.input + outputTokens * known.output) / 1_000_000
}
