import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, cleanTextOrNull, cleanUrlOrNull } from '../../src/platform/text.ts'
import { anyText } from '../any-text.ts'

test('hostile text is made plain', () => {
  expect(cleanText('a\u0000b\u0007c\u202Ed\u2066e\u0085f\tg\r\nh\ri', 100)).toBe('abcdef\tg\nh\ni')
  expect(cleanText('  Zoë \ud83d\ude00  ', 100)).toBe('Zoë \ud83d\ude00')
  expect(cleanText('x\ud83dy', 100)).toBe('x\ufffdy')
  expect(cleanText(`a${'\ud83d\ude00'.repeat(5)}`, 4)).toBe('a\ud83d\ude00')
  expect(cleanTextOrNull(' \u0000 ', 10)).toBeNull()
  expect(cleanTextOrNull(7, 10)).toBeNull()
})

test('whatever comes in, what goes out is well formed, bounded and stable', () => {
  fc.assert(
    fc.property(anyText(200), fc.integer({ min: 1, max: 50 }), (value, max) => {
      const once = cleanText(value, max)
      expect(once.length).toBeLessThanOrEqual(max)
      expect(once.isWellFormed()).toBe(true)
      expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/)
      expect(cleanText(once, max)).toBe(once)
    }),
  )
})

test('only http addresses of a sane length are addresses', () => {
  expect(cleanUrlOrNull('https://example.com/a b')).toBe('https://example.com/a%20b')
  for (const bad of [
    'javascript:alert(1)',
    'data:x',
    '',
    null,
    'example.com',
    `https://example.com/${'a'.repeat(2_000)}`,
  ])
    expect(cleanUrlOrNull(bad)).toBeNull()
})

test.each([
  ['Ac\u200bme\u00a0GmbH', 'Acme GmbH'],
  ['\u200eAcme GmbH\u200f', 'Acme GmbH'],
  ['Head of Sa\u00adles', 'Head of Sales'],
  ['\ufeffAnna\u2009Schmidt\u061c', 'Anna Schmidt'],
  ['a\u2028b\u3000c\u2800d', 'a\nb c d'],
  ['x\ufe0f y\u200d z\u200c', 'x y z'],
  ['hidden\u{e0068}\u{e0069} words', 'hidden words'],
  // Invisible characters that letters and emoji need stay.
  ['👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3', '👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष ന്\u200d', 'क्\u200dष ന്\u200d'],
  ['葛\u{e0100}城', '葛\u{e0100}城'],
  // Without such a function they are removed.
  ['👩\u200d hello', '👩 hello'],
  ['علی\u200c', 'علی'],
  ['1\ufe0f', '1'],
])('%j is stored as %j, without what nobody sees [G167, WLD-09]', (text, stored) => {
  expect(cleanText(text, 300)).toBe(stored)
})
