/**
 * A function takes at most three parameters by position: more of them are told apart by their order alone, and a call
 * with two of one type swapped compiles. What is more goes into an object. The exceptions are listed with their reason.
 */
import { describe, expect, it } from 'vitest'
import { parseFile, parseFolder } from './code.ts'
import { manyParametersOf } from './laws.ts'

const most = 3

const wiring = 'parts in the order in which they are opened, each of a type of its own: swapped, they do not compile'
const engine =
  'the engine names the transaction, the rows of a kind and the row first, everywhere; what follows is of other types'
const port = 'a method of a port: what it is done with, in the order of the interface that its implementations share'
const tableRow = 'a row of a table of errors, in the order of its columns'

/** Functions with more, their file below `packages`, their name, and the reason. */
const listed: Readonly<Record<string, string>> = {
  'contract/src/errors.ts row': tableRow,
  'contract/src/paging.ts rows':
    'a published function: the list, the name of its rows, and then what any call of the list takes',
  'dashboard/src/api/send.ts send':
    'method, path, body and settings, in the order of a request; three is what most calls give',
  'server/src/composition/base.ts openBase': wiring,
  'server/src/composition/base.ts openFaultPoints': wiring,
  'server/src/composition/base.ts openSandbox': wiring,
  'server/src/composition/compose.ts composeOn': wiring,
  'server/src/composition/compose.ts openVendorOperations': wiring,
  'server/src/composition/compose.ts openWorking': wiring,
  'server/src/composition/server.ts openSignInOf': wiring,
  'server/src/composition/server.ts operatorParts': wiring,
  'server/src/composition/tasks.ts allTasks': wiring,
  'server/src/edge/http/server.ts mountAll': wiring,
  'server/src/edge/http/server.ts openApp': wiring,
  'server/src/platform/log.ts in redact': 'what a replacement in a text is called with: the match, then its groups',
  'server/src/platform/refusal.ts constructor':
    'what is refused, then what most refusals leave out: details, a text of its own, headers; each of another type',
  'server/src/platform/work/claim.ts claimOne': engine,
  'server/src/platform/work/claim.ts claimSome': engine,
  'server/src/platform/work/leases.ts giveBack': engine,
  'server/src/platform/work/leases.ts leaseRows': engine,
  'server/src/platform/work/leases.ts postpone': engine,
  'server/src/platform/work/leases.ts putOff': engine,
  'server/src/platform/work/leases.ts putOffForEver': engine,
  'server/src/platform/work/leases.ts renewLeases': engine,
  'server/src/platform/work/turns.ts nextOf': engine,
  'server/src/platform/work/turns.ts restTeam': engine,
  'server/src/providers/network/failover.ts replies': port,
  'server/src/providers/outreach/index.ts addLeads': port,
  'server/src/providers/outreach/index.ts findMembers': port,
  'server/src/providers/outreach/heyreach.ts addLeads': port,
  'server/src/providers/outreach/heyreach.ts findMembers': port,
  'server/src/worker/kept-answers.ts replies': port,
}

describe('parameters by position', () => {
  it('are at most three; each function with more is listed with its reason, and nothing on the list has fewer', () => {
    const names = ['cli', 'contract', 'dashboard', 'mcp', 'sandbox', 'server']
    const all = names.flatMap((name) => parseFolder(`${name}/src`)).flatMap((file) => manyParametersOf(file, most))
    const found = all.map(({ path, name }) => `${path} ${name}`)
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(listed).toSorted())
  })
  it.each([
    ['a function', 'function a(b, c, d, e) {}', 'a'],
    ['an arrow function', 'const a = (b, c, d, e) => b', 'a'],
    ['one inside a call', 'const a = once((b, c, d, e) => b)', 'in a'],
    ['defaults and a rest', 'const a = (b, c = 1, d = 2, ...e) => b', 'a'],
  ])('%s with four is seen by its name', (_what, text, name) => {
    expect(manyParametersOf(parseFile('server/src/x.ts', text), most)).toEqual([
      { path: 'server/src/x.ts', line: 1, name },
    ])
  })
  it('three and an object are let be', () => {
    expect(manyParametersOf(parseFile('server/src/x.ts', 'const a = (b, c, { d, e, f }) => b'), most)).toEqual([])
  })
})
