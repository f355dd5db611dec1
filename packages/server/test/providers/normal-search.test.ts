import { describe, expect, test } from 'vitest'
import { headlineHasAny, maxTermLength, sentTerm, textHasTerm } from '../../src/providers/network/normal/search.ts'

describe('what is sent of a term', () => {
  test('a term that the network reads whole goes as it is', () => {
    expect(sentTerm('  sales   "cold call" ')).toEqual({ sent: 'sales "cold call"', rest: false })
    expect(sentTerm('x'.repeat(maxTermLength))).toEqual({ sent: 'x'.repeat(maxTermLength), rest: false })
  })

  test('a longer one is cut between words, a phrase stays one, and the rest is told', () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`)
    const plain = sentTerm(words.join(' '))
    expect(plain.rest).toBe(true)
    expect(plain.sent.length).toBeLessThanOrEqual(maxTermLength)
    expect(words.join(' ').startsWith(`${plain.sent} `)).toBe(true)
    const phrase = sentTerm(`"${words.join(' ')}"`)
    expect(phrase.sent).toMatch(/^"word0 .*\d"$/)
    expect(phrase.sent.length).toBeLessThanOrEqual(maxTermLength)
    expect(sentTerm('y'.repeat(200))).toEqual({ sent: 'y'.repeat(maxTermLength), rest: true })
  })
})

describe('what a text has', () => {
  test.each([
    ['Sales is hard. Automation helps.', 'sales automation', true],
    ['Automation of SALES', 'sales automation', true],
    ['Automation of SALES', '"sales automation"', false],
    ['#sales, automation!', '"sales automation"', true],
    ['salesforce automation', 'sales automation', false],
    ['R&D budgets', 'r&d', true],
    ['Ärger über ＡＩ', 'ai ärger', true],
    ['anything', '&', false],
    ['sales & ops', '&', true],
    ['Ops for sales', 'sales & ops', true],
    [null, 'anything', false],
  ] as const)('%s / %s', (text, term, has) => expect(textHasTerm(text, term)).toBe(has))

  test('any author keyword suffices, whatever its case; without a headline there is none [KEY-22]', () => {
    const author = (headline: string | null) => ({
      kind: 'person' as const,
      urn: null,
      name: null,
      url: null,
      headline,
    })
    expect(headlineHasAny(author('Head of Growth at Acme'), ['founder', 'GROWTH head'])).toBe(true)
    expect(headlineHasAny(author('Head of Sales'), ['founder', 'growth head'])).toBe(false)
    expect(headlineHasAny(author(null), ['founder'])).toBe(false)
    for (const none of [undefined, []]) expect(headlineHasAny(author(null), none)).toBe(true)
  })
})
