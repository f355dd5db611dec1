/**
 * A function has at most 50 lines and a file at most 250. In the server each that is longer is listed with the reason why it
 * is not divided; in the other packages they are counted, and the counts only go down.
 */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder } from './code.ts'
import { longFunctionsOf } from './laws.ts'

const mostOfFunction = 50
const mostOfFile = 250

/** Functions of the server above the bound: their file below `server/src`, their name, and what holds each together. */
const longFunctions: Readonly<Record<string, string>> = {
  'composition/server.ts openServer':
    'one object: everything that the HTTP server is given, named once; nothing is decided in it',
  'edge/mcp/index.ts makeMcp':
    'the life of a message: origin, admission, body, the SDK, and the count of what is under way, which closing waits for',
  'edge/operator/teams.ts teamRoutes': 'eight routes of at most six lines each, which say which action a path is',
  'modules/dashboard-queries/rules/warnings.ts about':
    'ten warnings in the order in which a page shows them, each one condition and its words',
  'modules/enrichment/lookup-many.ts lookUpPeople':
    'look-ups side by side over one queue: its steps share what has begun, what is wanted and when the lease was renewed',
  'modules/keywords/rules/expression-parse.ts groupsOf':
    'one pass over tokens: most of its lines are the words of its refusals',
  'modules/leads/enrichment-store.ts fill':
    'one statement that fills every lead that waits for a person, and the texts that those leads are found by',
  'modules/leads/store.ts insertLeads':
    'one statement that stores the leads of a page with their texts and counts; its lists of columns stand beside what fills them',
  'modules/request-log/recorder.ts openRequestLog':
    'two queues of calls, fresh and tried once: what is recorded while they are written must not be lost or doubled',
  'platform/concurrency-limiter.ts openConcurrencyLimiter':
    'a line of waiting calls for each team: entering, giving up and leaving move the same places',
  'platform/db/replica.ts openReplica':
    'when a replica may be read from: one look at its log for all who wait, and the rest after trouble, over the same state',
  'platform/db/unit-of-work.ts makeUnitOfWork':
    'a transaction from its beginning to its effects: what is collected on the way is spent in one order after the commit',
  'platform/queue/listener.ts openListener':
    'one session at a time that is opened, probed, lost and opened again, and ended in the middle of any of these',
  'platform/queue/nudges.ts openNudges':
    'what is to be told waits in one set while a connection is busy; listening and sending share that connection',
  'platform/tracing.ts openTracing':
    'the SDK is loaded only when tracing is on, so that whatever uses its names lies inside',
  'providers/ai/call.ts makeCall':
    'one call with its tries: each reports, waits and fails by the same clock and options',
  'providers/breaker/pg-breaker.ts createPgBreaker':
    'the states of an account: each verb reads, judges by a rule and changes the same row under its lock',
  'providers/costs/meter.ts openMeter':
    'two sums that are counted up, written out, and put back when writing fails, with nothing counted meanwhile lost',
  'providers/network/failover.ts createNetwork':
    'every read of the network, each by the first vendor that answers or by the one that served its first page',
  'providers/network/harvestapi/client.ts createHarvestClient':
    'how the vendor is spoken to: what an answer means and what it teaches about the account, which the next call keeps to',
  'providers/network/linkdapi/tier.ts createTier':
    'what is believed of a rate: asked beside the calls, one question at a time, and kept for as long as it is believed',
  'providers/network/pg-budget.ts createPgBudget':
    'a place in flight: taken, waited for and given back by the same line of a vendor',
  'worker/clock.ts startClock':
    'who acts as the clock: the lock is taken, lost and let go between the same ticks that run the tasks',
  'worker/lanes.ts openLanes':
    'the lanes of a kind of work: waking, running and stopping count the same tracks, and a wake must not fall between them',
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
