import { expect, it } from 'vitest'
import { pausedWords } from './outreach.ts'

it('a rule that stands still says why and what to do; one that works says nothing', () => {
  expect(pausedWords(null)).toBeNull()
  expect(pausedWords('invalid_key')).toContain('store a good one under Settings')
  expect(pausedWords('campaign_closed')).toContain('choose another')
})
