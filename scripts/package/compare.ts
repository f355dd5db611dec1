/** Whether two built trees are the same: kinds, modes, where links lead, contents. Not when files were written: nothing reads that. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every path below a folder, with a line that is the same when what lies there is. */
export function listTree(folder: string): ReadonlyMap<string, string> {
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name)
    const mode = (lstatSync(path).mode & 0o777).toString(8)
    const what = entry.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : entry.isDirectory()
        ? `folder ${mode}`
        : `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    return [relative(folder, path), what]
  })
  return new Map(lines.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The paths at which two trees differ, with what is there; empty when they are the same. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((path) => one.get(path) !== other.get(path))
    .sort()
    .map((path) => `${path}: ${one.get(path) ?? 'nothing'} | ${other.get(path) ?? 'nothing'}`)
}

/** One number for a whole tree, to compare builds of different machines by. */
export const treeSum = (tree: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update([...tree].map(([path, what]) => `${path}\0${what}\n`).join(''))
    .digest('hex')
