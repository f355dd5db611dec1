import { afterEach, describe, expect, it } from 'vitest'
import { les, startStub, type Stub } from './shell.ts'

let stub: Stub | undefined
afterEach(() => stub?.close())

async function bodyOf(argv: string | readonly string[]): Promise<unknown> {
  stub = await startStub(() => ({ body: {} }))
  const { code, stderr } = await les(argv, { url: stub.url })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stub.received[0]!.body
}

const start = ['enrich', 'profile', '--username', 'jane']

describe('flags of commands', () => {
  it.each([
    [['--save-tracked-profile'], { saveTrackedProfile: true }],
    [['--no-save-tracked-profile'], { saveTrackedProfile: false }],
    [['--credit-cap-per-sync', '500'], { creditCapPerSync: 500 }],
    [['--credit-cap-per-sync', 'null'], { creditCapPerSync: null }],
    [['--credit-cap-per-sync', '-1'], { creditCapPerSync: -1 }],
    [['--credit-cap-per-sync=1.5'], { creditCapPerSync: 1.5 }],
    [
      ['--mode', 'posts_only', '--posts-per-sync', '61', '--confirm-spend'],
      { mode: 'posts_only', postsPerSync: 61, confirmSpend: true },
    ],
  ])('%j become %j, and what is not given is not sent [CLI-01, CLI-02]', async (flags, fields) => {
    expect(await bodyOf([...start, ...flags])).toEqual({ username: 'jane', ...fields })
  })

  it.each([
    ['null', null],
    ['', ''],
    ['https://hooks.example.com/x', 'https://hooks.example.com/x'],
  ])('--webhook-url %j is sent as %j [CLI-01]', async (text, value) => {
    expect(await bodyOf(['profile', 'webhook', 'set', 'jane', '--webhook-url', text, '--no-auto-send'])).toEqual({
      webhookUrl: value,
      autoSend: false,
    })
  })

  it.each([
    [['--is-icp'], { isIcp: 'true' }],
    [['--is-icp', 'false'], { isIcp: 'false' }],
    [['--is-icp', 'true'], { isIcp: 'true' }],
    [['--is-icp=false'], { isIcp: 'false' }],
    [['--no-is-icp=false'], { isIcp: 'true' }],
    [['--is-icp', '--no-is-icp'], { isIcp: 'false' }],
    [['--name', 'true', '--is-icp', 'FALSE'], { name: 'true', isIcp: 'false' }],
    [['--quiet', 'true', '--is-icp'], { isIcp: 'true' }],
  ])('leads list %j asks for %j: on or off is said in every common way [FIX-09]', async (flags, query) => {
    stub = await startStub(() => ({ body: { leads: [] } }))
    const { code } = await les(['leads', 'list', ...flags], { url: stub.url })
    expect([code, stub.received[0]!.query]).toEqual([0, query])
  })

  it.each([
    [['leads', 'list', '--all', 'false', '--json'], ''],
    [['leads', 'list', '--csv=false', '--json', '--no-all'], ''],
    [['keyword', 'list', '--include-inactive', 'false', '--json'], ''],
    [['keyword', 'list', '--include-inactive=true', '--json'], 'true'],
    [['leads', 'list', '--input=false', '--no-yes', '--debug', 'false', '--json'], ''],
  ])('%j: so are the flags of the client itself [FIX-09]', async (argv, inactive) => {
    stub = await startStub(() => ({ body: { leads: [], sources: [], total: 0 } }))
    const { code, stderr } = await les(argv, { url: stub.url })
    expect([code, stderr, stub.received[0]!.query.includeInactive ?? '']).toEqual([0, '', inactive])
  })

  it('a value of a list keeps its commas; ids may be separated by them [FIX-09]', async () => {
    const titles = ['agent', 'set', '--titles', 'VP, Sales', '--titles', 'CMO', '--company-sizes', '11-50,51-200']
    expect(await bodyOf(titles)).toEqual({ titles: ['VP, Sales', 'CMO'], companySizes: ['11-50', '51-200'] })
    await stub!.close()
    expect(await bodyOf('profile push jane --lead-ids a,b --lead-ids c')).toEqual({
      leadIds: ['a', 'b', 'c'],
    })
  })

  it('a text field that has no null takes the word as text', async () => {
    expect(await bodyOf('keys create --name null')).toEqual({ name: 'null' })
  })

  it('query fields go into the query, booleans as true and false', async () => {
    stub = await startStub(() => ({ body: { leads: [] } }))
    await les(['leads', 'list', '--limit', '10', '--no-is-icp', '--company', 'A & B', '--since', '2026-11-01'], {
      url: stub.url,
    })
    expect(stub.received[0]!.query).toEqual({ limit: '10', isIcp: 'false', company: 'A & B', since: '2026-11-01' })
  })

  it.each([
    [[...start, '--credit-cap-per-sync', 'many'], 'must be a number'],
    [[...start, '--mode', 'both'], 'must be one of engagers, posts_only'],
    [[...start, '--credit-cap', '5'], "unknown option '--credit-cap'"],
    [['enrich', 'profile'], "required option '--username <text>' not specified"],
    [['leads', 'list', '--is-icp=maybe'], '--is-icp takes true or false, or nothing: not maybe'],
    [['profile', 'sync'], "missing required argument 'username'"],
    [['profile', 'sync', 'a', 'b'], 'too many arguments'],
    [['profile'], 'Usage: les profile'],
    [['leads', 'lst'], "unknown command 'lst'"],
    [['credits', 'show', '--base-url', 'nowhere'], 'nowhere is not the address of a service'],
  ])('%j is a usage error and sends nothing', async (argv, message) => {
    stub = await startStub(() => ({ body: {} }))
    const { code, stdout, stderr } = await les(argv, { url: stub.url })
    expect({ code, stdout, sent: stub.received.length }).toEqual({ code: 2, stdout: '', sent: 0 })
    expect(stderr).toContain(message)
  })
})
