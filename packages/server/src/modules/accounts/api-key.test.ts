import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatKey, hashKey, isKeyShaped, maskKey } from './api-key.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('every key starts with cs_, has 52 characters and a right checksum [AUT-04]', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const key = formatKey(random)
      expect(key).toMatch(/^cs_[0-9A-Za-z]{49}$/)
      expect(isKeyShaped(key)).toBe(true)
    }),
  )
  expect(formatKey(new Uint8Array(32))).toBe(`cs_${'0'.repeat(43)}${formatKey(new Uint8Array(32)).slice(-6)}`)
  expect(formatKey(new Uint8Array(32).fill(255))).toHaveLength(52)
  expect(() => formatKey(new Uint8Array(31))).toThrow()
})

test('a key with one character changed, cut or added is not key-shaped', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 3, max: 51 }),
      fc.constantFrom('0', 'A', 'z', '_', ' ', 'é'),
      (random, at, other) => {
        const key = formatKey(random)
        fc.pre(key[at] !== other)
        expect(isKeyShaped(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
        expect(isKeyShaped(key.slice(0, at))).toBe(false)
        expect(isKeyShaped(key + other)).toBe(false)
      },
    ),
  )
  for (const text of ['', 'cs_', 'cs_wrong', `CS_${formatKey(new Uint8Array(32)).slice(3)}`])
    expect(isKeyShaped(text)).toBe(false)
})

test('different keys stay different, and a mask shows seven characters of the secret', () => {
  fc.assert(fc.property(bytes, bytes, (a, b) => Buffer.compare(a, b) === 0 || formatKey(a) !== formatKey(b)))
  const key = formatKey(new Uint8Array(32).fill(7))
  expect(maskKey(key)).toBe(`${key.slice(0, 6)}…${key.slice(-4)}`)
  expect(maskKey(key)).toHaveLength(11)
  expect(hashKey(key)).toHaveLength(32)
})
