import { expect, it } from 'vitest'
import { comesInFloods, fullPerMinute, oneOf, standsFor } from './sampling.ts'

it('keeps every call up to the rate, and above it as many in sum as there were', () => {
  const kept = (calls: number) => Array.from({ length: calls }, (_, index) => standsFor(index + 1))
  expect(kept(fullPerMinute)).toEqual(Array.from({ length: fullPerMinute }, () => 1))
  const flood = kept(fullPerMinute + 10 * oneOf)
  expect(flood.indexOf(oneOf)).toBe(fullPerMinute + oneOf - 1)
  expect(flood.filter((count) => count > 0)).toHaveLength(fullPerMinute + 10)
  expect(flood.reduce((sum, count) => sum + count, 0)).toBe(fullPerMinute + 10 * oneOf)
})

it('samples reads and calls that came too fast, never a change or another refusal of one', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    expect([method, comesInFloods(method, 200), comesInFloods(method, 404)]).toEqual([method, true, true])
  expect(comesInFloods('POST', 429)).toBe(true)
  expect([comesInFloods('POST', 200), comesInFloods('DELETE', 404), comesInFloods('PUT', 409)]).toEqual([
    false,
    false,
    false,
  ])
})
