import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../world/folder.ts'
import { layOut } from './laid-out.ts'
import { builtProgram, type Programs } from './program.ts'
import { endPrograms, startProgram, type Spawned } from './spawned.ts'

let home: string
let built: Programs
beforeAll(async () => {
  home = await temporaryFolder('les-hour-')
  built = await builtProgram()
})
afterAll(async () => {
  await endPrograms()
  await rm(home, { recursive: true, force: true })
})

const start = (argv: readonly string[], settings: Record<string, string>, input = '') =>
  startProgram(argv, { cwd: home, settings: { HOME: home, ...settings }, input })

const begin = (argv: readonly string[], input?: string): Spawned =>
  start([built.client, ...argv], built.settings, input)

async function les(argv: readonly string[], input?: string): Promise<string> {
  const { ended, out, err } = begin(argv, input)
  const code = await ended
  if (code !== 0) throw new Error(`les ${argv.join(' ')} ended with ${code}: ${out()}\n${err()}`)
  return out()
}

describe('the first hour', () => {
  it('start, key, track, wait, list, a webhook verified, clean up: through the command line alone [CLI-01]', async () => {
    await layOut(join(home, 'data'))
    const service = start([built.path], {
      ...built.settings,
      PORT: '0',
      LES_DATA_DIR: join(home, 'data'),
      LES_ALLOW_PRIVATE_DESTINATIONS: '1',
    })
    const address = await service.says(/^Lead Engagement Service at (http:\S+)/m)
    const key = await service.says(/API key\s+(cs_\S+)/)
    const password = await service.says(/sign in\s+demo@example\.com\s+password (\S+)/)

    const signIn = await fetch(`${address}/app/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: address, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'demo@example.com', password }),
    })
    expect(signIn.status).toBe(200)
    const cookie = signIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    expect(await (await fetch(`${address}/app/api/me`, { headers: { cookie } })).json()).toMatchObject({
      user: { email: 'demo@example.com' },
      teams: [{ name: 'Demo team', role: 'owner' }],
    })

    expect(await les(['auth', 'login', '--base-url', address], `${key}\n`)).toBe(`signed in\tdefault\t${address}\n`)
    // The demo's sources would go on capturing hundreds of people who are not needed here.
    await les(['profile', 'untrack', 'maya-lindqvist'])
    const own = (await les(['keys', 'create', '--name', 'laptop', '--jq', '.key'])).trim()
    expect(own).toMatch(/^cs_/)
    await les(['auth', 'login', '--profile', 'laptop', '--base-url', address], own)

    const track = [
      'enrich',
      'profile',
      '--username',
      'grace-okafor',
      '--save-tracked-profile',
      '--credit-cap-per-sync',
      '5',
      '--wait',
      '--timeout',
      '200',
      '--json',
      'state',
    ]
    expect(JSON.parse(await les(track))).toEqual({ state: 'completed' })
    const leads = JSON.parse(await les(['leads', 'list', '--username', 'grace-okafor', '--json', 'id,name'])) as {
      id: string
    }[]
    expect(leads).toHaveLength(5)
    const csv = (await les(['leads', 'list', '--username', 'grace-okafor', '--all', '--csv'])).trimEnd().split('\r\n')
    expect(csv.slice(1).map((record) => record.split(',')[0])).toEqual(leads.map(({ id }) => id))

    const listener = begin(['webhooks', 'listen', '--port', '0', '--count', '5', '--timeout', '120', '--json'])
    const hook = await listener.says(/^Listening on (http:\S+?);/m, 'err')
    await les(['profile', 'webhook', 'set', 'grace-okafor', '--webhook-url', hook])
    expect(
      JSON.parse(await les(['profile', 'push', 'grace-okafor', '--wait', '--timeout', '120', '--json'])),
    ).toMatchObject({ finished: true, counts: { delivered: 5 } })
    expect(await listener.ended).toBe(0)
    const events = listener
      .out()
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { verified: boolean; event: { event: string; lead: { id: string } } })
    expect(events.map(({ verified, event }) => [verified, event.event])).toEqual(Array(5).fill([true, 'lead.detected']))
    expect(events.map(({ event }) => event.lead.id).sort()).toEqual(leads.map(({ id }) => id).sort())

    expect(
      JSON.parse(
        await les(['credits', 'usage', '--jq', '[.bySource[] | select(.label == "grace-okafor") | .credits]']),
      ),
    ).toEqual([5])
    await les(['profile', 'untrack', 'grace-okafor'])
    expect(await begin(['profile', 'webhook', 'get', 'grace-okafor']).ended).toBe(5)
  }, 400_000)
})
