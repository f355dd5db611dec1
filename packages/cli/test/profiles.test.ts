/** Signing in, profiles and settings: one private file, and no key goes to another service. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { les, startStub, type Circumstances, type Outcome, type Stub } from './shell.ts'

let [stub, other]: Stub[] = []
let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'les-home-'))
  const serve = () =>
    startStub(({ headers }) =>
      String(headers['x-api-key']).startsWith('cs_good')
        ? { body: { balance: 9, used: 1, limit: 10, remaining: 9, plan: 'pro', nextReset: '2026-12-01T00:00:00.000Z' } }
        : { status: 401, body: { error: 'Invalid API key' } },
    )
  ;[stub, other] = [await serve(), await serve()]
})
afterEach(async () => {
  await Promise.all([stub!.close(), other!.close()])
  rmSync(home, { recursive: true })
})

const file = () => join(home, 'les', 'config.json')
/** Without a key and an address from the environment. */
const run = (argv: string | readonly string[], more: Circumstances = {}): Promise<Outcome> =>
  les(argv, { ...more, env: { XDG_CONFIG_HOME: home, LES_API_KEY: '', ...more.env } })
const login = (key: string, url: string, ...flags: string[]) =>
  run(['auth', 'login', '--base-url', url, ...flags], { stdin: `${key}\n` })
const keysSent = (service: Stub) => service.received.map(({ headers }) => headers['x-api-key'])

describe('settings of the environment', () => {
  it.each([
    '\uFEFFcs_good1',
    'cs_good1\u200B',
    '"cs_good1"',
    '\u201Ccs_good1\u201D',
    "'cs_good1'\r\n",
    '\u2060 cs_good1\u00AD',
  ])('a key written %j is taken without what is no part of it [WLD-23]', async (key) => {
    const env = { LES_API_KEY: key, LES_BASE_URL: `\uFEFF"${stub!.url}"\u200B` }
    expect(await run('credits show --json balance', { env })).toMatchObject({ code: 0 })
    expect((await login(key, `${stub!.url}\u200B`)).code).toBe(0)
    expect(keysSent(stub!)).toEqual(['cs_good1', 'cs_good1'])
  })

  it('a key with a character that no key has is refused in a sentence that does not show it [WLD-23]', async () => {
    const env = { LES_API_KEY: 'cs_göod1', LES_BASE_URL: stub!.url }
    const { code, stderr } = await run('credits show', { env })
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('LES_API_KEY holds a character that no key has (U+00F6)'),
    ])
    expect([stderr.includes('od1'), stub!.received]).toEqual([false, []])
    const odd = await run('keys create --name x --idempotency-key ключ', { env })
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('must be letters, digits and plain signs')])
  })

  it('without an address the service started in this folder is found, and a stranger’s address is not believed [FIX-11]', async () => {
    const env = { LES_DATA_DIR: home, LES_API_KEY: 'cs_good1' }
    const note = (url: string, pid = process.pid) =>
      writeFileSync(join(home, 'address.json'), JSON.stringify({ url, pid }))
    note(stub!.url)
    expect(await run('credits show --json balance', { env })).toMatchObject({ code: 0 })
    expect((await run('auth status --json', { env })).stdout).toContain(stub!.url)
    for (const [url, pid] of [
      ['http://leads.example.com:80', process.pid],
      ['http://127.0.0.1:80@example.com:80', process.pid],
      [stub!.url, 2 ** 22 + 1],
    ] as const) {
      note(url, pid)
      expect((await run('auth status --json', { env })).stdout).toContain('http://127.0.0.1:8080')
    }
    const nobody = await run('credits show --base-url http://127.0.0.1:9', { env })
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      expect.stringContaining('no service answers there on this machine; start it with npm start'),
    ])
  })
})

