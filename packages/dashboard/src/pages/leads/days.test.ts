import { describe, expect, it } from 'vitest'
import { dayOf, endOf, startOf } from './words.ts'

describe('days as instants', () => {
  it('covers a day from its first to its last millisecond', () => {
    expect(Date.parse(endOf('2026-11-21')!) - Date.parse(startOf('2026-11-21')!)).toBe(86_400_000 - 1)
    expect(dayOf(startOf('2026-11-21'))).toBe('2026-11-21')
    expect(dayOf(endOf('2026-11-21'))).toBe('2026-11-21')
  })

  it('takes an empty field as no bound', () => {
    expect([startOf(''), endOf(''), dayOf(undefined)]).toEqual([undefined, undefined, ''])
  })
})
