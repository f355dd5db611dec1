/** Search terms as the network accepts them: around its length bound, and without the searcher's operators. */
import { describe, expect, it } from 'vitest'
import { headlineHasAny, maxTermLength, plainAlternative, plainWords, sentTerm, textHasTerm } from './search.ts'

describe('a term', () => {
  const x = (count: number) => 'x'.repeat(count)
  it.each([
    [`${x(80)} abcd`, `${x(80)} abcd`, false],
    [`  ${x(80)}   abcd `, `${x(80)} abcd`, false],
    [`${x(80)} abcd e`, `${x(80)} abcd`, true],
    [`${x(80)} abcde f`, `${x(80)} f`, true],
    [`${x(70)} "one two three four"`, `${x(70)} "one two"`, true],
    [`"${x(80)} abc d"`, `"${x(80)}"`, true],
    [`"${x(79)} abc`.padEnd(90, ' d'), `"${x(79)} abc"`, true],
    [`"" ${x(80)} abcdef`, x(80), true],
    [`${x(80)} "abcdefgh"`, x(80), true],
    [x(86), x(85), true],
  ])('%j is sent as %j, with a rest: %s', (term, sent, rest) => {
    expect(sentTerm(term)).toEqual({ sent, rest })
    expect(sent.length).toBeLessThanOrEqual(maxTermLength)
  })
})

describe('words of operators', () => {
  it.each([
    ['a AND b', 'a and b'],
    ['(OR)', '(or)'],
    ['NOT', 'not'],
    ['BRAND', 'BRAND'],
    ['ANDS', 'ANDS'],
    ['éOR', 'éOR'],
    ['OR1', 'OR1'],
    ['a and b', 'a and b'],
  ])('in %j: %j', (text, plain) => expect(plainWords(text)).toBe(plain))

  it.each([
    ['Head (of) Growth', 'Head of Growth'],
    ['"head of growth"', '"head of growth"'],
    ['"head of', 'head of'],
    ['"a" "b', 'a b'],
    ['a(b)c', 'a b c'],
    ['a"b"c"d', 'a b c d'],
    ['  VP   OR CEO ', 'VP or CEO'],
    ['()', ''],
  ])('of one alternative %j: %j', (text, plain) => expect(plainAlternative(text)).toBe(plain))
})

it.each([
  ['Sales is hard. Automation helps.', 'sales automation', true],
  ['Automation of SALES', '"sales automation"', false],
  ['#sales, automation!', '"sales automation"', true],
  ['salesforce automation', 'sales automation', false],
  ['R&D budgets', 'r&d', true],
  ['Ärger über ＡＩ', 'ai ärger', true],
  ['anything', '&', false],
  ['sales & ops', '&', true],
  ['Ops for sales', 'sales & ops', true],
])('whether %j has %j: %s', (text, term, has) => expect(textHasTerm(text, term)).toBe(has))

it('a text is judged by all words, a headline by any keyword, without one by none [KEY-22]', () => {
  expect([textHasTerm('a b', 'b a'), textHasTerm('a', 'a b'), textHasTerm(null, 'a'), textHasTerm('', 'a')]).toEqual([
    true,
    false,
    false,
    false,
  ])
  const author = { kind: 'person' as const, urn: null, name: null, url: null, headline: 'Founder' }
  expect(headlineHasAny({ ...author, headline: null }, undefined)).toBe(true)
  expect([headlineHasAny(author, []), headlineHasAny(author, ['x', 'founder']), headlineHasAny(author, ['x'])]).toEqual(
    [true, true, false],
  )
  expect(headlineHasAny({ ...author, headline: null }, ['founder'])).toBe(false)
  expect(headlineHasAny({ ...author, headline: 'Head of Growth at Acme' }, ['GROWTH head'])).toBe(true)
})
