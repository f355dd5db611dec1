/** The AI vendors: their packages, each with the team's key, our address and our way out, and what is known of their models. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel } from 'ai'
import type { Egress } from '../../platform/egress/index.ts'
import type { AiVendor } from './port.ts'

/** What a package may use: the team's key, the vendor's address with its version path, and a way out. */
type ModelEndpoint = {
  readonly apiKey: string
  readonly baseURL: string
  readonly fetch: typeof globalThis.fetch
}

/**
 * A model's name as a part of an address. A team has written it: it may name something below the vendor's address, and nothing
 * above or outside it.
 */
const inAddress = (model: string): string =>
  model
    .split('/')
    .map((part) => (/^\.{1,2}$/.test(part) ? '-' : encodeURIComponent(part)))
    .join('/')

/** A model of a vendor by its own name, which is passed on as it is; Google's package puts it into the address. */
export const openModel: Readonly<Record<AiVendor, (model: string, endpoint: ModelEndpoint) => LanguageModel>> = {
  openai: (model, endpoint) => createOpenAI(endpoint)(model),
  anthropic: (model, endpoint) => createAnthropic(endpoint)(model),
  google: (model, endpoint) => createGoogle(endpoint)(inAddress(model)),
  mistral: (model, endpoint) => createMistral(endpoint)(model),
}

/** An answer is some hundred words. */
const maxBytes = 1024 * 1024
const bodyless = new Set([204, 205, 304])

/** `fetch` through the egress, within what is left of a question's time; rejects with `EgressFailure`. */
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
      ...(signal ? { signal } : {}),
    })
    return new Response(bodyless.has(answer.status) ? null : new Uint8Array(answer.body), {
      // No other can be made of one.
      status: Math.min(599, Math.max(200, answer.status)),
      headers: answer.headers,
    })
  }
}

/** A model, or a family of models whose names begin alike. */
type KnownModel = {
  readonly vendor: AiVendor
  /** How its names begin; of several entries the longest counts. */
  readonly name: string
  /** Dollars for a million tokens that are read, and written. */
  readonly input: number
  readonly output: number
  /** `none`: it can be asked to answer without thinking first. Null: it is not documented to take that setting. */
  readonly reasoning: 'none' | null
}

/** Known models (list prices as published in November 2026). */
export const knownModels: readonly KnownModel[] = [
  { vendor: 'openai', name: 'gpt-6-luna', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'anthropic', name: 'claude-haiku-5-5', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'google', name: 'gemini-3.5-flash-lite', input: 0.3, output: 2.5, reasoning: 'none' },
  { vendor: 'mistral', name: 'mistral-small', input: 0.15, output: 0.6, reasoning: null },
]

/** What is known of a model; undefined for one that is not in the table. */
export const modelOf = (
  vendor: AiVendor,
  model: string,
  models: readonly KnownModel[] = knownModels,
): KnownModel | undefined =>
  models
    .filter((known) => known.vendor === vendor && model.startsWith(known.name))
    .toSorted((a, b) => b.name.length - a.name.length)[0]

/** Dollars of a call; null when the model is not known or the vendor did not count. */
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
