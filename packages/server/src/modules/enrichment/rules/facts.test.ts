import { expect, test } from 'vitest'
import { saysNothing } from './facts.ts'

const hidden = { headline: null, jobTitle: null, country: null, companyName: null }

test('a profile says nothing only when every fact is missing [CRD-10]', () => {
  expect(saysNothing(hidden)).toBe(true)
  for (const field of Object.keys(hidden))
    expect([field, saysNothing({ ...hidden, [field]: 'x' })]).toEqual([field, false])
})
