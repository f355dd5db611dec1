/**
 * A function has at most 50 lines and a file at most 250. In the server each that is longer is listed with the reason why it
 * is not divided; in the other packages they are counted, and the counts only go down.
 */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder } from './code.ts'
import { longFunctionsOf } from './laws.ts'

const mostOfFunction = 50
const mostOfFile = 250

/** Reasons that more than one function has. */
const shared = {
  client:
    'makes one client: its operations close over the same key, limits and state; what judges answers stands outside',
  routes: 'a list of handlers or routes, each short; dividing the list would only hide what is there',
  resource: 'opens one thing and answers its verbs, all over the same few variables, which nobody else may touch',
  statement: 'one SQL statement and what it is given; its clauses are read together',
  list: 'a flat list in one order that matters: each line is independent of the others',
  order: 'one order of steps, each already a named function; the order is what a reader comes for',
} as const

/** Functions of the server above the bound: their file below `server/src`, their name, and the reason. */
const longFunctions: Readonly<Record<string, string>> = {
  'composition/infrastructure.ts openInfrastructure': shared.order,
  'composition/server.ts openServer': shared.order,
  'edge/dashboard/api.ts makeDashboardApi': shared.routes,
  'edge/dashboard/pages.ts makePages': shared.routes,
  'edge/http/api.ts in makeApi': shared.routes,
  'edge/http/api.ts makeApi': shared.routes,
  'edge/http/server.ts openHttp': shared.resource,
  'edge/mcp/index.ts makeMcp': shared.routes,
  'edge/operator/teams.ts teamRoutes': shared.routes,
  'edge/operator/vendors.ts vendorRoutes': shared.routes,
  'modules/agent/operations.ts agentOperations': shared.routes,
  'modules/dashboard-queries/rules/warnings.ts about': shared.list,
  'modules/delivery/record.ts recordFailures':
    'one loop over rows: what one of them disables, the rows after it are judged by',
  'modules/enrichment/lookup-many.ts lookUpPeople':
    'look-ups side by side over one queue: its steps share what has begun, what is wanted and when the lease was renewed',
  'modules/icp/operations.ts icpOperations': shared.routes,
  'modules/keywords/operations.ts searchOperations': shared.routes,
  'modules/keywords/rules/expression-parse.ts groupsOf':
    'one pass over tokens: most of its lines are the words of its refusals',
  'modules/leads/enrichment-store.ts fill': shared.statement,
  'modules/leads/store.ts insertLeads': shared.statement,
  'modules/outreach/operations.ts outreachOperations': shared.routes,
  'modules/request-log/recorder.ts openRequestLog': shared.resource,
  'modules/team-defaults/operations.ts teamDefaultOperations': shared.routes,
  'platform/concurrency-limiter.ts openConcurrencyLimiter': shared.resource,
  'platform/db/replica.ts openReplica': shared.resource,
  'platform/db/unit-of-work.ts makeUnitOfWork': shared.resource,
  'platform/queue/listener.ts openListener': shared.resource,
  'platform/queue/nudges.ts openNudges': shared.resource,
  'platform/tracing.ts openTracing': shared.resource,
  'providers/ai/call.ts makeCall': shared.client,
  'providers/breaker/pg-breaker.ts createPgBreaker': shared.resource,
  'providers/costs/meter.ts openMeter': shared.resource,
  'providers/network/failover.ts createNetwork': shared.client,
  'providers/network/harvestapi/client.ts createHarvestClient': shared.client,
  'providers/network/harvestapi/engagement.ts harvestEngagement': shared.client,
  'providers/network/linkdapi/engagement.ts linkdEngagement': shared.client,
  'providers/network/linkdapi/search.ts linkdSearch': shared.client,
  'providers/network/linkdapi/search.ts searchPosts': shared.client,
  'providers/network/linkdapi/tier.ts createTier': shared.resource,
  'providers/network/pg-budget.ts createPgBudget': shared.resource,
  'sign-in/operations.ts peopleOperations': shared.routes,
  'worker/clock.ts startClock': shared.resource,
  'worker/lanes.ts openLanes': shared.resource,
}

