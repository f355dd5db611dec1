import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { canonicalJson, withoutConsent } from './canonical.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, shuffled(field)]),
  )
}

test('the order of fields does not matter, everything else does', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => canonicalJson(value) === canonicalJson(shuffled(value))))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: 1 })).toBe('{"a":1,"b":[1,{"c":"x","d":null}]}')
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }))
  expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
})

test('consent to a price or a change is not part of the request', () => {
  expect(withoutConsent({ a: 1, confirmSpend: true, confirmChanges: false })).toEqual({ a: 1 })
  expect(withoutConsent({ a: { confirmSpend: true } })).toEqual({ a: { confirmSpend: true } })
  expect(withoutConsent(null)).toBeNull()
  expect(withoutConsent([1])).toEqual([1])
})

describe('one spelling', () => {
  it.each([
    [{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
    [{ a: undefined, b: undefined }, '{}'],
    [{ c: 3, a: 1, b: 2, B: 4, aa: 5 }, '{"B":4,"a":1,"aa":5,"b":2,"c":3}'],
    [[undefined, null], '[null,null]'],
    [undefined, 'null'],
  ])('of %j', (value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })
})
