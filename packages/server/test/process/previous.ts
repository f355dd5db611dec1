/**
 * A release from before the present one, packed from this repository's own history: the tree of a commit with the dependencies that
 * are installed, built by its own `npm run dist`. Kept in `.cache/releases` by its commit.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../scripts/package/names.ts'
import { migrationNames } from '../../src/platform/db/migrate.ts'

const list = 'packages/server/migrations/index.ts'

const git = (...words: string[]): string =>
  execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** The migrations of a commit, in order. */
const migrationsOf = (commit: string): string[] =>
  [...git('show', `${commit}:${list}`).matchAll(/^ {2}'(\d{4}-[\w-]+)':/gm)].map(([, name]) => name!).sort()

/** A release: its commit, and the migrations it knows. */
export type Release = { readonly commit: string; readonly migrations: readonly string[] }

/** True when a database of that release is brought to the present schema by adding migrations behind its own. */
const isBefore = (known: readonly string[]): boolean =>
  known.length < migrationNames.length && known.every((name, at) => name === [...migrationNames].sort()[at])

/**
 * The release that `LES_PREVIOUS_RELEASE` names (a tag or a commit), else the newest commit that lacks the newest migrations; null
 * where no history is at hand, as in an unpacked archive.
 */
export function findPrevious(): Release | null {
  const named = process.env.LES_PREVIOUS_RELEASE
  if (named !== undefined) return { commit: git('rev-parse', `${named}^{commit}`), migrations: migrationsOf(named) }
  try {
    for (const commit of git('log', '--format=%H', '--', list).split('\n')) {
      const [before] = git('rev-list', '--parents', '-1', commit).split(' ').slice(1)
      if (before === undefined) break
      const migrations = migrationsOf(before)
      if (isBefore(migrations)) return { commit: before, migrations }
    }
  } catch {
    // No git, or a clone without its history.
  }
  return null
}

/** Puts the installed packages below a tree, with the tree's own packages in the place of the present ones. */
function linkPackages(tree: string): void {
  const own = new Map(
    readdirSync(join(tree, 'packages')).map((name) => [
      (JSON.parse(readFileSync(join(tree, 'packages', name, 'package.json'), 'utf8')) as { name: string }).name,
      join(tree, 'packages', name),
    ]),
  )
  const scope = [...own.keys()][0]!.split('/')[0]!
  mkdirSync(join(tree, 'node_modules', scope), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== scope && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name))
  for (const [name, folder] of own) {
    symlinkSync(folder, join(tree, 'node_modules', name))
    const nested = join(folder.replace(tree, root), 'node_modules')
    if (existsSync(nested)) symlinkSync(nested, join(folder, 'node_modules'))
  }
}

/** Packs it; answers the program that starts it. */
export function packRelease({ commit }: Release): string {
  const folder = join(root, '.cache/releases', commit)
  const program = join(folder, 'dist/les-server.mjs')
  if (existsSync(program)) return program
  const tree = join(folder, 'tree')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  const archive = join(folder, 'tree.tar')
  git('archive', '--output', archive, commit)
  execFileSync('tar', ['-xf', archive, '-C', tree])
  linkPackages(tree)
  // Its own Node is the present one: what is tried is the program, not what runs it.
  execFileSync(process.execPath, ['scripts/package/dist.ts', '--to', join(folder, 'dist')], {
    cwd: tree,
    stdio: 'pipe',
  })
  rmSync(tree, { recursive: true, force: true })
  rmSync(archive)
  return program
}
