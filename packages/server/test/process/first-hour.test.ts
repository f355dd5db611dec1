/** A newcomer's first hour with nothing but `npm start` and the command line: every step is a process, as in a shell. */
import { spawn, type ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../world/folder.ts'
import { layOut } from './laid-out.ts'
import { builtProgram, type Programs } from './program.ts'

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly text: { out: string; err: string }
}

let home: string
let built: Programs
const running = new Set<ChildProcess>()
beforeAll(async () => {
  home = await temporaryFolder('les-hour-')
  built = await builtProgram()
})
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('close', resolve))
  }
  await rm(home, { recursive: true, force: true })
})

function start(argv: readonly string[], settings: Record<string, string>, input?: string): Running {
  const { PATH = '', TMPDIR } = process.env
  const child = spawn(process.execPath, argv, {
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH, HOME: home, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...settings },
  })
  running.add(child)
  const text = { out: '', err: '' }
  child.stdin!.end(input ?? '')
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk))
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk))
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout: text.out, stderr: text.err })),
  ).finally(() => running.delete(child))
  return { child, ended, text }
}

/** Waits for a line that matches and gives its first group. */
async function line(from: Running, where: 'out' | 'err', pattern: RegExp): Promise<string> {
  const end = Date.now() + 120_000
  for (;;) {
    const found = pattern.exec(from.text[where])?.[1]
    if (found !== undefined) return found
    if (from.child.exitCode !== null || Date.now() > end)
      throw new Error(`no ${pattern}: ${from.text.out}\n${from.text.err}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Starts one command of the client. */
const begin = (argv: readonly string[], input?: string): Running =>
  start([built.client, ...argv], built.settings, input)

/** Runs one command of the client to its end; anything but success fails the test. */
async function les(argv: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await begin(argv, input).ended
  if (code !== 0) throw new Error(`les ${argv.join(' ')} ended with ${code}: ${stdout}\n${stderr}`)
  return stdout
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
    const address = await line(service, 'out', /^Lead Engagement Service at (http:\S+)/m)
    const key = await line(service, 'out', /API key\s+(cs_\S+)/)
    const password = await line(service, 'out', /sign in\s+demo@example\.com\s+password (\S+)/)

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
    expect(JSON.parse(await les(['doctor', '--json']))).toMatchObject({ ok: true })
    // What the demo follows goes on for hundreds of people, and nobody needs them here.
    await les(['profile', 'untrack', 'maya-lindqvist'])
    const own = (await les(['keys', 'create', '--name', 'laptop', '--jq', '.key'])).trim()
    expect(own).toMatch(/^cs_/)
    await les(['auth', 'login', '--profile', 'laptop', '--base-url', address], own)
    expect(JSON.parse(await les(['auth', 'status', '--json']))).toMatchObject({
      keyIs: 'valid',
      profiles: [
        { profile: 'default', current: false },
        { profile: 'laptop', current: true },
      ],
    })

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
    const hook = await line(listener, 'err', /^Listening on (http:\S+?);/m)
    await les(['profile', 'webhook', 'set', 'grace-okafor', '--webhook-url', hook])
    expect(
      JSON.parse(await les(['profile', 'push', 'grace-okafor', '--wait', '--timeout', '120', '--json'])),
    ).toMatchObject({ finished: true, counts: { delivered: 5 } })
    const { code, stdout } = await listener.ended
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each) as { verified: boolean; event: { event: string; lead: { id: string } } })
    expect(code).toBe(0)
    expect(events.map(({ verified, event }) => [verified, event.event])).toEqual(Array(5).fill([true, 'lead.detected']))
    expect(events.map(({ event }) => event.lead.id).sort()).toEqual(leads.map(({ id }) => id).sort())

    expect(
      JSON.parse(
        await les(['credits', 'usage', '--jq', '[.bySource[] | select(.label == "grace-okafor") | .credits]']),
      ),
    ).toEqual([5])
    await les(['profile', 'untrack', 'grace-okafor'])
    expect((await begin(['profile', 'webhook', 'get', 'grace-okafor']).ended).code).toBe(5)
  }, 400_000)
})
