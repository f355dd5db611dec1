import { expect, it } from 'vitest'
import { worstFirst } from './source.ts'

it('the worst warning of a source comes first, what could be better last', () => {
  const kinds = ['no_icp', 'silent', 'webhook_disabled', 'out_of_credits'] as const
  const sorted = worstFirst(kinds.map((kind) => ({ kind, text: '', advice: '' })))
  expect(sorted.map(({ kind }) => kind)).toEqual(['out_of_credits', 'webhook_disabled', 'silent', 'no_icp'])
})
