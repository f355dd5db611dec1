/**
 * `npm run pictures` takes a picture of every page in both themes, 1440 and 375 wide, and puts those of the documentation into
 * `docs/pictures`. `npm run pictures -- --check` takes them and compares with those of a commit (`--against`, else HEAD), which are
 * taken too unless a run before has kept them: of each page that differs it prints the share of differing pixels, and leaves before,
 * after and difference side by side. `--only home,leads` takes some pages alone (decision 0025).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare } from './compare-pictures.ts'

const root = join(import.meta.dirname, '../..')
const area = join(root, '.cache/pictures')
const shown = join(root, 'docs/pictures')
const file = 'packages/server/test/dashboard/pictures.test.ts'
/** What the documentation shows is taken on the wide screen. */
const documented = '-1440.png'

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Takes the pictures of a checkout into a folder; a folder taken before is emptied. */
function take(checkout: string, folder: string, only: string | undefined): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', file], {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, LES_PICTURES: folder, ...(only === undefined ? {} : { LES_PICTURES_ONLY: only }) },
  })
  if (status !== 0) throw new Error('The pictures could not be taken: see above.')
  return readdirSync(folder).filter((name) => name.endsWith('.png'))
}

/** A checkout of another commit with the libraries of this one, but its own packages. */
function checkoutOf(commit: string): string {
  const folder = join(area, 'checkout')
  rmSync(folder, { recursive: true, force: true })
  git('worktree', 'prune')
  git('worktree', 'add', '--detach', '--force', folder, commit)
  for (const place of ['', 'packages/server']) {
    const from = join(root, place, 'node_modules')
    if (!existsSync(from)) continue
    mkdirSync(join(folder, place, 'node_modules/@les'), { recursive: true })
    for (const name of readdirSync(from))
      if (name !== '@les') symlinkSync(join(from, name), join(folder, place, 'node_modules', name))
  }
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@les', name))
  return folder
}

/** The pictures of a commit: kept from an earlier run, else taken. */
function picturesOf(commit: string, names: readonly string[], only: string | undefined): string {
  const short = git('rev-parse', '--short', commit)
  const folder = join(area, `of-${short}`)
  if (names.every((name) => existsSync(join(folder, name)))) return folder
  console.log(`Taking the pictures of ${short} to compare with`)
  try {
    take(checkoutOf(commit), folder, only)
  } finally {
    git('worktree', 'remove', '--force', join(area, 'checkout'))
  }
  return folder
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    against: { type: 'string', default: 'HEAD' },
    only: { type: 'string' },
  },
})
const now = join(area, 'now')
const taken = take(root, now, values.only)

if (values.check) {
  const before = picturesOf(values.against, taken, values.only)
  const differences = join(area, 'differences')
  const found = await compare(taken, before, now, differences)
  for (const { name, share } of found)
    console.log(
      `${name.padEnd(40)} ${share === null ? 'is new' : `${(share * 100).toFixed(2)} % of its pixels differ`}`,
    )
  console.log(
    found.length === 0
      ? `${taken.length} pictures, none differs from ${values.against}`
      : `${found.length} of ${taken.length} pictures differ from ${values.against}: ` +
          `open ${join(differences, 'index.html')}`,
  )
  process.exitCode = found.length === 0 ? 0 : 1
} else {
  for (const name of taken.filter((each) => each.endsWith(documented)))
    copyFileSync(join(now, name), join(shown, name.replace(documented, '.png')))
  console.log(`${taken.length} pictures taken`)
}
