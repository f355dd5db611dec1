/** The manual pages: every command is on one, npm installs them all, and the typesetter has nothing to say about them. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeCatalogue } from '../src/catalogue/make.ts'
import { manPages, roff } from '../src/catalogue/man.ts'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const catalogue = makeCatalogue()
const pages = manPages(catalogue)

it('are those in the folder, and the manifest hands each of them to npm', () => {
  const { man } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { man: string[] }
  expect(readdirSync(join(home, 'man')).sort()).toEqual(Object.keys(pages).sort())
  expect(man.toSorted()).toEqual(
    Object.keys(pages)
      .map((name) => `./man/${name}`)
      .sort(),
  )
})

it('show text as it is: nothing in it is taken for a request or an escape', () => {
  expect(roff(".TH x\n'quoted\n\\n --all …")).toBe("\\&.TH x\n\\&'quoted\n\\en \\-\\-all \\[u2026]")
})

// groff comes with man; where it is missing the sections above are what is known.
it.skipIf(spawnSync('groff', ['--version']).error !== undefined)('are set by groff without a warning', () => {
  const set = spawnSync(
    'groff',
    ['-man', '-ww', '-Tutf8', '-z', ...Object.keys(pages).map((name) => join('man', name))],
    {
      cwd: home,
      encoding: 'utf8',
    },
  )
  expect([set.status, set.stderr]).toEqual([0, ''])
})
