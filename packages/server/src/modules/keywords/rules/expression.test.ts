import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSubject } from './subject.ts'
import { cpuMs } from '../../../../test/cpu-time.ts'
import { anyText, expressions, mustAgree, mustHold, vocabulary } from '../../../../test/keywords/expression-inputs.ts'
import {
  canonicalText,
  identityOfExpression,
  judgeByExpression,
  missesBy,
  parseExpression,
  requiredTerms,
  warningsOf,
} from './expression.ts'
import {
  identityOfTerms,
  joinTerms,
  judgeTerm,
  normaliseTerm,
  operatorIn,
  termFault,
  withoutOperators,
} from './terms.ts'

function parsed(text: string) {
  const result = parseExpression(text)
  if (!result.ok) throw new Error(result.message)
  return result.expression
}
function refused(text: string) {
  const result = parseExpression(text)
  if (result.ok) throw new Error(`accepted as ${canonicalText(result.expression)}`)
  return result
}
const canonical = (text: string) => canonicalText(parsed(text))
const judged = (expression: string, post: string) => judgeByExpression(parsed(expression), post)
const kept = (expression: string, post: string) => judged(expression, post).kept
const reason = (expression: string, post: string) => {
  const judgement = judged(expression, post)
  return judgement.kept ? null : judgement.reason
}
const words = (count: number, joint: string, prefix = 't') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`).join(joint)

describe('parseExpression', () => {
  it.each([
    ['a', 'a'],
    ['a b', 'a OR b'],
    ['a OR b', 'a OR b'],
    ['a and b', 'a OR and OR b'],
    ['or not And', 'or OR not OR And'],
    ['a AND b', '(a AND b)'],
    ['a OR b AND NOT c', 'a OR (b AND NOT c)'],
    ['a AND b OR c AND NOT d e', '(a AND b) OR (c AND NOT d) OR e'],
    ['NOT a AND b', '(NOT a AND b)'],
    ['a OR NOT b', 'a OR NOT b'],
    ['מנכ"ל OR "סמנכ"ל מכירות"', 'מנכ״ל OR "סמנכ״ל מכירות"'],
    ['❤ OR & OR "™"', '❤ OR & OR "™"'],
    ['a OR A OR a AND a', 'a'],
    ['"sales  ops" \n OR\tb2b', '"sales ops" OR b2b'],
    ['“head of growth” AND b', '("head of growth" AND b)'],
    ['a"b c"d', 'a OR "b c" OR d'],
    ['"AND" OR "or"', '"AND" OR "or"'],
    ['cafe\u0301', 'caf\u00e9'],
  ])(
    '%j is written %j: NOT before AND before OR, side by side means OR, only capitals operate [EXP-02, EXP-03, EXP-04]',
    (text, expected) => {
      expect(canonical(text)).toBe(expected)
      expect(canonical(expected)).toBe(expected)
    },
  )

  it.each([
    ['a AND', 'AND', 3],
    ['AND a', 'AND', 1],
    ['OR', 'OR', 1],
    ['a OR OR b', 'OR', 6],
    ['a AND OR b', 'OR', 7],
    ['a AND NOT', 'NOT', 7],
    ['a OR NOT AND b', 'AND', 10],
    ['a NOT b', 'NOT', 3],
    ['"head of growth" AND hiring NOT intern', 'NOT', 29],
    ['NOT a NOT b', 'NOT', 7],
    ['cafe\u0301 NOT b', 'NOT', 7],
    ['a AND NOT NOT b', 'NOT', 11],
    ['a OR "sales ops', '"sales ops', 6],
    ['a OR ""', '""', 6],
    ['a OR -', '-', 6],
    ['a OR "!?"', '"!?"', 6],
    ['a OR "b\u0000c"', '"b c"', 6],
    ['a OR \ud800', '\ufffd', 6],
  ])('%j is refused naming %j at character %i [EXP-10]', (text, token, position) => {
    const fault = refused(text)
    expect(fault).toMatchObject({ token, position })
    expect(fault.message).toContain(`\`${token}\` at character ${position}`)
  })

  it.each([
    ['(a OR b) AND c', '(', 1],
    ['a AND (b OR c)', '(', 7],
    ['(a)', '(', 1],
    ['(a OR b)', '(', 1],
    ['((a AND b))', '(', 1],
    ['(a AND  b)', '(', 1],
    ['a OR (b AND c) d', '(', 6],
    ['a)', ')', 2],
    ['a AND "b (c)"', '"b (c)"', 7],
  ])('parentheses of its own in %j are refused [EXP-06]', (text, token, position) => {
    expect(refused(text)).toMatchObject({ token, position })
  })

  it('takes its own canonical form back unchanged and reads the same out of it [EXP-06, EXP-16]', () => {
    const form = canonical('sales AND "head of growth" OR NOT intern OR b2b AND NOT hiring')
    expect(form).toBe('(sales AND "head of growth") OR NOT intern OR (b2b AND NOT hiring)')
    expect(canonical(form)).toBe(form)
    expect(canonical(`  ${form}\n`)).toBe(form)
    expect(identityOfExpression(parsed(form))).toBe(
      identityOfExpression(parsed('Sales AND "Head of Growth" OR NOT Intern OR B2B AND NOT Hiring')),
    )
  })

  it.each(['', ' ', '\n\t'])('blank %j is refused [EXP-14]', (text) => {
    expect(refused(text).message).toContain('blank')
  })

  it.each(['NOT a', 'NOT a AND NOT b', 'NOT "a b" OR NOT c'])(
    '%j has only exclusions and is refused, naming NOT [EXP-15]',
    (text) => {
      expect(refused(text)).toMatchObject({ token: 'NOT', position: 1 })
    },
  )

  it('takes 10 required terms and refuses the 11th, counting each once and no exclusion [EXP-07]', () => {
    expect(requiredTerms(parsed(words(10, ' OR ')))).toHaveLength(10)
    expect(requiredTerms(parsed(`${words(10, ' ')} T1 OR NOT x`))).toHaveLength(10)
    expect(refused(words(11, ' OR '))).toMatchObject({ token: 't11', position: 62 })
    expect(refused(words(11, ' AND '))).toMatchObject({ token: 't11' })
  })

  it('takes 60 tokens and refuses the 61st, whatever the tokens are [EXP-08]', () => {
    const sixty = `a b OR ${words(19, ' AND NOT ', 'x')}`
    expect(sixty.split(' ')).toHaveLength(58)
    expect(parseExpression(`a AND ${words(20, ' AND NOT ', 'x')}`).ok).toBe(true)
    expect(refused(`a AND b ${words(21, ' AND NOT ', 'x')}`)).toMatchObject({ token: 'x20' })
    expect(parseExpression(Array(60).fill('a').join(' ')).ok).toBe(true)
    expect(refused(Array(61).fill('a').join(' '))).toMatchObject({ token: 'a', position: 121 })
  })

  it('names a NOT right after a term and proposes AND NOT; OR NOT spelled out is taken with a warning [G147]', () => {
    expect(refused('sales hiring NOT intern').message).toBe(
      'Expression: `NOT` at character 14 follows a term without an operator and would be an alternative ' +
        'of its own. Write AND NOT to exclude what comes after it.',
    )
    const warned = (text: string) => warningsOf(parsed(text))
    expect(warned('sales OR NOT intern')).toEqual([
      expect.stringContaining('The alternative NOT intern holds exclusions only'),
    ])
    expect(warned('NOT a AND NOT "b c" OR d OR NOT e')).toEqual([
      expect.stringContaining('(NOT a AND NOT "b c")'),
      expect.stringContaining('NOT e'),
    ])
    for (const text of ['sales AND NOT intern', 'NOT intern AND sales', 'a b OR c']) expect(warned(text)).toEqual([])
  })

  it('counts what is sent, not what its canonical form writes out, which is taken back all the same [EXP-08, EXP-09, EXP-16]', () => {
    const side = Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(99, 'x')).join(' ')
    expect([side.length, canonical(side).length]).toEqual([999, 1_026])
    const tokens = `${words(3, ' ')} ${words(19, ' AND NOT ', 'x')}`
    expect([tokens.split(' ').length, canonical(tokens).split(' ').length]).toEqual([58, 61])
    for (const text of [side, `${side}y`, tokens, `${tokens} y z`.slice(0, -2)])
      expect(canonical(canonical(text))).toBe(canonical(text))
    expect(refused(`${side}yz`)).toMatchObject({ position: 1001 })
    expect(refused(`${tokens} AND NOT y`)).toMatchObject({ token: 'y' })
  })

  it('takes 1000 characters and refuses 1001 [EXP-09]', () => {
    for (const text of ['x'.repeat(1000), `a AND ${'x'.repeat(994)}`, `"${'y '.repeat(499)}"`])
      expect(canonical(canonical(text))).toBe(canonical(text))
    expect(refused('x'.repeat(1001))).toMatchObject({ position: 1001 })
    expect(refused(`a AND ${'x'.repeat(995)}`)).toMatchObject({ position: 1001 })
    expect(refused('('.repeat(5_000_000)).message).toContain('1000')
  })
})

