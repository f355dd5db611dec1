import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu-time.ts'
import type { Post } from '../../../providers/ports.ts'
import { parseExpression } from './expression.ts'
import { expressionJudge, judgePost, judgeTargeting, type PostFilter } from './judge-post.ts'

function parsed(text: string) {
  const result = parseExpression(text)
  if (!result.ok) throw new Error(result.message)
  return result.expression
}
const judged = (expression: string, post: string) => expressionJudge(parsed(expression))(post)
const reason = (expression: string, post: string) => {
  const judgement = judged(expression, post)
  return judgement.kept ? null : judgement.reason
}
const words = (count: number, joint: string) => Array.from({ length: count }, (_, index) => `t${index + 1}`).join(joint)

const author: Post['author'] = { kind: 'person', urn: 'ACoAAann', name: 'Ann', url: null, headline: 'Head of Sales' }
const postFilter = (over: Partial<PostFilter> = {}): PostFilter => ({
  judge: expressionJudge(parsed('sales AND NOT spam')),
  filters: {},
  unapplied: [],
  filter: 'now',
  ...over,
})

describe('an expression', () => {
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
    expect(judged(expression, post).kept).toBe(expected)
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
    const cost = (length: number) => cpuMs(1, () => void expressionJudge(expression)(post.slice(0, length)))
    // A post sixteen times as long: 16 times the work if linear, 256 times if quadratic.
    expect(cost(post.length) / Math.max(cost(post.length / 16), 4)).toBeLessThan(80)
  })
  it.each([
    ['sales AND hiring', 'sales only', 'hiring'],
    ['sales AND NOT intern', 'sales intern', 'NOT intern'],
    ['sales AND hiring', 'cooking', null],
    ['sales OR hiring', 'cooking', null],
    ['sales OR growth AND hiring', 'growth', 'hiring'],
  ])('%s of "%s" misses by %s', (expression, post, misses) => {
    expect(judged(expression, post)).toMatchObject({ kept: false, missesBy: misses })
  })
})

describe('a found post', () => {
  it('of somebody else than those whose posts were asked for is discarded, though the vendor served it as theirs [FIX-00, KRN-09]', () => {
    const outcome = (by: Partial<Post['author']>, filters: PostFilter['filters']) =>
      judgePost({ text: 'sales', author: { ...author, ...by } }, postFilter({ filters, filter: null }), undefined)
        .outcome
    const page = { kind: 'company', urn: 'urn:li:company:42' } as const
    expect(outcome({}, { fromPerson: ['ACoAAann'] })).toBe('kept')
    expect(outcome({}, { fromPerson: ['ACoAAben'] })).toBe('discarded')
    expect(outcome({}, { fromCompany: ['42'] })).toBe('discarded')
    expect(outcome(page, { fromPerson: ['ACoAAann'], fromCompany: ['42'] })).toBe('kept')
    expect(outcome(page, { fromCompany: ['43'] })).toBe('discarded')
    expect(outcome({ urn: null }, { fromPerson: ['ACoAAben'] })).toBe('kept')
    expect(outcome({}, { authorCompany: ['43'] })).toBe('kept')
  })
})

describe('targeting that a vendor left out', () => {
  it.each([
    ['authorKeyword', ['sales', 'x'], author, true],
    ['authorKeyword', ['engineer'], author, false],
    ['authorKeyword', ['sales'], { ...author, headline: null }, false],
    ['fromPerson', ['ACoAAann'], author, true],
    ['fromPerson', ['ACoAAann'], { ...author, urn: null }, false],
    ['fromCompany', ['42'], { ...author, kind: 'company', urn: 'urn:li:company:42' }, true],
    ['fromCompany', ['42'], { ...author, urn: '42' }, false],
    ['fromCompany', [], author, true],
  ] as const)('%s %j is applied here where the author tells', (name, values, by, fits) => {
    expect(judgeTargeting(by as Post['author'], { [name]: values }, [name]) === null).toBe(fits)
  })
})
