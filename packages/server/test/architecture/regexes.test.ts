/** What `npm run check:regexes` looks at: every regular expression of a source, and nothing that only looks like one. */
import { describe, expect, it } from 'vitest'
import { findRegexes } from '../../../../scripts/regexes/find.ts'

const found = (text: string): string[] => findRegexes(text).map(({ source, flags }) => `/${source}/${flags}`)

describe('the regular expressions of a source', () => {
  it.each([
    ['const a = /x+/.test(b) ? /[/\\]]/gi : c', ['/x+/', '/[/\\]]/gi']],
    ['() => { return /a/i.exec(b)?.[1] ?? /c/.exec(d) }', ['/a/i', '/c/']],
    ['call(b, /a\\/b/u)\n!/c/.test(d) && { e: /f/ }', ['/a\\/b/u', '/c/', '/f/']],
    ['`a ${b.replace(/c`}/g, `d ${/e/.test(f)}`)} /no/`', ['/c`}/g', '/e/']],
  ])('%j', (text, expected) => expect(found(text)).toEqual(expected))

  it.each([
    'const a = b / c / d',
    'const a = \'b /c/ d\' + "/e/" // /f/\n/* /g/ */',
    'const a = (b + c) / d[e] / 2',
    '`/a/ ${b / c} /d/`',
  ])('none: %j', (text) => expect(found(text)).toEqual([]))

  it('are told with their line', () => expect(findRegexes('a\n\nb(/c/)')[0]).toMatchObject({ line: 3 }))
})
