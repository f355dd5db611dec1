/**
 * `npm run pictures`: pictures of every page in both themes, 1440 and 375 wide, in `.cache/pictures`; those in the documentation
 * go to `docs/pictures`, where git shows changes. `--only home,leads` takes only these pages.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.cache/pictures')
const file = 'packages/server/test/dashboard/pictures.test.ts'
const documented = '-1440.png'

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', file], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LES_PICTURES: folder, ...(only === undefined ? {} : { LES_PICTURES_ONLY: only }) },
})
if (status !== 0) throw new Error('The pictures could not be taken: see above.')

const taken = readdirSync(folder).filter((name) => name.endsWith('.png'))
for (const name of taken.filter((each) => each.endsWith(documented)))
  copyFileSync(join(folder, name), join(root, 'docs/pictures', name.replace(documented, '.png')))
console.log(`${taken.length} pictures taken`)
