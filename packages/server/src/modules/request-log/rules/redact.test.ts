import { describe, expect, it } from 'vitest'
import { keptBody, keptPath, keptQuery } from './redact.ts'

const hex = 'a1b2c3d4e5f60718293a4b5c'
const whole = (value: unknown): unknown => value

describe('what is kept of a call', () => {
  it.each([
    ['a key of ours', `cs_${'a1'.repeat(24)}`],
    ['a signing secret', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAA'],
    ['a key of an AI vendor', 'sk-abcdefgh12345678'],
    ['hexadecimal digits', hex],
  ])('is without %s, in whatever field, query or path it was put', (_what, secret) => {
    expect(keptBody({ maxPosts: secret, deep: { list: [`x ${secret} y`] } }, whole)).not.toContain(secret)
    expect(keptQuery([['q', secret]], whole)).not.toContain(secret)
    expect(keptPath(`/profile/${secret}/sync`)).not.toContain(secret)
  })

  it.each(['\0', '\b', '\f', '\u0001', '\ud83d', '\\', '"'])(
    'is JSON, also where digits follow %j, whose escape would pass for the beginning of a key',
    (before) => {
      for (const text of [`${before}${hex}`, `${before}cs_${'a1'.repeat(12)}`]) {
        expect(JSON.parse(keptQuery([[text, text]], whole))).toHaveLength(1)
        expect(JSON.parse(keptBody({ [text]: [text] }, whole)!)).toBeTypeOf('object')
        expect(keptQuery([[text, text]], whole)).not.toContain(hex)
        expect(keptBody({ [text]: [text] }, whole)).not.toContain(hex)
      }
    },
  )

  it('has the ids of sources, posts and people', () => {
    for (const id of [
      '01a2046b-ad6c-738e-802d-e5a1b457a077',
      'urn:li:activity:7395000000000000001',
      'ACoAAAEkwwAB9KEc2TrQgOLEQ-vzRyZeCDyc6DQ',
    ])
      expect(keptPath(`/leads/${id}`)).toBe(`/leads/${id}`)
  })
})
