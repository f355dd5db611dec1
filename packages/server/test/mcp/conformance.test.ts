/** What the official conformance suite requires of every server; its other scenarios call its own tools by name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLocalService, type LocalService } from '../edge/local-service.ts'
import { runSuite } from './conformance.ts'

let service: LocalService
let address: string
beforeAll(async () => {
  service = await startLocalService()
  address = `${service.url}/mcp/${(await service.team({ limits: { reads: 100_000, writes: 100_000 } })).key}`
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

// Concurrent, because most of it is waiting; each run has its own process and revision.
describe.concurrent('the real tools', () => {
  it.each(Object.entries(generic))(
    'pass what %s asks of every server',
    async (revision, wanted) => {
      const scenarios = await runSuite(address, revision as keyof typeof generic)
      expect(wanted.filter((name) => scenarios.get(name) !== true)).toEqual([])
    },
    120_000,
  )
})
