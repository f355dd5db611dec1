import { describe, expect, it } from 'vitest'
import { costOf, knownModels, modelOf } from './vendors.ts'
import { aiVendors, defaultModels } from './port.ts'

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
