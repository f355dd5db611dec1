import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { les, startStub, type Circumstances, type Stub } from './shell.ts'

type Check = { check: string; state: string; detail: string }
type State = { health: number; key: number; lastRun: string | null; sources: number; balance: number; date?: string }

/** The stopped clock of the tests, also sent in the Date header. */
const nowMs = Date.UTC(2026, 10, 21, 9, 0, 0)

let home: string
let stub: Stub
let state: State
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'les-doctor-'))
  state = { health: 200, key: 200, lastRun: 'exhausted', sources: 1, balance: 5 }
  stub = await startStub(({ path }) => {
    const headers = {
      date: state.date ?? new Date(nowMs).toUTCString(),
      'x-ratelimit-remaining': '119',
      'x-ratelimit-limit': '120',
    }
    if (path === '/readyz')
      return {
        status: state.health,
        body: { status: 'ready', database: state.health === 200 ? 'ok' : 'unreachable', sandbox: true },
        headers,
      }
    if (state.key !== 200) return { status: state.key, body: { error: 'No' }, headers }
    if (path.endsWith('/webhook'))
      return { body: { signingSecret: `whsec_${Buffer.from('key').toString('base64')}` }, headers }
    if (path.endsWith('/sources'))
      return {
        body: {
          sources: Array.from({ length: state.sources }, () => ({
            id: 's',
            username: 'jane',
            status: 'active',
            lastRun: { stoppedBy: state.lastRun },
          })),
        },
        headers,
      }
    return { body: { balance: state.balance, plan: 'pro', nextReset: '2026-12-01T00:00:00.000Z' }, headers }
  })
})
afterEach(async () => {
  await stub.close()
  rmSync(home, { recursive: true })
})

async function look(
  more: Circumstances = {},
): Promise<{ code: number; stderr: string; checks: Record<string, Check> }> {
  const { code, stdout, stderr } = await les('doctor --json', {
    url: stub.url,
    now: nowMs,
    ...more,
    env: { XDG_CONFIG_HOME: home, ...more.env },
  })
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  return { code, stderr, checks: Object.fromEntries(checks.map((each) => [each.check, each])) }
}

describe('les doctor', () => {
  it('finds nothing wrong where nothing is, down to a signed event received on this machine', async () => {
    const { code, checks } = await look()
    expect(code).toBe(0)
    expect(Object.entries(checks).map(([name, check]) => [name, check.state])).toEqual(
      ['version', 'node', 'config', 'service', 'clock', 'key', 'quota', 'vendors', 'webhooks'].map((name) => [
        name,
        'ok',
      ]),
    )
    expect(checks.quota!.detail).toContain('5 credits on plan pro')
    expect(checks.quota!.detail).toContain('119 of 120 reads left')
    expect(checks.vendors!.detail).toContain('sandbox network')
    expect(checks.webhooks!.detail).toContain("signed with your team's secret came back verified")
    expect(checks.webhooks!.detail).toContain('LES_ALLOW_PRIVATE_DESTINATIONS=1')
  })

  it.each<[string, string, string, () => Partial<State>]>([
    ['service', 'failed', 'its database is unreachable', () => ({ health: 503 })],
    ['clock', 'failed', 'ahead of the service', () => ({ date: new Date(nowMs - 61_000).toUTCString() })],
    ['clock', 'failed', 'behind the service', () => ({ date: new Date(nowMs + 61_000).toUTCString() })],
    ['clock', 'ok', '60 s apart', () => ({ date: new Date(nowMs - 60_000).toUTCString() })],
    ['clock', 'ok', '60 s apart', () => ({ date: new Date(nowMs + 60_000).toUTCString() })],
    ['key', 'failed', '401 No', () => ({ key: 401 })],
    ['quota', 'failed', '403 No', () => ({ key: 403 })],
    ['quota', 'warning', 'nothing is captured without credits', () => ({ balance: 0 })],
    ['vendors', 'warning', '1 of 1 active sources', () => ({ lastRun: 'error' })],
    ['webhooks', 'ok', 'nothing is tracked yet', () => ({ sources: 0 })],
  ])('%s %s: %s', async (name, expected, words, change) => {
    Object.assign(state, change())
    const { code, stderr, checks } = await look()
    expect(checks[name]).toMatchObject({ state: expected, detail: expect.stringContaining(words) as string })
    expect(code).toBe(Object.values(checks).some((check) => check.state === 'failed') ? 1 : 0)
    if (expected === 'failed') expect(stderr).toMatch(new RegExp(`checks failed: .*${name}`))
  })

  it('says what it could not look at without a key, or without the service', async () => {
    const withoutKey = await look({ env: { LES_API_KEY: '' } })
    expect([
      withoutKey.code,
      withoutKey.checks.key!.state,
      withoutKey.checks.quota!.state,
      withoutKey.checks.webhooks!.state,
    ]).toEqual([1, 'failed', 'skipped', 'ok'])
    const { url } = stub
    const nowhere = await look({ url: url.replace(/\d+$/, '1') })
    expect([
      nowhere.code,
      nowhere.checks.service!.state,
      nowhere.checks.clock!.state,
      nowhere.checks.key!.state,
    ]).toEqual([1, 'failed', 'skipped', 'skipped'])
  })

  it('finds a profile file that others can read', async () => {
    mkdirSync(join(home, 'les'), { mode: 0o700 })
    writeFileSync(join(home, 'les', 'config.json'), '{}')
    chmodSync(join(home, 'les', 'config.json'), 0o640)
    const { code, checks } = await look()
    expect([code, checks.config]).toEqual([
      1,
      { check: 'config', state: 'failed', detail: expect.stringContaining('mode 0640') as string },
    ])
  })

  it('is rows with tabs for scripts', async () => {
    const { stdout } = await les('doctor', { url: stub.url, now: nowMs, env: { XDG_CONFIG_HOME: home } })
    expect(stdout.split('\n')[0]).toBe('ok\tversion\tles 1.0.0, interface 1.0.0')
  })
})
