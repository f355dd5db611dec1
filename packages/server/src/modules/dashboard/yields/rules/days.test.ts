import { expect, it } from 'vitest'
import { firstDay } from './days.ts'

it('sums begin with a UTC day, further back than the longest window of 90 days', () => {
  for (const at of ['2026-11-23T00:00:00.000Z', '2026-11-23T23:59:59.999Z'])
    expect(firstDay(new Date(at)).toISOString()).toBe('2026-08-23T00:00:00.000Z')
})
