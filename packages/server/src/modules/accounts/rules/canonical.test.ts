import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical.ts'

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
