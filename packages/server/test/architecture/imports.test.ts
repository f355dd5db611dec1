/** The import law (design §4): who may import whom. A failure prints the offending edges. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packages = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const server = join(packages, 'server/src')

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

type Edge = { from: string; to: string }

function edges(folder: string): Edge[] {
  return sources(folder).flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"`;]*from\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm),
    ].map(([, named, dynamic]) => {
      const target = (named ?? dynamic)!
      return {
        from: relative(packages, file),
        to: target.startsWith('.') ? relative(packages, resolve(dirname(file), target)) : target,
      }
    }),
  )
}

/** The levels of modules: a module imports strictly downward. */
const levels: Record<string, number> = {
  accounts: 0,
  credits: 1,
  jobs: 1,
  directory: 1,
  leads: 2,
  sources: 3,
  fit: 3,
  delivery: 4,
  outreach: 4,
  enrichment: 5,
  capture: 6,
  keywords: 7,
  posts: 7,
  discover: 7,
  agent: 8,
  'dashboard-queries': 9,
}

const all = edges(server)
const show = (found: Edge[]) => found.map((edge) => `${edge.from} -> ${edge.to}`)
const part = (path: string) => /^server\/src\/(?:modules\/([^/]+)\/)?(.*)$/.exec(path)
const within = (path: string, folder: string) =>
  path.startsWith(`server/src/${folder}/`) || path.startsWith(`server/src/${folder}.ts`)
const moduleOf = (path: string): string | undefined => part(path)?.[1]

describe('the import law', () => {
  it('every module has a level', () => {
    expect(readdirSync(join(server, 'modules')).filter((name) => !(name in levels))).toEqual([])
  })
  it('modules import strictly downward', () => {
    const wrong = all.filter(({ from, to }) => {
      const [a, b] = [moduleOf(from), moduleOf(to)]
      return a !== undefined && b !== undefined && a !== b && levels[a]! <= levels[b]!
    })
    expect(show(wrong)).toEqual([])
  })
  it('other modules are seen only through their index; pure rules may use pure rules of lower modules', () => {
    const wrong = all.filter(({ from, to }) => {
      const target = moduleOf(to)
      if (/\/rules\//.test(from) && /\/rules\//.test(to)) return false
      return target !== undefined && moduleOf(from) !== target && !to.endsWith(`modules/${target}/index.ts`)
    })
    expect(show(wrong)).toEqual([])
  })
  it('platform knows no business, providers know only platform and the port', () => {
    const inPlatform = all.filter(
      ({ from, to }) =>
        within(from, 'platform') && /^server\/src\/(modules|edge|worker|config|providers|compose|main)/.test(to),
    )
    const inProviders = all.filter(
      ({ from, to }) => within(from, 'providers') && /^server\/src\/(modules|edge|worker|config|compose|main)/.test(to),
    )
    expect(show([...inPlatform, ...inProviders])).toEqual([])
  })
  it('modules know platform, the port and each other; never an adapter, the edge, the worker or the settings', () => {
    const wrong = all.filter(
      ({ from, to }) =>
        within(from, 'modules') &&
        (/^server\/src\/(edge|worker|config|compose|main)/.test(to) ||
          (/^server\/src\/providers\//.test(to) && !/providers\/(ports|(?:ai|outreach)\/port)\.ts$/.test(to))),
    )
    expect(show(wrong)).toEqual([])
  })
  it('edge and worker know modules; nobody but main and its helpers knows compose', () => {
    const wrong = all.filter(({ from, to }) => {
      if (/^server\/src\/(edge|worker)\//.test(from)) return /^server\/src\/(compose|main|config)/.test(to)
      return to.endsWith('src/compose.ts') && !/^server\/src\/(main|announce|demo)\.ts$/.test(from)
    })
    expect(show(wrong)).toEqual([])
  })
  it('sign-in knows platform and the faces of modules; only the edge, compose and its helpers know sign-in, and nobody else knows its library', () => {
    const inside = all.filter(
      ({ from, to }) =>
        within(from, 'sign-in') &&
        /^server\/src\//.test(to) &&
        !within(to, 'sign-in') &&
        !within(to, 'platform') &&
        !/^server\/src\/modules\/[^/]+\/index\.ts$/.test(to),
    )
    const outside = all.filter(
      ({ from, to }) =>
        within(to, 'sign-in') &&
        !within(from, 'sign-in') &&
        (!to.endsWith('sign-in/index.ts') || /^server\/src\/(platform|providers|modules|worker|config)\//.test(from)),
    )
    const library = all.filter(
      ({ from, to }) => /^(?:better-auth|@better-auth|better-call|nodemailer)\b/.test(to) && !within(from, 'sign-in'),
    )
    expect(show([...inside, ...outside, ...library])).toEqual([])
  })
  it('rules are pure: they import rules, the port and contract values, and are neither async nor handed a clock', () => {
    const files = sources(server).filter((file) => /\/rules\//.test(file))
    const wrong = all.filter(
      ({ from, to }) =>
        /\/rules\//.test(from) &&
        !/\/rules\//.test(to) &&
        !/@les\/contract|providers\/(ports|(?:ai|outreach)\/port)\.ts|^node:crypto$|^i18n-iso-countries\/langs\//.test(
          to,
        ) &&
        !isTypeOnly(from, to),
    )
    const impure = files.filter((file) =>
      /\basync\b|\bawait\b|new Date\(\)|SystemClock|process\./.test(readFileSync(file, 'utf8')),
    )
    expect([...show(wrong), ...impure.map((file) => `${relative(packages, file)} is not pure`)]).toEqual([])
  })
  it('the server knows the sandbox only in compose, the contract knows only zod, the sandbox and the clients nothing of the server', () => {
    const sandbox = all.filter(({ from, to }) => to.startsWith('@les/sandbox') && from !== 'server/src/compose.ts')
    const contract = edges(join(packages, 'contract/src')).filter(
      ({ to }) => !to.startsWith('contract/') && to !== 'zod',
    )
    const others = ['sandbox', 'cli']
      .flatMap((name) => edges(join(packages, `${name}/src`)))
      .filter(({ to }) => /server/.test(to) && !to.startsWith('sandbox/'))
    const tools = edges(join(packages, 'mcp/src')).filter(
      ({ to }) => !/^mcp\/|^@les\/contract$|^@modelcontextprotocol\/server|^zod$|^node:stream$/.test(to),
    )
    expect(show([...sandbox, ...contract, ...others, ...tools])).toEqual([])
  })
})

/** True when every import of `to` in `from` is of types alone. */
function isTypeOnly(from: string, to: string): boolean {
  const text = readFileSync(join(packages, from), 'utf8')
  const name = to.split('/').slice(-2).join('/')
  return [...text.matchAll(/import\s+(type\s+)?[^;]*?from\s+'([^']+)'/g)]
    .filter(([, , target]) => target!.endsWith(name.split('/').at(-1)!) || target === to)
    .every(([, type]) => type !== undefined)
}