describe('les auth login', () => {
  it('reads the key from standard input, tries it, and keeps it in a file of mode 0600 in a folder of mode 0700', async () => {
    const outcome = await login('cs_good1234', stub!.url)
    expect(outcome).toMatchObject({ code: 0, stdout: `signed in\tdefault\t${stub!.url}\n` })
    expect([statSync(file()).mode & 0o777, statSync(join(home, 'les')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain('good1234')
    expect(await run('credits show --json balance')).toMatchObject({ code: 0, stdout: '{"balance":9}\n' })
    expect(keysSent(stub!)).toEqual(['cs_good1234', 'cs_good1234'])
  })

  it('asks at a terminal, on standard error', async () => {
    const asked: string[] = []
    expect(
      (await run(['auth', 'login', '--base-url', stub!.url], { tty: true, answers: ['cs_good_typed'], asked })).code,
    ).toBe(0)
    expect([asked.length, readFileSync(file(), 'utf8').includes('cs_good_typed')]).toEqual([1, true])
  })

  it('stores nothing that the service does not take, and nothing that is no key', async () => {
    expect((await login('cs_bad', stub!.url)).code).toBe(4)
    expect((await login('', stub!.url)).code).toBe(2)
    expect((await login('two words', stub!.url)).code).toBe(2)
    expect((await run(['auth', 'login', '--base-url', stub!.url, '--no-input'], { tty: true })).code).toBe(2)
    expect((await run(['auth', 'login', '--base-url', stub!.url], { tty: true, answers: [undefined] })).code).toBe(130)
    expect(existsSync(file())).toBe(false)
  })

  it('closes a folder that others could read', async () => {
    await login('cs_good1', stub!.url)
    chmodSync(join(home, 'les'), 0o755)
    await login('cs_good2', stub!.url)
    expect(statSync(join(home, 'les')).mode & 0o777).toBe(0o700)
  })
})

describe('profiles', () => {
  beforeEach(async () => {
    expect([
      (await login('cs_good_one', stub!.url)).code,
      (await login('cs_good_two', other!.url, '--profile', 'two')).code,
    ]).toEqual([0, 0])
    stub!.received.length = 0
    other!.received.length = 0
  })

  it('a new one is made by signing in, and is the current one from then on; switch chooses another', async () => {
    expect((await run('credits show')).code).toBe(0)
    expect(await run('auth switch default')).toMatchObject({ code: 0, stdout: 'switched\tdefault\n' })
    expect((await run('credits show')).code).toBe(0)
    expect([keysSent(other!), keysSent(stub!)]).toEqual([['cs_good_two'], ['cs_good_one']])
    expect((await run('auth switch three')).code).toBe(2)
  })

  it('flags go before the environment, the environment before the current profile', async () => {
    const env = { LES_API_KEY: 'cs_good_env', LES_BASE_URL: stub!.url }
    await run('credits show', { env })
    await run('credits show --profile two', { env })
    await run('credits show', { env: { LES_PROFILE: 'default' } })
    expect([keysSent(stub!), keysSent(other!)]).toEqual([['cs_good_env', 'cs_good_one'], ['cs_good_two']])
    expect((await run('credits show --profile none')).code).toBe(2)
  })

  it('the key of a profile is not sent to another service', async () => {
    for (const outcome of [
      await run(['credits', 'show', '--base-url', stub!.url]),
      await run('credits show', { env: { LES_BASE_URL: stub!.url } }),
    ]) {
      expect(outcome.code).toBe(2)
      expect(outcome.stderr).toContain(`profile two belongs to ${other!.url}`)
    }
    expect([keysSent(stub!), keysSent(other!)]).toEqual([[], []])
  })

  it('status shows them with masked keys and tries the one that is used', async () => {
    const { code, stdout } = await run('auth status --json')
    expect({ code, status: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      status: {
        keyIs: 'valid',
        profiles: [
          { profile: 'default', current: false, baseUrl: stub!.url, key: 'cs_goo********', keyFrom: 'profile' },
          { profile: 'two', current: true, baseUrl: other!.url, key: 'cs_goo********', keyFrom: 'profile' },
        ],
      },
    })
    const fromEnvironment = await run('auth status', { env: { LES_API_KEY: 'cs_bad', LES_BASE_URL: stub!.url } })
    expect(fromEnvironment.code).toBe(4)
    expect(fromEnvironment.stdout.split('\n')[0]).toBe(`*\t(environment)\t${stub!.url}\t${'cs_bad********'}\tnot valid`)
  })

  it('logout removes the profile and its key', async () => {
    expect(await run('auth logout')).toMatchObject({ code: 0, stdout: 'signed out\ttwo\n' })
    expect(readFileSync(file(), 'utf8')).not.toContain('cs_good_two')
    expect((await run('credits show')).code).toBe(0)
    expect(keysSent(stub!)).toEqual(['cs_good_one'])
    await run('auth logout')
    expect(await run('credits show')).toMatchObject({ code: 4 })
    expect((await run('auth status')).code).toBe(4)
    expect((await run('auth logout')).code).toBe(2)
  })

  it('a file that others can read is told of; one that is no JSON is refused', async () => {
    chmodSync(file(), 0o644)
    expect((await run('credits show')).stderr).toContain('others can read your key')
    writeFileSync(file(), '{')
    expect(await run('credits show')).toMatchObject({ code: 2 })
  })
})

describe('what a service has given', () => {
  const session = { token: 'secret-token', teamId: 'team-1', teamName: 'North' }
  const given = { apiKey: 'cs_good1', session }
  const profile = () => JSON.parse(readFileSync(file(), 'utf8')).profiles.default
  beforeEach(async () => {
    await login('cs_good1', stub!.url)
    writeFileSync(
      file(),
      JSON.stringify({ current: 'default', profiles: { default: { ...given, baseUrl: stub!.url } } }),
    )
  })

  it('stays with it: a profile that goes to another takes neither its key nor its session along', async () => {
    await login('cs_good2', other!.url)
    expect(profile()).toEqual({ baseUrl: other!.url, apiKey: 'cs_good2' })
  })

  it('is kept by a profile that gets another key of the same', async () => {
    await login('cs_good2', stub!.url)
    expect(profile()).toEqual({ baseUrl: stub!.url, apiKey: 'cs_good2', session })
  })

  it('goes with its address, also when that goes back to the usual one, and not when it is set again', async () => {
    await run(['config', 'set', 'base-url', `${stub!.url}/`])
    expect(profile()).toEqual({ baseUrl: stub!.url, ...given })
    await run('config unset base-url')
    expect(profile()).toEqual({})
    writeFileSync(file(), JSON.stringify({ current: 'default', profiles: { default: given } }))
    await run('config unset base-url')
    expect(profile()).toEqual(given)
    await run('config set base-url http://127.0.0.1:8080')
    expect(profile()).toEqual({ baseUrl: 'http://127.0.0.1:8080', ...given })
    await run(['config', 'set', 'base-url', other!.url])
    expect(profile()).toEqual({ baseUrl: other!.url })
  })
})

describe('les config', () => {
  it('wait true waits for background work unless --no-wait', async () => {
    await stub!.close()
    stub = await startStub(({ method }) =>
      method === 'POST'
        ? { body: { jobId: 'j' } }
        : { body: { jobId: 'j', status: 'completed', balance: 1, plan: 'pro' } },
    )
    await login('cs_good1', stub.url)
    await run('config set wait true')
    stub.received.length = 0
    await run('enrich company --username acme')
    await run('enrich company --username acme --no-wait')
    expect(stub.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST'])
  })
})
