import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSandbox, type TestSandbox } from '../../testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

describe('the doorman', () => {
  it('turns library user agents away as Cloudflare does', async () => {
    for (const agent of ['node', 'undici', '', 'axios/1.7']) {
      const { status, text } = await sandbox.linkd(
        '/api/v1/profile/full',
        { username: 'jane-doe' },
        { 'user-agent': agent, 'x-linkdapi-apikey': 'key' },
      )
      expect([agent, status, text]).toEqual([agent, 403, 'error code: 1010'])
    }
  })

  it('refuses a missing or bad key', async () => {
    for (const headers of [{}, { 'x-linkdapi-apikey': 'bad-key' }]) {
      const { status, json } = await sandbox.linkd(
        '/api/v1/profile/full',
        { username: 'jane-doe' },
        headers as Record<string, string>,
      )
      expect([status, json.success, json.statusCode]).toEqual([401, false, 401])
    }
  })
})
