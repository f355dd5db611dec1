/** What `npm run check:regexes` looks at: every regular expression of a source, and nothing that only looks like one. */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder, walk, type Node, type SourceFile } from './code.ts'
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

/** Files that compose an expression at run time, which the check does not judge, and what bounds it. */
const composed: Readonly<Record<string, string>> = {
  'contract/src/csv.ts':
    'constants: classes that share no character, behind a beginning of a cell; held by test/csv.test.ts with 30,000 of each',
  'contract/src/values/member-id.ts': 'constants: one class of at most 94 characters between fixed marks',
  'contract/src/values/search-signs.ts':
    'constants: classes that share no character, begun where a word begins and nowhere else',
  'contract/src/values/text.ts': 'constants: one character each, and a flag of at most ten',
  'dashboard/src/ui/filter-words.ts':
    "a field's name of our own and two classes that share no character; typed in the person's own browser",
  'server/src/modules/accounts/api-key.ts': 'constants: anchored, one class of a fixed length',
  'server/src/providers/network/normal/names.ts': 'constants; a name of at most 300 characters',
}

/** Places where a file makes an expression out of a text. */
function composedIn(file: SourceFile): string[] {
  const found: string[] = []
  walk(file.ast, (node) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return
    const callee = node.callee as Node
    const name = callee.type === 'MemberExpression' ? (callee.property as Node).name : callee.name
    if (name === 'RegExp') found.push(file.path)
  })
  return found
}

describe('expressions composed at run time', () => {
  it('are those of the list, each with what bounds it', () => {
    const files = ['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server'].flatMap((name) =>
      parseFolder(`${name}/src`).filter(({ text }) => text.includes('RegExp')),
    )
    expect([...new Set(files.flatMap(composedIn))].toSorted()).toEqual(Object.keys(composed))
  })
  it.each(['new RegExp(a)', 'RegExp(`${a}x`)', 'new globalThis.RegExp(a)'])('%s is seen', (text) =>
    expect(composedIn(parseFile('server/src/x.ts', text))).toHaveLength(1),
  )
  it('a name of a type is let be', () =>
    expect(composedIn(parseFile('server/src/x.ts', 'const a: RegExp = /b/; a instanceof RegExp'))).toEqual([]))
})
