import { describe, expect, it } from 'vitest'
import { owesCredit } from './facts.ts'

describe('what enrichment on request charges for [G141]', () => {
  it.each([
    ['pending', false],
    ['processing', false],
    ['completed', false],
    ['failed', true],
    ['skipped', true],
  ])('a lead that is %s: %s', (state, owes) => {
    expect(owesCredit(state)).toBe(owes)
  })
})
