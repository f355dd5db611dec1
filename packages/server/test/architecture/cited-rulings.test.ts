/** Rulings and requirements cited in code and test titles exist in docs/rulings.md and docs/requirements.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { citedRequirements, requirements } from '../requirements.ts'
import { packages, parseFolder } from './code.ts'

const rulings = readFileSync(join(packages, '../docs/rulings.md'), 'utf8')
const knownRulings = new Set([...rulings.matchAll(/^- \*\*([GC]\d+)\*\* \S/gm)].map(([, id]) => id!))
const knownRequirements = new Set(requirements.flatMap((group) => Object.keys(group.requirements)))

const folders = ['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server'].map((name) => join(name, 'src'))
const code = [...folders, 'contract/test', 'cli/test', 'server/test'].flatMap((folder) =>
  parseFolder(folder, { tests: true }),
)

/** Ids in a title's brackets, in a comment's parentheses, or in a list after a semicolon. */
const rulingsIn = (text: string): string[] =>
  [...text.matchAll(/[[(;,] ?([GC]\d{1,3})(?=[\]),;.])/g)].map(([, id]) => id!)

it.each([
  ['requirement', citedRequirements, knownRequirements],
  ['ruling', rulingsIn, knownRulings],
] as const)('every %s that is cited resolves', (_what, citedIn, known) => {
  const cited = code.flatMap(({ path, text }) => citedIn(text).map((id) => ({ path, id })))
  expect(cited.length).toBeGreaterThan(200)
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([])
})

it('every requirement is cited by a test', () => {
  const tests = code.filter(({ path }) => /\.test\.tsx?$/.test(path))
  const cited = new Set(tests.flatMap(({ text }) => citedRequirements(text)))
  const rows = [...knownRequirements].filter((id) => !id.startsWith('Trap'))
  expect(rows.filter((id) => !cited.has(id))).toEqual([])
})
