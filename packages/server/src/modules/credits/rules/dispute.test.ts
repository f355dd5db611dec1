import { describe, expect, it } from 'vitest'
import { isCreditedAtOnce } from './dispute.ts'

describe('a dispute is credited at once [LDG-06]', () => {
  it.each([
    ['the first of a month without charges', { charged: 0, credited: 0 }, true],
    ['the tenth', { charged: 0, credited: 9 }, true],
    ['not the eleventh', { charged: 0, credited: 10 }, false],
    ['not the eleventh, of 219 charges', { charged: 219, credited: 10 }, false],
    ['the eleventh, of 220 charges: 5 % are 11', { charged: 220, credited: 10 }, true],
    ['not the twelfth, of 239: 5 % are 11.95', { charged: 239, credited: 11 }, false],
  ])('%s', (_title, month, credited) => {
    expect(isCreditedAtOnce(month, { reason: 'duplicate', credits: 1 })).toBe(credited)
  })
  it('never for other reasons', () => {
    expect(isCreditedAtOnce({ charged: 1_000, credited: 0 }, { reason: 'other', credits: 1 })).toBe(false)
  })
})
