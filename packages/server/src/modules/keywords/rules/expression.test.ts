import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu-time.ts'
import { anyText, expressions, mustAgree, mustHold, vocabulary } from '../../../../test/keywords/expression-inputs.ts'
import { canonicalText, identityOfExpression, parseExpression, requiredTerms, warningsOf } from './expression.ts'
import { readSubject, type SentSubject } from './subject.ts'
import { identityOfTerms, joinTerms, normaliseTerm, operatorIn, termFault, withoutOperators } from './terms.ts'

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

  it('takes OR NOT that is spelled out, with a warning [G147]', () => {
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

describe('an expression that is malformed', () => {
  const not = 'NOT binds tighter than AND, and AND tighter than OR: for (a OR b) AND c write a AND c OR b AND c.'
  const parenthesis = `is a parenthesis, which an expression does not have. ${not}`
  const inQuotes = 'has a parenthesis inside the quotes. Leave it out: posts are matched by words.'
  const control = 'has a control character. Leave it out.'
  const nothing =
    'has neither a letter nor a digit nor a symbol. Leave it out, or put it in double quotes together with a word.'
  const lower = (word: string) => `or write ${word} in lower case to search for the word.`
  const bareNot =
    'follows a term without an operator and would be an alternative of its own. Write AND NOT to exclude what comes after it.'
  const many = (count: number, joint: string) => Array.from({ length: count }, (_, at) => `t${at + 1}`).join(joint)
  it.each<readonly [text: string, token: string, position: number, why: string]>([
    ['a AND', 'AND', 3, `has no term after it. Add one, ${lower('and')}`],
    ['a OR ', 'OR', 3, `has no term after it. Add one, ${lower('or')}`],
    ['a AND NOT', 'NOT', 7, `has no term after it. Add one, ${lower('not')}`],
    ['NOT', 'NOT', 1, `has no term after it. Add one, ${lower('not')}`],
    ['OR', 'OR', 1, `has no term before it. Begin with a term, ${lower('or')}`],
    ['cafe\u0301 NOT b', 'NOT', 7, bareNot],
    ['"head of growth" AND hiring NOT intern', 'NOT', 29, bareNot],
    ['NOT a NOT b', 'NOT', 7, bareNot],
    ['a OR "!?"', '"!?"', 6, nothing],
    ['a OR \ud800', '\ufffd', 6, control],
    ['AND a', 'AND', 1, `has no term before it. Begin with a term, ${lower('and')}`],
    ['OR a', 'OR', 1, `has no term before it. Begin with a term, ${lower('or')}`],
    ['a AND OR b', 'OR', 7, `follows AND. Put a term between the two, ${lower('or')}`],
    ['a OR AND b', 'AND', 6, `follows OR. Put a term between the two, ${lower('and')}`],
    ['a OR NOT AND b', 'AND', 10, `follows NOT. Put a term between the two, ${lower('and')}`],
    ['a AND NOT NOT b', 'NOT', 11, 'follows another NOT. Write one NOT before each term to exclude.'],
    ['NOT NOT b', 'NOT', 5, 'follows another NOT. Write one NOT before each term to exclude.'],
    ['a NOT b', 'NOT', 3, bareNot],
    ['a "b', '"b', 3, 'opens a phrase that never ends. Add the closing double quote.'],
    ['a ( b', '(', 3, parenthesis],
    ['a ) b', ')', 3, parenthesis],
    ['()', '(', 1, parenthesis],
    ['"(a)"', '"(a)"', 1, inQuotes],
    ['a "b\u0000"', '"b "', 3, control],
    ['a \u0007', ' ', 3, control],
    ['a -', '-', 3, nothing],
    ['a "" b', '""', 3, nothing],
    [
      'NOT a',
      'NOT',
      1,
      'begins an expression of exclusions only, which finds nothing to exclude from. Add a term to search for.',
    ],
    [many(11, ' OR '), 't11', 62, 'is required term 11; an expression has at most 10.'],
    [many(11, ' AND '), 't11', 72, 'is required term 11; an expression has at most 10.'],
    [Array(61).fill('a').join(' '), 'a', 121, 'is token 61; an expression has at most 60 terms and operators.'],
    [`${'x'.repeat(999)} yz`, 'yz', 1_001, 'passes the end of the longest expression, 1000 characters.'],
    [`${'x'.repeat(1_000)} yz`, 'y', 1_001, 'passes the end of the longest expression, 1000 characters.'],
    [` ${'x'.repeat(998)} yz zz`, 'z', 1_002, 'passes the end of the longest expression, 1000 characters.'],
    [
      `${'x'.repeat(1_000)}${'y'.repeat(1_100)}`,
      `${'y'.repeat(40)}…`,
      1_001,
      'passes the end of the longest expression, 1000 characters.',
    ],
  ])('%# is refused at its token, with the way out [EXP-10]', (text, token, position, why) =>
    expect(parseExpression(text)).toEqual({
      ok: false,
      token,
      position,
      message: `Expression: \`${token}\` at character ${position} ${why}`,
    }),
  )
  it('that is blank is refused with an example [EXP-14]', () =>
    expect(parseExpression(' \n')).toEqual({
      ok: false,
      token: '',
      position: 1,
      message: 'Expression: it is blank. Write at least one term, such as sales AND "head of growth".',
    }))
  it.each<readonly [phrase: string, shown: string]>([
    ['x'.repeat(39), `"${'x'.repeat(39)}`],
    ['x'.repeat(40), `"${'x'.repeat(39)}…`],
    // A surrogate pair is not cut in half.
    [`${'x'.repeat(38)}\u{1f680}`, `"${'x'.repeat(38)}\ufffd…`],
  ])('shows of a token at most 40 characters: %#', (phrase, token) =>
    expect(parseExpression(`a "${phrase}`)).toMatchObject({ token, position: 3 }),
  )
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
    // `H` with a line below has no precomposed letter, `h` has one.
    expect(identityOfTerms(['H\u0331'])).toBe(identityOfTerms(['\u1E96']))
    expect(identityOfExpression(parsed('H\u0331 OR b'))).toBe(identityOfTerms(['\u1E96', 'b']))
    expect(requiredTerms(parsed('H\u0331 OR \u1E96'))).toHaveLength(1)
    expect(identityOfTerms(['sales ops'])).not.toBe(identityOfExpression(parsed('sales ops')))
    expect(identityOfTerms(['a or b'])).not.toBe(identityOfTerms(['a', 'b']))
    expect(identityOfTerms(['a OR b'])).not.toBe(identityOfTerms(['a', 'b']))
  })
})

