/** What code and titles of tests cite exists: rulings in docs/rulings.md, requirements in docs/requirements.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packages, parseFolder } from './code.ts'

const stated = (page: string, line: RegExp) =>
  new Set([...readFileSync(join(packages, '../docs', page), 'utf8').matchAll(line)].map(([, id]) => id!))

const folders = ['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server'].map((name) => join(name, 'src'))
const code = [...folders, 'server/test'].flatMap((folder) => parseFolder(folder, { tests: true }))

/** Of a range `KEY-14..KEY-18` every id; of a backwards or mixed one its text, which is no id. */
const requirementsIn = (text: string): string[] =>
  [...text.matchAll(/\b([A-Z]{3})-(\d{2})\b(?:\.\.(\w+)-?(\d*))?/g)].flatMap(([whole, prefix, from, end, to]) => {
    if (whole === 'UTF-16') return []
    if (end === undefined) return [whole]
    const count = Number(to) - Number(from) + 1
    if (end !== prefix || !(count > 1)) return [whole]
    return Array.from({ length: count }, (_, index) => `${prefix}-${String(Number(from) + index).padStart(2, '0')}`)
  })

/** In a title's brackets, in a comment's parentheses, or in a list of ids behind a semicolon. */
const rulingsIn = (text: string): string[] =>
  [...text.matchAll(/[[(;,] ?([GC]\d{1,3})(?=[\]),;.])/g)].map(([, id]) => id!)

it.each([
  ['requirement', requirementsIn, stated('requirements.md', /^- `([A-Z]{3}-\d{2})` \S/gm)],
  ['ruling', rulingsIn, stated('rulings.md', /^- \*\*([GC]\d+)\*\* \S/gm)],
] as const)('every %s that is cited resolves', (_what, citedIn, known) => {
  const cited = code.flatMap(({ path, text }) => citedIn(text).map((id) => ({ path, id })))
  expect(cited.length).toBeGreaterThan(200)
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([])
})
