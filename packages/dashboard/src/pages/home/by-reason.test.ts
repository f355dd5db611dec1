import { expect, it } from 'vitest'
import { byReason } from './words.ts'

it('what stops many sources for one reason is said once', () => {
  const poor = { kind: 'out_of_credits', text: 'No credits are left', advice: 'Get more.' }
  const silent = { kind: 'silent', text: 'Silent', advice: 'Look.' }
  expect(
    byReason([
      { source: 'a', warning: poor },
      { source: 'b', warning: silent },
      { source: 'c', warning: poor },
    ]),
  ).toEqual([
    { warning: poor, sources: ['a', 'c'] },
    { warning: silent, sources: ['b'] },
  ])
})