describe('requiredTerms', () => {
  it('are the positive terms, each once, in order, phrases in their quotes [EXP-11]', () => {
    expect(requiredTerms(parsed('b AND NOT c OR "sales  ops" AND B OR a'))).toEqual(['b', '"sales ops"', 'a'])
  })
})

describe('the identity of a search', () => {
  it('is the same for a list and an OR of the same terms, whatever their case', () => {
    expect(identityOfTerms(['A', ' "Sales   Ops" '])).toBe(identityOfExpression(parsed('a OR "sales ops"')))
    expect(joinTerms(['a', 'b'])).toBe(canonical('a OR b'))
  })
  it('tells a term of several words from an expression, and a term that reads like one from the list it resembles', () => {
    // Of `H` with a line below there is no single letter, of `h` there is.
    expect(identityOfTerms(['H\u0331'])).toBe(identityOfTerms(['\u1E96']))
    expect(identityOfExpression(parsed('H\u0331 OR b'))).toBe(identityOfTerms(['\u1E96', 'b']))
    expect(requiredTerms(parsed('H\u0331 OR \u1E96'))).toHaveLength(1)
    expect(identityOfTerms(['sales ops'])).not.toBe(identityOfExpression(parsed('sales ops')))
    expect(identityOfTerms(['a or b'])).not.toBe(identityOfTerms(['a', 'b']))
    expect(identityOfTerms(['a OR b'])).not.toBe(identityOfTerms(['a', 'b']))
  })
})

