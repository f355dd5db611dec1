/** Licences of what is handed out: a text for each bundle, and a report on all production dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './names.ts'

/** A package as described by its `package.json`. */
export type Package = {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string
}

/** Licences under which a bundle may be handed out with attribution; others need a person's review. */
export const accepted: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

/** Reads the package in a folder, with its licence text. */
export function readPackage(folder: string): Package {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string | { type: string }
    licenses?: readonly { type: string }[]
  }
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice|third-party)/i.test(file))
  return {
    name,
    version,
    licence: typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? 'unknown'),
    text: files
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      .join('\n\n'),
  }
}

/** True when an alternative of an SPDX expression consists of accepted licences only. */
export const isAccepted = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((alternative) => alternative.split(/\s+AND\s+/).every((licence) => accepted.includes(licence.trim())))

export function packagesIn(folders: Iterable<string>): Package[] {
  const found = new Map<string, Package>()
  for (const folder of folders) {
    if (!existsSync(join(folder, 'package.json'))) throw new Error(`${folder} is no package`)
    const each = readPackage(folder)
    found.set(`${each.name}@${each.version}`, each)
  }
  return [...found.values()].sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1))
}

/** Packages (`name@version`) missing from a CycloneDX list. */
export function unlisted(list: string, packages: readonly Pick<Package, 'name' | 'version'>[]): string[] {
  const { components } = JSON.parse(list) as {
    components: readonly { readonly name: string; readonly version: string }[]
  }
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  return packages.map(({ name, version }) => `${name}@${version}`).filter((each) => !named.has(each))
}

/** The licence text of a bundle. */
export const licenceText = (packages: readonly Package[]): string =>
  `This program contains the following software, each under its own licence.\n\n${packages
    .map(({ name, version, licence, text }) => `${'='.repeat(80)}\n${name} ${version} (${licence})\n\n${text}\n`)
    .join('\n')}`

type Locked = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly link?: boolean
  readonly resolved?: string
}

/** Folders of the production dependencies of `workspaces`, by the lock file, except those in `without`. */
export function productionFolders(workspaces: readonly string[], without: readonly string[] = []): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>
  }
  const found = new Set<string>()
  const place = (from: string, name: string): string | undefined => {
    for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
      if (packages[path]) return packages[path].link ? packages[path].resolved : path
      if (at === '') return undefined
    }
  }
  const visit = (at: string): void => {
    if (found.has(at)) return
    found.add(at)
    const { dependencies, optionalDependencies } = packages[at]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = without.includes(name) ? undefined : place(at, name)
      if (next !== undefined && existsSync(join(root, next))) visit(next)
    }
  }
  for (const workspace of workspaces) visit(workspace)
  return [...found].filter((at) => at.includes('node_modules/')).map((at) => join(root, at))
}

/** Production dependencies of the dashboard that only build it. */
export const pagesBuildTools: readonly string[] = ['vite', '@vitejs/plugin-react', 'tailwindcss', '@tailwindcss/vite']

if (import.meta.main) {
  const packages = packagesIn(
    productionFolders(
      ['packages/server', 'packages/cli', 'packages/mcp', 'packages/contract', 'packages/dashboard'],
      pagesBuildTools,
    ),
  )
  const wrong = packages.filter(({ licence }) => !isAccepted(licence))
  for (const { name, version, licence } of packages) console.log(`${licence.padEnd(28)} ${name} ${version}`)
  console.log(`${packages.length} packages, ${wrong.length} under a licence that is not on the list`)
  for (const { name, licence } of wrong) console.error(`  ${name}: ${licence}`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
