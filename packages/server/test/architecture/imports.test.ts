/** Who may import whom, no cycles, one writer per table, reads only downward: checked on the syntax tree. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, parseFolder, type SourceFile } from './code.ts'
import { cyclesOf, edgesOf, tablesOf, type Edge } from './laws.ts'
import { writers } from './tables.ts'

const levels: Readonly<Record<string, number>> = {
  accounts: 0,
  credits: 1,
  network: 1,
  leads: 1,
  sources: 2,
  fit: 2,
  jobs: 3,
  delivery: 3,
  outreach: 3,
  enrichment: 4,
  capture: 4,
  discover: 5,
  keywords: 5,
  agent: 6,
  reports: 6,
  results: 5,
  privacy: 6,
}

/** The server's ports: interfaces of vendors that name no vendor. */
const port = /^server\/src\/providers\/(?:ports|(?:ai|destinations|outreach)\/port)\.ts$/
const face = /^server\/src\/modules\/[^/]+\/index\.ts$/
const composition = /^server\/src\/(?:main\.ts$|composition\/)/

/** What a folder may import besides itself and installed packages (restricted by `packages`); the first match counts. */
const allowed: readonly { readonly of: RegExp; readonly inside: readonly RegExp[]; readonly packages?: RegExp }[] = [
  { of: /^contract\//, inside: [], packages: /^zod$/ },
  { of: /^sandbox\//, inside: [], packages: /^(?:node:|zod$)/ },
  { of: /^mcp\//, inside: [], packages: /^(?:@les\/contract$|@modelcontextprotocol\/server|zod$|node:stream$)/ },
  { of: /^cli\//, inside: [], packages: /^(?!@les\/(?!contract$|mcp$))/ },
  { of: /^dashboard\//, inside: [], packages: /^(?!@les\/(?!contract$)|node:)/ },
  {
    of: /^server\/src\/modules\/.+\/rules\//,
    inside: [/\/rules\//, port],
    packages: /^(?:@les\/contract$|node:crypto$|i18n-iso-countries\/langs\/)/,
  },
  { of: /^server\/src\/modules\//, inside: [/^server\/src\/platform\//, port, face, /\/rules\//] },
  {
    of: /^server\/src\/platform\//,
    inside: [/^server\/src\/(?:job-catalog|fault-points|counters)\.ts$|^server\/migrations\//],
  },
  { of: /^server\/src\/providers\//, inside: [/^server\/src\/platform\//] },
  { of: /^server\/src\/sign-in\//, inside: [/^server\/src\/platform\//, face] },
  {
    of: /^server\/src\/(?:edge)\//,
    inside: [/^server\/src\/platform\//, face, port, /^server\/src\/sign-in\/index\.ts$/],
  },
  {
    of: /^server\/src\/worker\//,
    inside: [/^server\/src\/platform\//, face, port, /^server\/src\/job-catalog\.ts$/],
  },
  { of: /^server\/src\/config\//, inside: [/^server\/src\/platform\//, /^server\/src\/modules\/[^/]+\/rules\//] },
  {
    of: /^server\/src\/(?:backup|commands|doctor)\//,
    inside: [
      /^server\/src\/(?:backup|commands|config|doctor|platform|providers)\//,
      // A support bundle reads the waiting work as the metrics do.
      /^server\/src\/worker\/metrics\.ts$/,
      face,
      composition,
      /^server\/migrations\//,
    ],
  },
  { of: /^server\/src\//, inside: [/^server\//] },
]

const inside = (path: string) => /^(?:contract|sandbox|mcp|cli|dashboard|server)\//.test(path)
const home = (path: string) => /^(?:server\/src\/(?:modules\/[^/]+|[^/]+)|[^/]+)\//.exec(path)?.[0] ?? path
const moduleOf = (path: string): string | undefined => /^server\/src\/modules\/([^/]+)\//.exec(path)?.[1]
const show = ({ from, to }: Edge) => `${from} -> ${to}`

function forbidden(edges: readonly Edge[]): string[] {
  return edges
    .filter((edge) => {
      const { from, to, value } = edge
      const row = allowed.find((each) => each.of.test(from))
      if (!row) return true
      if (to === '?') return true
      if (!inside(to)) return row.packages !== undefined && !row.packages.test(to) && (value || to.startsWith('@les/'))
      if (home(from) === home(to) && !(/\/rules\//.test(from) && !/\/rules\//.test(to))) return false
      // Rules may import types of what they judge.
      if (/\/rules\//.test(from) && !value && (home(from) === home(to) || face.test(to))) return false
      return !row.inside.some((each) => each.test(to))
    })
    .map(show)
}

/** Imports between modules that go sideways or upward or bypass `index.ts`; pure rules may import pure rules below. */
function upward(edges: readonly Edge[]): string[] {
  return edges
    .filter(({ from, to }) => {
      const [a, b] = [moduleOf(from), moduleOf(to)]
      if (a === undefined || b === undefined || a === b) return false
      return levels[a]! <= levels[b]! || !(face.test(to) || (/\/rules\//.test(from) && /\/rules\//.test(to)))
    })
    .map(show)
}

const alone: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:better-auth|@better-auth|better-call|nodemailer)\b/, /^server\/src\/sign-in\//],
  [/^@les\/sandbox$/, /^server\/src\/composition\//],
  [/^(?:ai$|@ai-sdk\/)/, /^server\/src\/providers\/ai\//],
  [/^fastify/, /^server\/src\/edge\//],
  [/^(?:@opentelemetry\/|prom-client$)/, /^server\/src\/platform\//],
]
const misplaced = (edges: readonly Edge[]): string[] =>
  edges.filter(({ from, to }) => alone.some(([name, only]) => name.test(to) && !only.test(from))).map(show)

/** Reads of tables of higher modules, each with the reason why it stays. */
const readsUpward: Readonly<Record<string, string>> = {
  // A second query would make a page short and its total wrong, and a state on the lead would have to be written to all of them.
  // Needed only while deliveries from before a cleared URL are being ended.
  'leads reads delivery': 'a lead that was queued after the URL was cleared waits, one from before does not',
  'leads reads source':
    'a list of leads is filtered by what its sources are, and labelled, in the one statement that pages it',
  // Stored once per person and shown on each of their rows; reading it per row would be a second read of every list.
  'leads reads result': 'what came of a person is shown on each of their rows, in the statement that pages them',
  'leads reads webhook': 'whether the URL of a webhook was cleared decides on the state of its leads',
  // A status passed in could be stale; one file names the table for the whole engine.
  'platform/db/fence.ts reads team': 'a unit of work shares the row of its team before it writes anything of it',
  'platform/db/shards.ts reads team': 'which team is in which shard is in that row',
  'platform/work/rows.ts reads team': 'a claim takes only work of served teams, in the statement that leases it',
  // Two reads could combine the profile of one moment with the sources of another.
  'fit reads agent': 'what an agent looks for is read with its sources in one statement',
  // A search's label is its name, a column of its own table.
  'leads reads keyword_search':
    "a list is ordered and searched by the label of a source, so it is SQL in the list's statement",
  // A separate read could see another price than the charge.
  'capture reads keyword_post':
    'whether a post of a search is read for nothing is judged in the statement that charges',
  // A value passed in could be older than the lock that the write waits for.
  'network reads erasure':
    'what was said before an erasure and is written after it is told by the instant of the erasure',
  // Otherwise lines of a run that is still writing could be merged.
  'credits reads sync': 'free lines are merged once their run has ended, in the statement that finds them',
}

const below = (path: string) => path.replace(/^server\/src\//, '')
const ownerOf = (table: string) => Object.keys(levels).find((name) => writers[table]!.test(`modules/${name}/`))

function tableComplaints(files: readonly SourceFile[]): { readonly writes: string[]; readonly reads: string[] } {
  const writes = new Set<string>()
  const reads = new Set<string>()
  for (const file of files) {
    const path = below(file.path)
    const reader = moduleOf(file.path)
    for (const { table, writes: isWrite } of tablesOf(file)) {
      const owner = ownerOf(table)
      if (isWrite && !writers[table]!.test(path)) writes.add(`${path} writes ${table}`)
      if (isWrite || owner === undefined) continue
      if (reader !== undefined && levels[owner]! > levels[reader]!) reads.add(`${reader} reads ${table}`)
      if (/^(?:platform|providers)\//.test(path)) reads.add(`${path} reads ${table}`)
    }
  }
  return { writes: [...writes].sort(), reads: [...reads].sort() }
}

const all = ['contract', 'sandbox', 'mcp', 'cli', 'dashboard', 'server'].flatMap((name) => parseFolder(`${name}/src`))
const edges = all.flatMap(edgesOf)
const serverFiles = all.filter(({ path }) => path.startsWith('server/'))

/** All files loaded before a module runs: its imports and theirs, without dynamic ones. */
function loadedBy(module: string): ReadonlySet<string> {
  const loaded = new Set([module])
  for (const file of loaded)
    for (const { from, to, value, dynamic } of edges) if (from === file && value && !dynamic) loaded.add(to)
  return loaded
}

describe('the import law', () => {
  it('loads no package of an AI vendor at a start: most processes never ask one', () => {
    const loaded = [...loadedBy('server/src/composition/compose.ts')]
    expect(loaded).toContain('server/src/providers/ai/index.ts')
    expect(loaded.filter((name) => /^(?:ai$|@ai-sdk\/)/.test(name))).toEqual([])
  })

  it('covers every package and gives every module a level', () => {
    expect(readdirSync(packages).filter((name) => !all.some(({ path }) => path.startsWith(`${name}/`)))).toEqual([])
    expect(readdirSync(join(packages, 'server/src/modules')).filter((name) => !(name in levels))).toEqual([])
  })
  it('every folder imports what its row allows', () => expect(forbidden(edges)).toEqual([]))
  it('modules import strictly downward and see each other only through their index; pure rules may use pure rules', () =>
    expect(upward(edges)).toEqual([]))
  it('a library that belongs to one place is named nowhere else', () => expect(misplaced(edges)).toEqual([]))
  it('nothing imports itself in a circle when it runs', () => expect(cyclesOf(edges)).toEqual([]))
  it('nothing of the server imports itself in a circle, imports of types included', () => {
    const all = edges.filter(({ from }) => from.startsWith('server/src/')).map((edge) => ({ ...edge, value: true }))
    expect(cyclesOf(all)).toEqual([])
  })
  it('rules are neither async nor handed a clock', () => {
    const impure = serverFiles.filter(
      ({ path, text }) => /\/rules\//.test(path) && /\basync\b|\bawait\b|new Date\(\)|SystemClock|process\./.test(text),
    )
    expect(impure.map(({ path }) => path)).toEqual([])
  })
})

describe('tables', () => {
  const { writes, reads } = tableComplaints(serverFiles)
  it('have one writer', () => expect(writes).toEqual([]))
  it('are read by modules at or above the owner, or the reader is on the list with its reason', () =>
    expect(reads).toEqual(Object.keys(readsUpward).sort()))
})
