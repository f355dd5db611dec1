import { describe, expect, it } from 'vitest'
import { compact, flag, oneOf, ownPath, text, whole } from './search.ts'

describe('where the sign-in goes on to', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/x\\..\\y',
    '',
    undefined,
  ])('is never another site: %j', (to) => {
    expect(ownPath(to)).toBe('/home')
  })
  it('is the page that was wanted, with its search', () => {
    expect(ownPath('/sources/1?tab=runs#x')).toBe('/sources/1?tab=runs#x')
    expect(ownPath('/invite?token=a%2Fb')).toBe('/invite?token=a%2Fb')
  })
})

describe('search parameters', () => {
  it('that are not what a page expects are left out', () => {
    const raw = { a: 'x', b: 7, c: { d: 1 }, e: '', f: true, g: '-1', h: '1.5' }
    expect([
      text(raw, 'a'),
      text(raw, 'b'),
      text(raw, 'c'),
      text(raw, 'e'),
      oneOf(['y', 'z'])(raw, 'a'),
      oneOf(['x'])(raw, 'a'),
      flag(raw, 'f'),
      flag(raw, 'a'),
      whole()(raw, 'b'),
      whole()(raw, 'g'),
      whole()(raw, 'h'),
    ]).toEqual(['x', '7', undefined, undefined, undefined, 'x', true, undefined, 7, undefined, undefined])
    expect(compact({ a: 1, b: undefined })).toEqual({ a: 1 })
  })
})
