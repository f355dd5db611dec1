/**
 * Packs what callers install without a registry (command line, agent tools, typed client, n8n nodes, Zapier app), with checksums.
 * The service serves the archives at `/downloads/`.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fingerprint } from '../../packages/dashboard/build/index.ts'
import { registry, type Operation } from '../../packages/contract/src/index.ts'
import { bundle, constantsOfEvents } from './bundle.ts'
import { clientTypes } from './client-types.ts'
import { licenceText, packagesIn } from './licences.ts'
import { names, oldestNode, root, version } from './names.ts'
import { layOutPlatform, platforms, type Platform } from './platforms.ts'

type Kind = Exclude<keyof typeof names, Platform>

/** Starts every program that is one file; bundled CommonJS code needs the two names. */
export const head = `#!/usr/bin/env node
import { dirname as folderOf } from 'node:path'
import { fileURLToPath as pathOf } from 'node:url'
const __filename = pathOf(import.meta.url), __dirname = folderOf(__filename)`

const program = (file: string) => ({ banner: head, file, entry: `scripts/package/entries/${file}.ts` })

const parts: Readonly<Record<Kind, { readonly file: string; readonly entry: string; readonly banner?: string }>> = {
  cli: program('les'),
  mcp: program('les-mcp'),
  client: { file: 'index', entry: 'scripts/package/entries/client.ts' },
}

const purposes: Readonly<Record<Kind, string>> = {
  cli: 'The command line of the Lead Engagement Service: les',
  mcp: 'The agent tools of the Lead Engagement Service over standard input and output: les-mcp',
  client: 'The typed client of the Lead Engagement Service',
}

/** Constants about operations and events for the client, instead of the schemas they come from. */
const clientReplacements = (): Readonly<Record<string, string>> => ({
  'packages/contract/src/registry.ts': `export const basePath = '/api/v1'\nexport const registry = ${JSON.stringify(
    (registry as readonly Operation[]).map(({ id, method, path, charges, query, body }) => ({
      id,
      method,
      path,
      charges,
      query: {
        shape: Object.fromEntries(Object.keys((query as { shape?: object }).shape ?? {}).map((name) => [name, 0])),
      },
      body: body === null ? null : 0,
    })),
  )}\n`,
  ...constantsOfEvents,
})

const manuals = join(root, 'packages/cli/man')

const manifest = (kind: Kind): Record<string, unknown> => {
  const { file, banner } = parts[kind]
  return {
    name: names[kind].name,
    version,
    description: purposes[kind],
    type: 'module',
    license: 'UNLICENSED',
    engines: { node: `>=${oldestNode}` },
    files: [`${file}.mjs`, 'LICENCES.txt', ...(banner ? [] : ['index.d.mts']), ...(kind === 'cli' ? ['man'] : [])],
    ...(kind === 'cli'
      ? {
          man: readdirSync(manuals)
            .sort()
            .map((name) => `./man/${name}`),
        }
      : {}),
    ...(banner
      ? { bin: { [file]: `${file}.mjs` } }
      : { exports: { '.': { types: './index.d.mts', default: './index.mjs' } }, types: './index.d.mts' }),
  }
}

const readme = (kind: Kind): string =>
  `# ${names[kind].name}\n\n${purposes[kind]}. Install it from the service itself: ` +
  `\`npm install https://<the service>/downloads/${names[kind].archive}\`. Node ${oldestNode} or newer.\n`

async function layOut(kind: Kind, area: string): Promise<string> {
  const { file, entry, banner } = parts[kind]
  const folder = join(area, kind)
  const packages = await bundle({
    entries: { [file]: entry },
    folder,
    oneFile: true,
    target: 'node20',
    ...(banner ? { banner } : {}),
    ...(kind === 'client' ? { replaced: clientReplacements() } : {}),
  })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(kind), null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readme(kind))
  writeFileSync(join(folder, 'LICENCES.txt'), licenceText(packagesIn(packages)))
  if (kind === 'cli') cpSync(manuals, join(folder, 'man'), { recursive: true })
  if (kind === 'client') writeFileSync(join(folder, 'index.d.mts'), clientTypes())
  return folder
}

const kinds = Object.keys(names) as (keyof typeof names)[]

/** Makes the archives; `to` must be their own folder. The same sources give the same bytes. */
export async function makeDownloads(to: string): Promise<void> {
  const area = mkdtempSync(join(tmpdir(), 'les-pack-'))
  try {
    const folders = await Promise.all([
      ...(Object.keys(parts) as Kind[]).map((kind) => layOut(kind, area)),
      ...platforms.map((platform) => layOutPlatform(platform, join(area, platform))),
    ])
    const packed = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', area, ...folders], {
        cwd: area,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString(),
    ) as readonly { readonly name: string; readonly filename: string }[]
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    const sums = kinds.map((kind) => {
      const { name, archive } = names[kind]
      const { filename } = Object.values(packed).find((each) => each.name === name)!
      cpSync(join(area, filename), join(to, archive))
      return `${createHash('sha256')
        .update(readFileSync(join(to, archive)))
        .digest('hex')}  ${archive}\n`
    })
    writeFileSync(join(to, 'SHA256SUMS'), sums.sort().join(''))
  } finally {
    rmSync(area, { recursive: true, force: true })
  }
}

const ingredients = [
  'packages/contract/src',
  'packages/mcp/src',
  'packages/cli/src',
  'packages/cli/man',
  ...['credentials', 'icons', 'nodes', 'package.json', 'README.md'].map((name) => `integrations/n8n/${name}`),
  ...['app', 'package.json', 'README.md'].map((name) => `integrations/zapier/${name}`),
  'scripts/package',
  'package.json',
]

/** Makes the archives unless the present ones are up to date. */
export async function makeDownloadsIfStale(to: string): Promise<'built' | 'fresh'> {
  const mark = await fingerprint(ingredients.map((path) => join(root, path)))
  const markFile = join(to, '.fingerprint')
  if (existsSync(markFile) && readFileSync(markFile, 'utf8') === mark) return 'fresh'
  await makeDownloads(to)
  // Written last, so that an interrupted build is repeated.
  writeFileSync(markFile, mark)
  return 'built'
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { to: { type: 'string', default: join(root, 'dist/downloads') } } })
  const to = resolve(values.to)
  try {
    if ((await makeDownloadsIfStale(to)) === 'built') console.log(`Packages for callers are in ${to}`)
  } catch (error) {
    // The service runs without the packages: requests for them get a message.
    console.error(
      `The packages for callers could not be made in ${to}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
