/**
 * `npm run pictures` takes a picture of every page in both themes, 1440 and 375 wide, puts those of the documentation into
 * `docs/pictures`, and notes the checksums of all. `npm run pictures -- --check` takes them anew and compares: for each page that
 * differs it prints the share of differing pixels and leaves a picture of the difference. `--against <commit>` names what to compare
 * with (usually the commit that noted the checksums), `--only home,leads` takes some pages alone (decision 0073).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  copyFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare } from './compare-pictures.ts'

const root = join(import.meta.dirname, '../..')
const area = join(root, '.cache/pictures')
const notes = join(root, 'docs/pictures/checksums.json')
const shown = join(root, 'docs/pictures')
const file = 'packages/server/test/dashboard/pictures.test.ts'
/** What the documentation shows is taken on the wide screen. */
const documented = '-1440.png'

type Checksums = Readonly<Record<string, string>>

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Takes the pictures of a checkout into a folder; a folder taken before is emptied. */
function take(checkout: string, folder: string, only: string | undefined): Checksums {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'service', file], {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, LES_PICTURES: folder, ...(only === undefined ? {} : { LES_PICTURES_ONLY: only }) },
  })
  if (status !== 0) throw new Error('The pictures could not be taken: see above.')
  const names = readdirSync(folder).filter((name) => name.endsWith('.png'))
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
        .slice(0, 24),
    ]),
  )
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

/** The pictures to compare with: kept from an earlier run, else taken of the commit. */
function knownPictures(commit: string, wanted: Checksums, only: string | undefined): string {
  const folder = join(area, `of-${git('rev-parse', '--short', commit)}`)
  if (Object.keys(wanted).every((name) => existsSync(join(folder, name)))) return folder
  console.log(`Taking the pictures of ${commit} to compare with`)
  take(checkoutOf(commit), folder, only)
  git('worktree', 'remove', '--force', join(area, 'checkout'))
  return folder
}

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, against: { type: 'string' }, only: { type: 'string' } },
})
const now = join(area, 'now')
const taken = take(root, now, values.only)

if (values.check) {
  const noted = JSON.parse(readFileSync(notes, 'utf8')) as Checksums
  const differing = Object.keys(taken).filter((name) => values.against !== undefined || noted[name] !== taken[name])
  if (differing.length === 0) console.log(`${Object.keys(taken).length} pictures, none differs`)
  else {
    const commit = values.against ?? git('log', '-1', '--format=%H', '--', notes)
    const before = knownPictures(commit, Object.fromEntries(differing.map((name) => [name, ''])), values.only)
    const found = await compare(differing, before, now, join(area, 'differences'))
    for (const { name, share } of found)
      console.log(
        `${name.padEnd(40)} ${share === null ? 'is new' : `${(share * 100).toFixed(2)} % of its pixels differ`}`,
      )
    console.log(
      found.length === 0
        ? 'Checksums differ, pixels do not: the machine that noted them packs pictures in another way'
        : `Before, after and difference side by side: ${join(area, 'differences')}`,
    )
    process.exitCode = found.length === 0 ? 0 : 1
  }
} else {
  const before = existsSync(notes) ? (JSON.parse(readFileSync(notes, 'utf8')) as Checksums) : {}
  const all = values.only === undefined ? taken : { ...before, ...taken }
  for (const name of Object.keys(taken).filter((each) => each.endsWith(documented)))
    copyFileSync(join(now, name), join(shown, name.replace(documented, '.png')))
  writeFileSync(notes, `${JSON.stringify(Object.fromEntries(Object.entries(all).sort()), null, 2)}\n`)
  console.log(`${Object.keys(taken).length} pictures taken`)
}
