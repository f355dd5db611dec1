/** Every ruling that code, tests or pages cite stands in docs/rulings.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packages, parseFolder } from './code.ts'

const stated = new Set(
  [...readFileSync(join(packages, '../docs/rulings.md'), 'utf8').matchAll(/^- \*\*([GC]\d+)\*\* \S/gm)].map(
    ([, id]) => id!,
  ),
)

it('every ruling that is cited resolves', () => {
  const files = [
    ...['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server'].flatMap((name) =>
      parseFolder(join(name, 'src'), { tests: true }),
    ),
    ...parseFolder('server/test', { tests: true }),
  ]
  // In a title's brackets, in a comment's parentheses, or in a list of ids behind a semicolon.
  const cited = files.flatMap(({ path, text }) =>
    [...text.matchAll(/[[(;,] ?(?:G|C)(\d{1,3})(?=[\]),;.])/g)].map(([found]) => ({
      path,
      id: found.replace(/^[^GC]+/, ''),
    })),
  )
  expect(cited.length).toBeGreaterThan(200)
  expect(cited.filter(({ id }) => !stated.has(id)).map(({ path, id }) => `${path}: ${id}`)).toEqual([])
})
