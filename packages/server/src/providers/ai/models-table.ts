/** What is known of the vendors' models, as data: prices change, and so does what a model takes. */
import type { AiVendor } from './port.ts'

/** A model, or a family of models whose names begin alike. */
export type KnownModel = {
  readonly vendor: AiVendor
  /** How its names begin; of several entries the longest counts. */
  readonly name: string
  /** Dollars for a million tokens that are read, and written. */
  readonly input: number
  readonly output: number
  /** `none`: it answers without thinking first when it is told so. Null: nobody says that it may be told. */
  readonly reasoning: 'none' | null
}

/** Known models (list prices as published in November 2026). */
export const knownModels: readonly KnownModel[] = [
  { vendor: 'openai', name: 'gpt-6-luna', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'anthropic', name: 'claude-haiku-5-5', input: 0.1, output: 0.5, reasoning: 'none' },
  { vendor: 'google', name: 'gemini-3.5-flash-lite', input: 0.3, output: 2.5, reasoning: 'none' },
  { vendor: 'mistral', name: 'mistral-small', input: 0.15, output: 0.6, reasoning: null },
]

/** What is known of a model; undefined for one that nobody has entered here. */
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
