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

  it('says what stood there, and leaves the rest as it was: lists, texts, numbers, what is empty', () => {
    const body = { list: [`x ${hex} y`, 1, true, null], deep: { [hex]: { none: null } } }
    expect(JSON.parse(keptBody(body, whole)!)).toEqual({
      list: ['x (not kept) y', 1, true, null],
      deep: { '(not kept)': { none: null } },
    })
    expect(keptBody({}, whole)).toBe(null)
    expect(keptQuery([], whole)).toBe('[]')
    expect(
      keptQuery(
        [
          ['a', '1'],
          ['b', null],
        ],
        whole,
      ),
    ).toBe('[["a","1"],["b",""]]')
  })

  it('has nothing that the name of a field says is a secret', () => {
    const blank = (value: unknown) => Object.fromEntries(Object.keys(value as object).map((name) => [name, 'gone']))
    expect(keptBody({ apiKey: 'short' }, blank)).toBe('{"apiKey":"gone"}')
    expect(keptQuery([['apiKey', 'short']], blank)).toBe('[["apiKey","gone"]]')
  })

  const of = (count: number, digits: string) => digits.repeat(count).slice(0, count)
  it.each([
    ['cs_', 'Zz9', 20],
    ['whsec_', 'Zz9+/=', 20],
    ['sk-', 'Zz9_-', 8],
    ['AIza', 'Zz9_-', 20],
    ['', '0123456789abcdefABCDEF', 24],
  ])('takes %s and what follows for a key from the least length on, to its end', (prefix, digits, least) => {
    expect(keptPath(`/a/${prefix}${of(least, digits)} b`)).toBe('/a/(not kept) b')
    expect(keptPath(`/a/${prefix}${of(least + 40, digits)} b`)).toBe('/a/(not kept) b')
    expect(keptPath(`/a/${prefix}${of(least - 1, digits)} b`)).toBe(`/a/${prefix}${of(least - 1, digits)} b`)
  })

  it('takes no word that only ends like the beginning of a key', () => {
    for (const text of ['/task-abcdefgh12345678', `/xAIza${of(20, 'Zz9')}`]) expect(keptPath(text)).toBe(text)
  })

  it('is cut at its bounds: a body of 4,000 characters, a query of 1,000, a path of 500', () => {
    const body = (characters: number) => ({ a: of(characters - '{"a":""}'.length, 'xyz ') })
    expect(keptBody(body(4_000), whole)).toHaveLength(4_000)
    expect(keptBody(body(4_001), whole)).toBe('{"(too long to keep)":"4001 characters"}')
    const pairs = (...lengths: number[]): [string, string][] =>
      lengths.map((length) => ['a', of(length - '["a",""]'.length, 'xyz ')])
    const kept = (...lengths: number[]) => JSON.parse(keptQuery(pairs(...lengths), whole)).length
    // The limit includes two brackets, and a comma between two pairs.
    expect([kept(998), kept(999), kept(500, 497), kept(500, 498), kept(300, 300, 300)]).toEqual([1, 0, 2, 1, 3])
    expect(keptQuery(pairs(500, 497), whole)).toHaveLength(1_000)
    expect([keptPath(of(500, 'xyz ')).length, keptPath(of(501, 'xyz ')).length]).toEqual([500, 500])
  })
})