describe('missesBy', () => {
  it.each([
    ['sales AND hiring', 'sales only', 'hiring'],
    ['sales AND NOT intern', 'sales intern', 'NOT intern'],
    ['sales AND hiring', 'sales hiring', null],
    ['sales AND hiring', 'cooking', null],
    ['sales OR hiring', 'cooking', null],
    ['sales OR growth AND hiring', 'growth', 'hiring'],
  ])('%s of "%s": %s', (expression, post, misses) => {
    expect(missesBy(parsed(expression), post)).toBe(misses)
  })
})

describe('judgeByExpression', () => {
  it.each([
    ['a OR b AND NOT c', 'a c', true],
    ['a OR b AND NOT c', 'b c', false],
    ['a OR b AND NOT c', 'b', true],
    ['sales', 'SALES!', true],
    ['sales', 'wholesales', false],
    ['sales', 'salesforce', false],
    ['sales', "Sales' and (sales)", true],
    ['"sales ops"', 'Sales\n  ops', true],
    ['"sales ops"', 'sales-ops', true],
    ['"sales ops"', '#sales #ops', true],
    ['"sales ops"', 'ops sales', false],
    ['"sales ops"', 'sales and ops', false],
    ['"a b a c"', 'x a b a b a c', true],
    ['sales-ops', 'sales ops', true],
    ['hiring', '#Hiring', true],
    ['#hiring', 'hiring', false],
    ['#hiring', 'we are (#hiring)', true],
    ['C++', 'C and c#', false],
    ['C++', 'modern C++.', true],
    ['C', 'C++', true],
    ['.NET', 'a .net shop', true],
    ['.NET', 'inter.net', false],
    ["don't", 'DON’T', true],
    ['resume', 'Résumé', true],
    ['café', 'CAFE', true],
    ['strasse', 'Straße', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['istanbul', 'İSTANBUL', true],
    ['hiring', '𝗛𝗶𝗿𝗶𝗻𝗴 now', true],
    ['acme', 'Acme™', true],
    ['software', 'soft\u00adware', true],
    ['销售', '我们招聘销售人员', true],
    ['销售', '销 售', true],
    ['营销', '我们招聘销售人员', false],
    ['🚀', 'to the moon 🚀🚀', true],
    ['fiscal', 'ﬁscal', true],
  ])('%j on %j: %j, by whole words, without regard to case [EXP-02, EXP-05]', (expression, post, expected) => {
    expect(kept(expression, post)).toBe(expected)
  })

  it('says what is missing or what was excluded [EXP-13]', () => {
    expect(reason('sales AND "head of growth"', 'Sales people')).toBe('Does not contain the phrase "head of growth"')
    expect(reason('sales', 'x')).toBe('Does not contain "sales"')
    expect(reason('sales AND NOT hiring', 'sales, hiring')).toBe('Contains the excluded term "hiring"')
    expect(reason('sales AND NOT "we are hiring"', 'sales: we are hiring')).toBe(
      'Contains the excluded phrase "we are hiring"',
    )
    expect(reason('sales AND NOT x AND NOT y', 'sales x y')).toBe('Contains the excluded terms "x", "y"')
    expect(reason('a OR "b c" OR d', 'x')).toBe('Contains none of "a", "b c", "d"')
    expect(reason('a AND b AND c OR d AND NOT e', 'd e')).toBe('Contains the excluded term "e"')
    expect(reason(`a AND ${words(9, ' AND ')}`, 'a')).toBe('Does not contain "t1", "t2", "t3", "t4", "t5" and 4 more')
    expect(reason('x'.repeat(1000), 'a')).toBe(`Does not contain "${'x'.repeat(80)}…"`)
  })

  it.each([
    ['letters', 'a '.repeat(500_000)],
    ['a letter', 'a'.repeat(1_000_000)],
    ['accents', 'é'.repeat(1_000_000)],
    ['marks in two orders', `a${'\u0315\u0316'.repeat(500_000)}`],
    ['Hebrew marks in two orders', `a${'\u05b0\u0591'.repeat(500_000)}`],
    ['astral letters', '𝗛 '.repeat(333_333)],
    ['signs', '#+'.repeat(500_000)],
    ['signs stuck to words', 'a++++'.repeat(200_000)],
    ['emoji', '🚀'.repeat(500_000)],
    ['nothing', '\u0000'.repeat(1_000_000)],
  ])('a post of 1 MB of %s is judged in time linear in it [EXP-05]', (_, post) => {
    const expression = parsed(`"${'a '.repeat(400)}b" OR C++ OR NOT "a ${'a '.repeat(40)}#b"`)
    const cost = (length: number) => cpuMs(1, () => void judgeByExpression(expression, post.slice(0, length)))
    // Sixteen times the post: 16 times the work when it is linear, 256 times when it is quadratic.
    expect(cost(post.length) / Math.max(cost(post.length / 16), 4)).toBeLessThan(80)
  })

  it.each([
    ['one term', (count: number) => 'x'.repeat(count)],
    ['parentheses', (count: number) => '('.repeat(count)],
    ['NOTs', (count: number) => 'NOT '.repeat(count / 4)],
    ['quotes', (count: number) => '"a" '.repeat(count / 4)],
    ['half of a quote', (count: number) => `"${' a'.repeat(count / 2)}`],
    ['alternatives', (count: number) => 'a AND NOT b OR '.repeat(count / 15)],
    ['accents', (count: number) => 'e\u0301'.repeat(count / 2)],
    ['marks in two orders', (count: number) => `a${'\u0315\u0316'.repeat(count / 2)}`],
  ])(
    'an expression of 960 characters of %s costs no more than the square of one a quarter as long [EXP-16]',
    (_, make) => {
      const cost = (count: number) => cpuMs(50, () => void mustHold(make(count)))
      expect(cost(960) / Math.max(cost(240), 4)).toBeLessThan(64)
    },
  )

  it('agrees with the truth table, and canonical forms are fixed points, on 20,000 random inputs [EXP-02, EXP-16]', () => {
    const present = fc.subarray([...vocabulary]).map((terms) => new Set<string>(terms))
    const numRuns = fc.readConfigureGlobal().numRuns ?? 10_000
    fc.assert(fc.property(anyText, mustHold), { numRuns })
    fc.assert(
      fc.property(expressions, present, ({ text, parts }, terms) => mustAgree(text, parts, terms)),
      { numRuns },
    )
  }, 120_000)
})

describe('a term of a list', () => {
  it('is trimmed, composed, with straight quotes and single spaces', () => {
    expect(normaliseTerm('  sales \n ops ')).toBe('sales ops')
    expect(normaliseTerm('“ sales  ops ”')).toBe('"sales ops"')
  })
  it.each([
    ['a (b)', 'parenthesis'],
    ['"a', 'pair'],
    ['""', 'letter'],
    ['', 'letter'],
    ['a\u0000', 'control'],
    ['\ud800a', 'control'],
  ])('%j has a fault: %s', (term, fault) => {
    expect(termFault(normaliseTerm(term))).toContain(fault)
  })
  it('matches all its words in any order, and a phrase side by side', () => {
    expect(termFault('sales ops')).toBeNull()
    expect(judgeTerm('sales ops', 'Ops for sales').kept).toBe(true)
    expect(judgeTerm('"sales ops"', 'Ops for sales')).toEqual({
      kept: false,
      reason: 'Does not contain the phrase "sales ops"',
    })
    expect(judgeTerm('acme "sales ops"', 'Sales ops at ACME').kept).toBe(true)
    expect(judgeTerm('sales ops', 'sales')).toEqual({ kept: false, reason: 'Does not contain "ops"' })
  })
  it.each([
    ['saas OR leadership', 'OR'],
    ['AND', 'AND'],
    ['a NOT b', 'NOT'],
    ['NOT"a b"', 'NOT'],
    ['saas or leadership', null],
    ['"saas OR leadership"', null],
    ['ORACLE ANDROID NOTION', null],
    ['and/OR', null],
  ])('%j holds the operator %j [G147]', (term, operator) => {
    expect(operatorIn(term)).toBe(operator)
    expect(operatorIn(withoutOperators(term))).toBeNull()
  })
  it('takes the quote of a Hebrew abbreviation for its mark', () => {
    expect(normaliseTerm('מנכ"ל')).toBe('מנכ״ל')
    expect(termFault(normaliseTerm('"סמנכ"ל מכירות"'))).toBeNull()
  })
})

describe('a sign before a term', () => {
  const fault = (text: string) => {
    const read = parseExpression(text)
    return read.ok ? null : [read.token, read.position, read.message]
  }

  it.each([
    ['sales AND -webinar', '-webinar', 11, 'AND NOT webinar'],
    ['sales AND !webinar', '!webinar', 11, 'AND NOT webinar'],
    ['sales -webinar', '-webinar', 7, 'AND NOT webinar'],
    ['-webinar', '-webinar', 1, 'AND NOT webinar'],
    ['sales AND NOT -webinar', '-webinar', 15, 'AND NOT webinar'],
    ['sales AND -"cold  email" OR b', '-"cold  email"', 11, 'AND NOT "cold email"'],
    ['sales !“cold email”', '!“cold email”', 7, 'AND NOT "cold email"'],
    ['sales –webinar', '–webinar', 7, 'AND NOT webinar'],
    ['sales −2fa', '−2fa', 7, 'AND NOT 2fa'],
    ['sales -#hiring', '-#hiring', 7, 'AND NOT #hiring'],
    ['"sales ops"-webinar', '-webinar', 12, 'AND NOT webinar'],
    ['sales --webinar', '--webinar', 7, 'AND NOT webinar'],
  ])('in %j is refused by its token with what to write [WLD-19, G164]', (text, token, position, proposal) => {
    expect(fault(text)).toEqual([token, position, expect.stringContaining(`Write ${proposal} to exclude it`)])
  })

  it.each(['sales AND "-webinar"', '"!webinar"', 'b2b-saas', 'sales-', 'C++ OR hi!', '+sales', 'sales OR "a -b"'])(
    'is none in %j, which is text [WLD-19, G164]',
    (text) => expect(fault(text)).toBeNull(),
  )

  it.each([
    ['sales -webinar', 'AND NOT webinar'],
    ['!webinar', 'AND NOT webinar'],
    ['sales -"cold email"', 'AND NOT "cold email"'],
    ['sales —webinar', 'AND NOT webinar'],
  ])('in the keyword %j is refused with the way to `expression` [WLD-19, G164]', (term, proposal) => {
    for (const sent of [{ keywords: ['ok', term] }, { keyword: term }]) {
      const read = readSubject(sent)
      expect(read.ok ? null : read.message).toMatch(/^`keyword(?:s\[1\])?` has a sign before a word/)
      expect(read.ok ? null : read.message).toContain(`Send it as \`expression\` with ${proposal}, or`)
    }
  })

  it.each(['"sales -webinar"', '"-webinar"', 'b2b-saas sales', 'a - b', 'hello!'])(
    'is none in the keyword %j, which is text [WLD-19, G164]',
    (keyword) => expect(readSubject({ keyword })).toMatchObject({ ok: true }),
  )
})
