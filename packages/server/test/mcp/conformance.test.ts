/**
 * The official conformance suite. Most of its scenarios call tools, prompts and pages by name: those run against a fixture that
 * is served by our own HTTP and authentication. What every server must do also runs against the real tools.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLocalService, type LocalService, type TestTeam } from '../edge/local-service.ts'
import { failedOf, runSuite } from './conformance.ts'
import { fixtureServer } from './fixture.ts'

type Served = { readonly service: LocalService; readonly team: TestTeam }
const served: Record<'real' | 'fixture', Served> = {} as never
beforeAll(async () => {
  for (const [name, toolServer] of [
    ['real', undefined],
    ['fixture', fixtureServer],
  ] as const) {
    const service = await startLocalService({ toolServer })
    served[name] = { service, team: await service.team({ limits: { reads: 100_000, writes: 100_000 } }) }
  }
})
afterAll(async () => {
  for (const { service } of Object.values(served)) await service.stop()
})
const addressOf = ({ service, team }: Served) => `${service.url}/mcp/${team.key}`

const generic = {
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ],
} as const

/** What needs a connection that the server may call back on; 2025 clients are served one request at a time here. */
const needsSession = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
]

// Side by side, as much of it is waiting: each run has a process and a service or a revision of its own.
describe.concurrent('the real tools', () => {
  it.each(Object.entries(generic))(
    'pass what %s asks of every server',
    async (revision, wanted) => {
      const { scenarios } = await runSuite(addressOf(served.real), revision as keyof typeof generic)
      expect(wanted.filter((name) => scenarios.get(name) !== true)).toEqual([])
    },
    120_000,
  )
})

describe.concurrent('the fixture on our stack', () => {
  it('passes every scenario that 2026-07-28 requires of a server', async () => {
    const outcome = await runSuite(addressOf(served.fixture), '2026-07-28')
    expect(failedOf(outcome)).toEqual([])
    expect([...outcome.scenarios.keys()].filter((name) => !outcome.unscored.has(name)).length).toBeGreaterThanOrEqual(
      37,
    )
  }, 120_000)

  it('passes every scenario of 2025-11-25 that needs no session', async () => {
    const outcome = await runSuite(addressOf(served.fixture), '2025-11-25')
    expect(failedOf(outcome).toSorted()).toEqual(needsSession.toSorted())
  }, 120_000)
})
