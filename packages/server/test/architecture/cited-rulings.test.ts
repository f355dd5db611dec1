/** What code, tests and pages cite exists: rulings in docs/rulings.md, requirements and traps in docs/requirements.md, decisions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { packages, parseFolder } from './code.ts'

type Cited = { readonly path: string; readonly id: string }

const docs = join(packages, '../docs')
const ids = (page: string, line: RegExp) =>
  new Set([...readFileSync(join(docs, page), 'utf8').matchAll(line)].map(([, id]) => id!))

const rulings = ids('rulings.md', /^- \*\*([GC]\d+)\*\* \S/gm)
const requirements = ids('requirements.md', /^- `([A-Z]{3}-\d{2})` \S/gm)
const traps = ids('requirements.md', /^- `Trap (\d+)` \S/gm)

const names = ['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server']
const code = [
  ...names.flatMap((name) => parseFolder(join(name, 'src'), { tests: true })),
  ...parseFolder('server/test', { tests: true }),
].filter(({ path }) => !path.endsWith('architecture/cited-rulings.test.ts')) // its examples are wrong on purpose

/** Pages, READMEs and planted bugs: texts that cite without being code. */
const pages = [docs, ...names.flatMap((name) => [join(packages, name, 'src'), join(packages, name, 'test')])]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|patch)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .concat(['AGENTS.md', 'CONTRIBUTING.md', 'README.md'].map((name) => join(packages, '..', name)))
  .concat(names.map((name) => join(packages, name, 'README.md')))
  .map((file) => ({ path: relative(packages, file), text: readFileSync(file, 'utf8') }))

const unresolved = (cited: readonly Cited[], stated: ReadonlySet<string>) =>
  cited.filter(({ id }) => !stated.has(id)).map(({ path, id }) => `${path}: ${id}`)

/** Requirement ids a text cites: of a range `KEY-14..KEY-18` every id, of a backwards or mixed one its text, which is no id. */
function citedRequirements(text: string): string[] {
  return [...text.matchAll(/\b([A-Z]{3})-(\d{2})\b(?:\.\.(\w+)-?(\d*))?/g)].flatMap(
    ([whole, prefix, from, end, to]) => {
      if (whole === 'UTF-16') return []
      if (end === undefined) return [`${prefix}-${from}`]
      const count = Number(to) - Number(from) + 1
      if (end !== prefix || !(count > 1)) return [whole]
      return Array.from({ length: count }, (_, index) => `${prefix}-${String(Number(from) + index).padStart(2, '0')}`)
    },
  )
}

it('every ruling that is cited resolves', () => {
  // In a title's brackets, in a comment's parentheses, or in a list of ids behind a semicolon.
  const cited = code.flatMap(({ path, text }) =>
    [...text.matchAll(/[[(;,] ?(?:G|C)(\d{1,3})(?=[\]),;.])/g)].map(([found]) => ({
      path,
      id: found.replace(/^[^GC]+/, ''),
    })),
  )
  expect(cited.length).toBeGreaterThan(200)
  expect(unresolved(cited, rulings)).toEqual([])
})

it('every requirement that is cited resolves', () => {
  const cited = [...code, ...pages].flatMap(({ path, text }) => citedRequirements(text).map((id) => ({ path, id })))
  expect(unresolved(cited, requirements)).toEqual([])
  expect(cited.length).toBeGreaterThan(2000 + requirements.size)
  expect([...requirements].filter((id) => !/^(?:WLD|SEC|FIX|EXC|RSL)-/.test(id))).toHaveLength(746)
})

it('every trap that is cited resolves', () => {
  const cited = code.flatMap(({ path, text }) =>
    [...text.matchAll(/\btraps? (\d+(?:(?:, | and )\d+)*)/g)].flatMap(([, list]) =>
      list!.match(/\d+/g)!.map((id) => ({ path, id })),
    ),
  )
  expect(cited.length).toBeGreaterThan(5)
  expect(unresolved(cited, traps)).toEqual([])
})

it('every decision that is cited resolves', () => {
  const stated = new Set(readdirSync(join(docs, 'decisions')).map((name) => name.slice(0, 4)))
  const cited = [...code, ...pages].flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecisions?[/ ](\d{4}(?:(?:, | and | to )\d{4})*)/g)].flatMap(([, list]) =>
      list!.match(/\d{4}/g)!.map((id) => ({ path, id })),
    ),
  )
  expect(cited.length).toBeGreaterThan(20)
  expect(unresolved(cited, stated)).toEqual([])
})