describe('any expression', () => {
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
    ['saas OR leadership', 'OR'],
    ['AND', 'AND'],
    ['a NOT b', 'NOT'],
    ['NOT"a b"', 'NOT'],
    ['saas or leadership', null],
    ['"saas OR leadership"', null],
    ['ORACLE ANDROID NOTION', null],
    ['and/OR', null],
    ['"a" OR "b"', 'OR'],
    ['a OR b AND c', 'OR'],
  ])('%j holds the operator %j [G147]', (term, operator) => {
    expect(operatorIn(term)).toBe(operator)
    expect(operatorIn(withoutOperators(term))).toBeNull()
  })
  it('takes the quote of a Hebrew abbreviation for its mark', () => {
    expect(normaliseTerm('מנכ"ל')).toBe('מנכ״ל')
    expect(termFault(normaliseTerm('"סמנכ"ל מכירות"'))).toBeNull()
  })
  it.each<readonly [term: string, fault: string | null]>([
    ['sales', null],
    ['"head of"', null],
    ['(a', 'has a parenthesis'],
    ['a)', 'has a parenthesis'],
    ['"a', 'has a double quote without its pair'],
    ['"a" "b', 'has a double quote without its pair'],
    ['"a" "b"', null],
    ['a\u0000', 'has a control character'],
    ['a\ud800', 'has a control character'],
    ['!?', 'has neither a letter nor a digit nor a symbol'],
    ['', 'has neither a letter nor a digit nor a symbol'],
    ['&', null],
  ])('%j: %j', (term, fault) => expect(termFault(term)).toBe(fault))
})

describe('what is searched for', () => {
  it('is the cleaned terms in their order, or the terms an expression compiles to under its canonical text [G60, G61]', () => {
    expect(readSubject({ keywords: [' Sales   Ops ', '“Head of Growth”'] })).toMatchObject({
      ok: true,
      subject: {
        terms: ['Sales Ops', '"Head of Growth"'],
        expression: null,
        username: 'Sales Ops OR "Head of Growth"',
      },
    })
    expect(readSubject({ expression: 'a AND b OR NOT c AND d' })).toMatchObject({
      ok: true,
      subject: { terms: ['a', 'b', 'd'] },
    })
    expect(readSubject({ keyword: 'x' })).toMatchObject({ ok: true, subject: { terms: ['x'], username: 'x' } })
  })
  it('of a plain OR and of the list of its terms is the same, of another order not [G60]', () => {
    const identity = (sent: Parameters<typeof readSubject>[0]) => {
      const read = readSubject(sent)
      return read.ok ? read.subject.identity : read.message
    }
    expect(identity({ expression: 'A b' })).toBe(identity({ keywords: ['a', 'B'] }))
    expect(identity({ keywords: ['b', 'a'] })).not.toBe(identity({ keywords: ['a', 'b'] }))
  })
  const long = 'x'.repeat(90)
  it.each<readonly [sent: SentSubject, message: string]>([
    [{ keywords: ['a', 'b)'] }, '`keywords[1]` must be words or a phrase in double quotes: "b)" has a parenthesis'],
    [
      { keyword: '"x' },
      '`keyword` must be words or a phrase in double quotes: ""x" has a double quote without its pair',
    ],
    [{ keyword: '(' }, '`keyword` must be words or a phrase in double quotes: "(" has a parenthesis'],
    [
      { keyword: `${long}(` },
      `\`keyword\` must be words or a phrase in double quotes: "${'x'.repeat(80)}…" has a parenthesis`,
    ],
    [
      { keyword: `${'x'.repeat(79)}(` },
      `\`keyword\` must be words or a phrase in double quotes: "${'x'.repeat(79)}(" has a parenthesis`,
    ],
    [
      { keyword: 'a AND b' },
      '`keyword` holds the operator AND: "a AND b". Send it as `expression` to join terms, ' +
        'or write and in lower case, or the term in double quotes, to search for the word',
    ],
    [{ keywords: ['a', 'b', ' A '] }, '`keywords[2]` must differ from the other terms: "A" is there twice'],
    [
      { expression: 'a AND' },
      '`expression` is malformed. Expression: `AND` at character 3 has no term after it. ' +
        'Add one, or write and in lower case to search for the word.',
    ],
  ])('%# is refused in words, naming the term or token [KEY-10, KEY-11, EXP-10]', (sent, message) =>
    expect(readSubject(sent)).toEqual({ ok: false, message }),
  )
  it('is nothing of a request without terms', () =>
    expect(readSubject({})).toEqual({
      ok: true,
      subject: { terms: [], expression: null, username: '', identity: '', warnings: [] },
    }))
  it('is warned of with its expression', () =>
    expect(readSubject({ expression: 'a OR NOT b' })).toMatchObject({
      ok: true,
      subject: { terms: ['a'], warnings: [expect.stringContaining('NOT b')] },
    }))
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
