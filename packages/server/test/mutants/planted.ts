/** Planted bugs: patches of the service's code, each with the guarantee it breaks and the test file that should notice. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

const folder = join(dirname(fileURLToPath(import.meta.url)), 'planted')

/** A change in a patch: `before` becomes `after` close to line `near`. */
type Hunk = { readonly near: number; readonly before: readonly string[]; readonly after: readonly string[] }

/** A planted bug. `caughtBy` and the paths of `files` are relative to the root. */
export type Planted = {
  readonly name: string
  readonly text: string
  readonly guarantee: string
  readonly caughtBy: readonly string[]
  readonly files: readonly { readonly path: string; readonly hunks: readonly Hunk[] }[]
}

function header(name: string, text: string, field: string): string {
  const value = new RegExp(`^${field}: (.+)$`, 'm').exec(text.slice(0, text.indexOf('diff --git ')))?.[1]
  if (value === undefined) throw new Error(`${name}.patch: no line "${field}: ..." before its first "diff --git"`)
  return value.trim()
}

function hunksOf(section: string): Hunk[] {
  return section
    .split(/^@@ /m)
    .slice(1)
    .map((hunk) => {
      const [head = '', ...lines] = hunk.split('\n')
      const body = lines.filter((line) => /^[ +-]/.test(line))
      return {
        near: Number(/^-(\d+)/.exec(head)?.[1]),
        before: body.filter((line) => line[0] !== '+').map((line) => line.slice(1)),
        after: body.filter((line) => line[0] !== '-').map((line) => line.slice(1)),
      }
    })
}

/** Reads a patch in git's unified format; throws if it lacks its two header lines or a change. */
export function readPlanted(name: string, text: string): Planted {
  const files = text
    .split(/^diff --git /m)
    .slice(1)
    .map((section) => ({ path: /^\+\+\+ b\/(.+)$/m.exec(section)?.[1] ?? '', hunks: hunksOf(section) }))
  if (files.length === 0 || files.some(({ path, hunks }) => path === '' || hunks.length === 0))
    throw new Error(`${name}.patch changes nothing`)
  return {
    name,
    text,
    guarantee: header(name, text, 'guarantee'),
    caughtBy: header(name, text, 'caught-by').split(/,\s*/),
    files,
  }
}

/** All planted bugs, sorted by file name. */
export function listPlanted(): readonly Planted[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => readPlanted(file.slice(0, -'.patch'.length), readFileSync(join(folder, file), 'utf8')))
}

/** A file's text with the patch applied, even if its lines have moved; null if the patch does not apply. */
export function applyHunks(source: string, hunks: readonly Hunk[]): string | null {
  let lines = source.split('\n')
  let moved = 0
  for (const { near, before, after } of hunks) {
    const places = [...lines.keys()].filter((at) => before.every((line, n) => lines[at + n] === line))
    const expected = near - 1 + moved
    const at = places.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0]
    if (at === undefined) return null
    lines = [...lines.slice(0, at), ...after, ...lines.slice(at + before.length)]
    moved += after.length - before.length
  }
  return lines.join('\n')
}

/** The changed files of a patch by path; null if it does not apply. */
export function withBug(planted: Planted, read: (path: string) => string): ReadonlyMap<string, string> | null {
  const changed = new Map<string, string>()
  for (const { path, hunks } of planted.files) {
    const text = applyHunks(read(path), hunks)
    if (text === null) return null
    changed.set(path, text)
  }
  return changed
}