/** Files of the server above the bound. */
const longFiles: Readonly<Record<string, string>> = {
  'modules/delivery/pump.ts': 'the life of a batch of deliveries, its state machine in the header',
  'modules/scoring/rules/news-phrases.ts': 'a table of phrases in eight languages',
  'modules/scoring/rules/vacancy-phrases.ts': 'a table of phrases in eight languages',
  'providers/ports.ts': 'the interface of the network: types alone',
}

/** How many functions and files of the other packages are longer. Nothing is ever added: divide it, and lower the count. */
const waiting: Readonly<Record<string, { readonly functions: number; readonly files: number }>> = {
  cli: { functions: 1, files: 0 },
  contract: { functions: 3, files: 6 },
  dashboard: { functions: 26, files: 0 },
  mcp: { functions: 0, files: 0 },
  sandbox: { functions: 2, files: 0 },
}

/**
 * The work engine is one implementation of claim, turn, lease, fence and release that one person can hold in mind: lines
 * of code, without blanks and comments, of `platform/work` (508 before long statements had several lines). Periodic tasks
 * over teams and the operators' list of work that fails stand beside it.
 */
const engine = { most: 530, beside: ['each-team.ts', 'poison.ts'] } as const

/** Lines of a text that are neither blank nor part of a comment that stands on lines of its own. */
const codeLinesOf = (text: string): number =>
  text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length

const below = (path: string): string => path.replace(/^server\/src\//, '')

const filesAbove = (files: readonly { readonly path: string; readonly text: string }[]): string[] =>
  files.filter(({ text }) => text.split('\n').length - 1 > mostOfFile).map(({ path }) => path)

describe('what is long', () => {
  it('in the server is listed with its reason, and nothing on the list has become short', () => {
    const files = parseFolder('server/src')
    expect(files.length).toBeGreaterThan(500)
    const functions = files.flatMap((file) => longFunctionsOf(file, mostOfFunction))
    const named = functions.map(({ path, name }) => `${below(path)} ${name}`)
    expect(named.toSorted()).toEqual(Object.keys(longFunctions).toSorted())
    expect(filesAbove(files).map(below).toSorted()).toEqual(Object.keys(longFiles).toSorted())
  })
  it.each(Object.entries(waiting))('in %s is no more than what is counted', (name, most) => {
    const files = parseFolder(`${name}/src`)
    const functions = files
      .flatMap((file) => longFunctionsOf(file, mostOfFunction))
      .map(({ path, line }) => `${path}:${line}`)
    expect(functions.length, functions.join('\n')).toBeLessThanOrEqual(most.functions)
    expect(filesAbove(files).length, filesAbove(files).join('\n')).toBeLessThanOrEqual(most.files)
  })

  it('leaves the work engine within its bound', () => {
    const files = parseFolder('server/src/platform/work').filter(
      ({ path }) => !engine.beside.some((name) => path.endsWith(`/${name}`)),
    )
    expect(files.length).toBeGreaterThan(8)
    expect(files.reduce((sum, { text }) => sum + codeLinesOf(text), 0)).toBeLessThanOrEqual(engine.most)
    expect(codeLinesOf('/** a\n * b\n */\nc()\n\n  // d\n  e() // f\n')).toBe(2)
  })

  const body = (lines: number) => '  b()\n'.repeat(lines - 2)
  it.each([
    ['a function', `function a() {\n${body(51)}}\n`, 'a'],
    ['a variable', `const a = () => {\n${body(51)}}\n`, 'a'],
    ['a property', `const x = { a: async () => {\n${body(51)}} }\n`, 'a'],
    ['one inside a call', `const a = once(() => {\n${body(51)}})\n`, 'in a'],
    ['one inside nothing', `once(() => {\n${body(51)}})\n`, 'in the file'],
  ])('%s of 51 lines is seen by its name', (_what, text, name) => {
    expect(longFunctionsOf(parseFile('server/src/x.ts', text), 50)).toEqual([
      { path: 'server/src/x.ts', line: 1, name },
    ])
  })
  it('a function of 50 lines is let be', () => {
    expect(longFunctionsOf(parseFile('server/src/x.ts', `const a = () => {\n${body(50)}}\n`), 50)).toEqual([])
  })
  it('a file of 251 lines is seen, and one of 250 is let be', () => {
    const file = (lines: number) => ({ path: 'x.ts', text: 'a()\n'.repeat(lines) })
    expect(filesAbove([file(251)])).toEqual(['x.ts'])
    expect(filesAbove([file(250)])).toEqual([])
  })
})
