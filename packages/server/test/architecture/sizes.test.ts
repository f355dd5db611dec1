/**
 * A function has at most 50 lines and a file at most 250. Each that is longer is listed with the reason why it is not divided.
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
  'modules/request-log/recorder.ts openRequestLog':
    'two queues of calls, fresh and tried once: what is recorded while they are written must not be lost or doubled',
  'platform/concurrency-limiter.ts openConcurrencyLimiter':
    'a line of waiting calls for each team: entering, giving up and leaving move the same places',
  'platform/db/replica.ts openReplica':
    'when a replica may be read from: one look at its log for all who wait, and the rest after trouble, over the same state',
  'platform/db/unit-of-work.ts makeUnitOfWork':
    'a transaction from its beginning to its effects: what is collected on the way is spent in one order after the commit',
  'platform/db/unit-of-work.ts once':
    'the same, without its tries: the unit of one statement is told from a transaction here',
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
  'modules/scoring/rules/news-phrases.ts': 'a table of phrases in eight languages',
  'modules/scoring/rules/vacancy-phrases.ts': 'a table of phrases in eight languages',
  'providers/ports.ts': 'the interface of the network: types alone',
}

/** Functions of the other packages above the bound. */
const longElsewhere: Readonly<Record<string, string>> = {
  'cli/src/session.ts sessionWith':
    'one session: a client that is opened at the first call, and raw calls, over the same key, times and shell',
  'contract/src/client.ts createClient':
    'a call with its tries: which answers are tried again, and how long, is read in one place',
  'contract/src/inspect-webhook.ts inspectWebhook':
    'what is found of one delivery, in the order in which a person should look',
  'contract/src/openapi/index.ts openApi':
    'the description from its paths to its components: most of it is the document itself',
  'dashboard/src/pages/agent/fields.tsx Buyers': 'the fields of one card',
  'dashboard/src/pages/agent/lead-detail.tsx LeadDetail':
    'one drawer from head to foot; its parts that decide anything stand beside it',
  'dashboard/src/pages/device/index.tsx Question':
    'one question with its warning and two answers, read as a whole by whoever judges it',
  'dashboard/src/pages/keyword-edit/capture.tsx People': 'the fields of one card, three of which depend on each other',
  'dashboard/src/pages/keyword-edit/looks-for.tsx LooksFor': 'the fields of one card, in its two forms',
  'dashboard/src/pages/keyword-edit/new-search.tsx NewSearch': 'a page with one form and one act',
  'dashboard/src/pages/leads/empty.tsx NoRows': 'four empty states with their words; the order says which one is told',
  'dashboard/src/pages/leads/lead-list.tsx LeadList': 'what a grid is given: most of its lines are properties',
  'dashboard/src/pages/outreach/campaigns.tsx Campaigns': 'one card and the four things that it may show',
  'dashboard/src/pages/sign-in/index.tsx Page': 'one form; most of its lines are its words and fields',
  'dashboard/src/pages/source-detail/actions.tsx Actions':
    'five acts, each with when it is shown and why it cannot be done',
  'dashboard/src/pages/source-detail/index.tsx Source': 'the tabs of a source and for which kind each is there',
  'dashboard/src/pages/sources/index.tsx List': 'one list in its four states: coming, failed, filtered away, there',
  'dashboard/src/pages/webhooks/debugger.tsx Debugger': 'one form with one act',
  'dashboard/src/pages/webhooks/delivery-drawer.tsx Shown':
    'one delivery from its state to its payload; its parts stand beside it',
  'dashboard/src/pages/webhooks/log.tsx Filters': 'three choices of the same form',
  'dashboard/src/quotes/quote.tsx QuotedDialog':
    'a dialog that does one act: running, failing and closing share its state',
  'dashboard/src/shell/shell.tsx Framed': 'the frame of every page: what lies where, once',
  'dashboard/src/shell/sidebar.tsx TeamSwitcher': 'one menu: its entries, and the button that opens it',
  'dashboard/src/ui/filter-rows.tsx FilterRows': 'a list of rows that are replaced, removed and added over one value',
  'dashboard/src/ui/menu.tsx Menu': 'the markup of a menu and of its three kinds of entries',
  'dashboard/src/ui/spend.tsx useSpend':
    'asking for a yes: an attempt, its quote, and the second attempt share what was asked',
  'dashboard/src/ui/tips.tsx useShown':
    'six events of the document that decide together which words are shown, and when',
  'dashboard/src/ui/use-table-keys.ts useTableKeys':
    'which row has the focus: moved by keys, kept when rows are replaced under it',
  'dashboard/src/ui/virtual-table.tsx VirtualTable':
    'the grid put together: everything that it does is a hook or a part of its own',
  'sandbox/src/world/known-people.ts knownPeople':
    'people by handle, by member id and by number, over the same two maps',
  'sandbox/src/world/network.ts createPosts': 'posts that are seeded and posts that are made up, over one cache',
}

/** Files of the other packages above the bound. */
const longFilesElsewhere: Readonly<Record<string, string>> = {
  'contract/src/dashboard/sources.ts': 'operations of the dashboard on sources, as data',
  'contract/src/errors.ts': 'the table of errors, as data',
  'contract/src/inspect-webhook.ts':
    'one inspection, shared by the service, the command line and receivers: a file that can be taken alone',
  'contract/src/openapi/index.ts': 'the description, from operations to the document',
  'contract/src/openapi/meanings.ts': 'a table of words for fields, as data',
  'contract/src/operations/keyword-fields.ts': 'the fields of a keyword search with their bounds and words, as data',
}

/**
 * The work engine is one implementation of claim, turn, lease, fence and release that one person can hold in mind: lines
 * of code, without blanks and comments, of `platform/work` (508 before long statements had several lines, 530 before
 * leases could be rows of a table of their own, decision 0091, 562 before a mark could be a part of a statement, decision
 * 0096, and a run asks whether its team is alone, decision 0092).
 * Periodic tasks over teams and the operators' list of work that fails stand beside it.
 */
const engine = { most: 574, beside: ['each-team.ts', 'poison.ts'] } as const

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
  it('elsewhere is listed with its reason, and nothing on the list has become short', () => {
    const files = ['cli', 'contract', 'dashboard', 'mcp', 'sandbox'].flatMap((name) => parseFolder(`${name}/src`))
    const functions = files.flatMap((file) => longFunctionsOf(file, mostOfFunction))
    expect(functions.map(({ path, name }) => `${path} ${name}`).toSorted()).toEqual(
      Object.keys(longElsewhere).toSorted(),
    )
    expect(filesAbove(files).toSorted()).toEqual(Object.keys(longFilesElsewhere).toSorted())
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
