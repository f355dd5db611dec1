/** No line is longer than 140 but patterns: a regular expression has no line breaks. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages } from './code.ts'

const longest = 140
const repository = dirname(packages)

/**
 * Patterns that are longer, by package. They stay literals, which `npm run check:regexes` judges one by one. A count that is
 * too high is wrong too: lower it with the pattern that went.
 */
const patterns: Readonly<Record<string, number>> = {
  contract: 1,
  mcp: 1,
  server: 5,
}

/** The last migration that was released when the rule came: a migration is never edited, so those up to it are let be. */
const lastReleased = 50

/** Files that no person breaks the lines of: generated ones, fixtures, and migrations released before the rule. */
const exempt = (path: string): boolean =>
  /(?:^|\/)(?:generated|fixtures)\//.test(path) ||
  Number(/^packages\/server\/migrations\/(\d{4})-/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY) <= lastReleased

/** Numbers of the lines of a text that are too long. */
const longLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index) => (line.length > longest ? [index + 1] : []))

const folders = [
  ...readdirSync(packages).flatMap((name) => ['src', 'test', 'migrations'].map((part) => `packages/${name}/${part}`)),
  'scripts',
  'bench',
]

/** TypeScript files of the repository, by their path from its root. */
function sources(): string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    } catch {
      return []
    }
  })
}

const packageOf = (path: string): string => /^packages\/([^/]+)/.exec(path)?.[1] ?? path.split('/')[0]!

describe('long lines', () => {
  it('are none but the patterns that are counted', () => {
    const files = sources().filter((path) => !exempt(path))
    expect(files.length).toBeGreaterThan(500)
    const found: Record<string, string[]> = {}
    for (const path of files)
      for (const line of longLines(readFileSync(join(repository, path), 'utf8')))
        (found[packageOf(path)] ??= []).push(`${path}:${line}`)
    const counts = Object.fromEntries(Object.entries(found).map(([name, at]) => [name, at.length]))
    const differ = Object.entries(found).flatMap(([name, at]) => (at.length === patterns[name] ? [] : at))
    expect(counts, `lines above ${longest}, where the count differs:\n${differ.join('\n')}`).toEqual(patterns)
  })

  const filler = 'x'.repeat(longest)
  it.each([
    ['a comment', `// ${filler}`, [1]],
    ['a string', `const a = '${filler}'`, [1]],
    ['a statement', `const a = sql\`select ${filler}\``, [1]],
    ['the second line', `const a = 1\nconst b = '${filler}'`, [2]],
  ])('%s that is too long is seen', (_what, text, lines) => {
    expect(longLines(text)).toEqual(lines)
  })
  it('a line of exactly the limit is let be', () => {
    expect(longLines(`//${'x'.repeat(longest - 2)}`)).toEqual([])
  })
  it.each([
    ['packages/contract/src/generated/x.ts', true],
    ['packages/sandbox/test/fixtures/x.ts', true],
    ['packages/server/migrations/0050-x.ts', true],
    ['packages/server/migrations/0051-x.ts', false],
    ['packages/server/migrations/index.ts', false],
    ['packages/server/src/main.ts', false],
  ])('%s is exempt: %s', (path, expected) => {
    expect(exempt(path)).toBe(expected)
  })
})
