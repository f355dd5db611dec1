/** What the official conformance suite asks of every server, on the real tools. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLocalService, type LocalService, type TestTeam } from '../edge/local-service.ts'
import { runSuite } from './conformance.ts'

let service: LocalService
let team: TestTeam
beforeAll(async () => {
  service = await startLocalService()
  team = await service.team({ limits: { reads: 100_000, writes: 100_000 } })
})
afterAll(() => service.stop())

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

// Concurrently, as much of it is waiting.
it.concurrent.each(Object.entries(generic))(
  'the tools pass what %s asks of every server',
  async (revision, wanted) => {
    const { scenarios } = await runSuite(`${service.url}/mcp/${team.key}`, revision as keyof typeof generic)
    expect(wanted.filter((name) => scenarios.get(name) !== true)).toEqual([])
  },
  120_000,
)
