import { describe, expect, it } from 'vitest'
import type { Post } from '../../../providers/ports.ts'
import { parseExpression } from './expression.ts'
import { judgePost, type PostFilter } from './judge-post.ts'
import { judgeTargeting, unjudged } from './targeting.ts'

const author: Post['author'] = { kind: 'person', urn: 'ACoAAann', name: 'Ann', url: null, headline: 'Head of Sales' }
const parsed = parseExpression('sales AND NOT spam')
const expression = parsed.ok ? parsed.expression : null
const postFilter = (over: Partial<PostFilter> = {}): PostFilter => ({
  expression,
  filters: {},
  unapplied: [],
  filter: 'now',
  ...over,
})

describe('a found post', () => {
  it('is judged by targeting, the expression, then the AI, which never sees what is discarded before [AIF-08, EXP-12, EXP-13]', () => {
    const filters = { fromPerson: ['ACoAAben'] }
    expect(
      judgePost({ text: 'spam', author }, postFilter({ filters, unapplied: ['fromPerson'] }), undefined),
    ).toMatchObject({ kind: 'discarded', by: 'targeting' })
    expect(judgePost({ text: 'spam', author }, postFilter({ filters }), undefined)).toMatchObject({
      kind: 'discarded',
      by: 'expression',
      reason: expect.stringContaining('spam'),
    })
    expect(judgePost({ text: null, author }, postFilter(), undefined)).toMatchObject({
      kind: 'discarded',
      by: 'expression',
    })
    expect(judgePost({ text: 'sales', author }, postFilter(), undefined)).toEqual({ kind: 'waits' })
    expect(judgePost({ text: 'sales', author }, postFilter({ filter: null }), undefined)).toEqual({ kind: 'kept' })
    expect(judgePost({ text: 'anything', author }, postFilter({ filter: null, expression: null }), undefined)).toEqual({
      kind: 'kept',
    })
  })

  it('of somebody else than those whose posts were asked for is discarded, though the vendor served it as theirs [FIX-00, KRN-09]', () => {
    const outcome = (by: Partial<Post['author']>, filters: PostFilter['filters']) =>
      judgePost({ text: 'sales', author: { ...author, ...by } }, postFilter({ filters, filter: null }), undefined).kind
    const page = { kind: 'company', urn: 'urn:li:company:42' } as const
    expect(outcome({}, { fromPerson: ['ACoAAann'] })).toBe('kept')
    expect(outcome({}, { fromPerson: ['ACoAAben'] })).toBe('discarded')
    expect(outcome({}, { fromCompany: ['42'] })).toBe('discarded')
    expect(outcome(page, { fromPerson: ['ACoAAann'], fromCompany: ['42'] })).toBe('kept')
    expect(outcome(page, { fromCompany: ['43'] })).toBe('discarded')
    expect(outcome({ urn: null }, { fromPerson: ['ACoAAben'] })).toBe('kept')
    expect(outcome({}, { authorCompany: ['43'] })).toBe('kept')
  })

  it('keeps the verdict of the AI filter that is still in force, and none of another [AIF-08]', () => {
    const known = { outcome: 'discarded', reason: 'cooking', filter: 'now' } as const
    expect(judgePost({ text: 'sales', author }, postFilter(), known)).toEqual({
      kind: 'known',
      outcome: 'discarded',
      reason: 'cooking',
    })
    expect(judgePost({ text: 'sales', author }, postFilter({ filter: 'changed' }), known)).toEqual({ kind: 'waits' })
    expect(judgePost({ text: 'sales', author }, postFilter(), { ...known, filter: null })).toEqual({ kind: 'waits' })
    expect(judgePost({ text: 'sales', author }, postFilter({ filter: null }), known)).toEqual({ kind: 'kept' })
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
  it('is told where it cannot be', () => {
    expect(judgeTargeting(author, { authorIndustry: ['4'] }, ['authorIndustry'])).toBeNull()
    expect(unjudged(['authorIndustry', 'fromPerson', 'mentionsCompany'])).toEqual(['authorIndustry', 'mentionsCompany'])
  })
})
