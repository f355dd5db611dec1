/** Invented people never mix with real ones: the service with a real vendor, and a sandbox that identifies itself (G2). */
import { startSandbox, type Sandbox } from '@les/sandbox'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type Service } from '../../src/composition/compose.ts'
import type { Config } from '../../src/config/config.ts'
import { readConfig } from '../../src/config/env.ts'
import { openLog } from '../../src/platform/log.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { createWorld, type World } from '../world/world.ts'

let vendor: Sandbox
beforeAll(async () => {
  vendor = await startSandbox({ seed: 'a vendor' })
})
afterAll(() => vendor.close())

const realVendor = (): Config['vendors'] =>
  readConfig({ LES_HARVESTAPI_URL: vendor.addresses.harvestapi, LES_HARVESTAPI_KEY: 'vendor-key' }).vendors

const probes = [
  ['GET', '/api/v1/leads'],
  ['GET', '/api/v1/nope'],
  ['PATCH', '/api/v1/credits'],
  ['POST', '/api/v1/enrich/profile'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/openapi.json'],
  ['GET', '/operator/clock'],
  ['GET', '/operator/nope'],
  ['GET', '/nowhere'],
  ['HEAD', '/livez'],
] as const
const probe = async (world: World, key: string) =>
  Promise.all(
    probes.flatMap(([method, path]) =>
      [key, undefined].map(async (apiKey) => {
        const { status, headers } = await fetch(world.url + path, {
          method,
          headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
        })
        return { call: `${method} ${path} ${status}`, sandbox: headers.get('x-sandbox') }
      }),
    ),
  )

describe('with a real vendor', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ config: { vendors: realVendor(), clock: { mode: 'system' } } })
  })
  afterAll(() => world.close())

  it('there is no sandbox in the process, and no reply says X-Sandbox', async () => {
    const team = await world.team()
    expect(world.service.sandbox).toBeUndefined()
    expect((await probe(world, team.apiKey)).filter(({ sandbox }) => sandbox !== null)).toEqual([])
    expect(await (await fetch(`${world.url}/readyz`)).json()).toMatchObject({ status: 'ready', sandbox: false })
  })

  it('only that vendor is called, with its key, and its people become the leads', async () => {
    const team = await world.team({ credits: 100 })
    const seeded = vendor.world.seedPerson({ handle: 'vendors-own-person', name: 'Vendors Own' })
    vendor.world.seedPost({ author: 'vendors-author', reactions: [{ person: seeded.handle }] })
    vendor.world.clearCalls()
    expect((await team.post('/enrich/profile', { username: 'vendors-author', saveTrackedProfile: true })).status).toBe(
      200,
    )
    await world.drain()
    expect((await team.get('/leads')).body.leads).toMatchObject([
      { name: 'Vendors Own', enrichmentStatus: 'completed' },
    ])
    const calls = vendor.world.calls()
    expect(calls.length).toBeGreaterThan(3)
    expect(new Set(calls.map((call) => call.vendor))).toEqual(new Set(['harvestapi']))
  })

  it('a vendor that does not answer is not replaced by anything: no other vendor is asked, nobody is invented', async () => {
    const team = await world.team({ credits: 100 })
    vendor.world.clearCalls()
    vendor.world.fault({ kind: 'status_500' })
    expect((await team.post('/enrich/profile', { username: 'silent-author', saveTrackedProfile: true })).status).toBe(
      200,
    )
    await world.drain()
    vendor.world.clearFaults()
    expect((await team.get('/leads?includeSyncing=true&includeInactive=true')).body.total).toBe(0)
    expect(new Set(vendor.world.calls().map((call) => call.vendor))).toEqual(new Set(['harvestapi']))
    expect(await team.balance()).toBe(100)
  })
})

describe('a sandbox service', () => {
  it('says X-Sandbox on every reply, refusals and health included', async () => {
    const world = await createWorld()
    const team = await world.team()
    expect((await probe(world, team.apiKey)).filter(({ sandbox }) => sandbox !== 'true')).toEqual([])
    expect(await (await fetch(`${world.url}/readyz`)).json()).toMatchObject({ sandbox: true })
    await world.close()
  })
})

describe('a database', () => {
  const masterKey = randomBytes(32)
  const config = (vendors: Config['vendors']): Config => ({
    ...readConfig({}),
    dataDir: '/nonexistent',
    masterKey,
    vendors,
    seedDemo: false,
    logLevel: 'silent',
  })
  const boot = async (database: TestDatabase, vendors: Config['vendors']): Promise<Service> =>
    compose(config(vendors), openLog('silent'), { connection: database.connection, poolSize: 4 })

  it.each([
    [
      'sandbox',
      'real',
      /holds people of the sandbox network, so it cannot be used with a real vendor: set another LES_DATA_DIR or DATABASE_URL/,
    ],
    ['real', 'sandbox', /holds people of the real network, so it cannot be used with the sandbox/],
  ] as const)(
    'once used with the %s network it refuses the %s one, for ever, and goes on with its own',
    async (first, other, message) => {
      const worlds: Record<'sandbox' | 'real', Config['vendors']> = { sandbox: { kind: 'sandbox' }, real: realVendor() }
      const database = await freshDatabase()
      const own = await boot(database, worlds[first])
      await own.start()
      await own.stop()
      vendor.world.clearCalls()
      for (let start = 0; start < 2; start++) await expect(boot(database, worlds[other])).rejects.toThrow(message)
      expect(vendor.world.calls()).toEqual([])
      const again = await boot(database, worlds[first])
      expect(again.sandbox === undefined).toBe(first === 'real')
      await again.stop()
      await database.drop()
    },
  )
})
