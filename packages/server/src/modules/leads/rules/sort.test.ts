import { describe, expect, it } from 'vitest'
import { bandsOf } from './sort.ts'

describe('an order of leads', () => {
  it('puts leads without the value last, either way', () => {
    for (const direction of ['up', 'down'] as const) {
      expect(bandsOf('name', direction)).toEqual([
        { of: 'text', column: 'name', direction },
        { of: 'without', column: 'name' },
      ])
      expect(bandsOf('company', direction).at(-1)).toEqual({ of: 'without', column: 'company_name' })
      expect(bandsOf('fit', direction).at(-1)).toEqual({ of: 'fit', value: null })
    }
  })

  it('is turned round by the direction', () => {
    const values = (by: 'fit' | 'engagement', direction: 'up' | 'down') =>
      bandsOf(by, direction).map((band) => ('value' in band ? band.value : undefined))
    expect([values('fit', 'up'), values('fit', 'down')]).toEqual([
      [true, false, null],
      [false, true, null],
    ])
    expect([values('engagement', 'up'), values('engagement', 'down')]).toEqual([
      ['Author', 'Comment', 'Like'],
      ['Like', 'Comment', 'Author'],
    ])
    expect(bandsOf('captured', 'down')).toEqual([{ of: 'time', direction: 'down' }])
  })
})
