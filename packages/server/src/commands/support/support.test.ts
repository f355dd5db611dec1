import { expect, it } from 'vitest'
import type { Config } from '../../config/config.ts'
import { networkVendorIds, perNetworkVendor } from '../../config/network-vendors.ts'
import { openFrames } from './frames.ts'
import { safeLine, safePostgresLine } from './logs.ts'
import { openRedact, redactAll } from './redact.ts'
import { secretsOf, shownSettings } from './settings.ts'

const planted = (what: string) => `planted-${what}-7f3a`

const config: Config = {
  port: 3000,
  host: '127.0.0.1',
  roles: ['http'],
  databaseUrl: `postgres://${planted('user')}:${planted('p%40ss')}@db.example.com/${planted('database')}`,
  dataDir: `/home/${planted('person')}`,
  masterKey: Buffer.from(planted('master-key').padEnd(32).slice(0, 32)),
  operatorToken: planted('operator-token'),
  securityContact: `mailto:${planted('contact')}@example.com`,
  vendors: {
    kind: 'real',
    harvestapi: { url: `https://vendor.example.com/${planted('path')}`, key: planted('vendor-key') },
    linkdapi: { url: `https://other.example.com/?key=${planted('query')}`, key: planted('other-key') },
    outreach: `https://o.example.com/${planted('outreach')}`,
    ai: {
      openai: `https://${planted('ai-user')}:x@ai.example.com/v1`,
      anthropic: 'https://a.example.com',
      google: 'https://g.example.com',
      mistral: 'https://m.example.com',
    },
  },
  allowPrivateDestinations: false,
  signUp: 'invited',
  agentEnabled: true,
  operators: [`${planted('operators')}@example.com`],
  keywordCutoverAt: null,
  clock: { mode: 'system' },
  faults: false,
  seedDemo: false,
  metricsPort: 9464,
  operatorPort: null,
  logLevel: 'info',
  publicUrl: 'https://leads.example.com',
  trustedProxies: ['10.0.0.0/8'],
  mail: { url: `smtps://${planted('mail')}:${planted('mail-password')}@m.example.com`, from: planted('from@x.com') },
  serving: {
    dailyDollars: { harvestapi: 5 },
    fallbackPages: 30,
    aiDailyDollars: null,
    creditDollars: null,
    operatorMail: `${planted('operator')}@example.com`,
  },
  tracing: {
    url: `https://t.example.com/${planted('trace-path')}`,
    headers: { authorization: planted('trace-header') },
    serviceName: planted('service-name'),
    resource: { team: planted('resource') },
    sampling: { followCaller: true, share: 1 },
  },
}

it('settings are shown without secrets, names of people, and what stands behind a host', () => {
  const text = JSON.stringify(shownSettings(config))
  expect(text).not.toContain('planted')
  expect(text).toContain('https://vendor.example.com')
  expect(text).toContain('"masterKey":"set"')
})

it('every secret of the settings is blanked wherever it turns up, also in base64, and so are mail addresses and folders', async () => {
  const clean = openRedact(await secretsOf(config), { [config.dataDir]: '<data folder>' })
  const secrets = ['operator-token', 'vendor-key', 'other-key', 'mail-password', 'trace-header', 'p%40ss', 'p@ss']
  for (const secret of [...secrets.map(planted), config.masterKey!.toString('base64')])
    for (const text of [secret, Buffer.from(secret).toString('base64')])
      expect(clean(`failed with ${text} there`), secret).not.toContain(text.slice(0, 12))
  expect(redactAll({ [planted('vendor-key')]: [`mail jane@example.com at ${config.dataDir}/x`] }, clean)).toEqual({
    '[removed]': ['mail [mail address] at <data folder>/x'],
  })
})

it('the key of every data vendor there is counts as a secret, and its address is shown', async () => {
  const vendors = perNetworkVendor((id) => ({ url: `https://${id}.example.com/x`, key: planted(id) }))
  const every = { ...config, vendors: { ...config.vendors, kind: 'real', ...vendors } } as Config
  expect(await secretsOf(every)).toEqual(expect.arrayContaining(networkVendorIds.map(planted)))
  const shown = shownSettings(every).vendors as Readonly<Record<string, unknown>>
  for (const id of networkVendorIds) expect(shown[id]).toEqual({ address: `https://${id}.example.com`, key: 'set' })
})

const reading = { clean: openRedact([]), framesOf: openFrames() }
const here = 'packages/server/src/commands/support/support.test.ts'

it('of a log line stay the message before a colon, known fields of one word, and where an error arose', () => {
  const error = new TypeError('Jane Doe\nof Acme')
  const line = {
    level: 'error',
    time: '2026-11-21T09:00:00.000Z',
    msg: 'sign-in: no user jane@example.com',
    kind: 'sync',
    status: 500,
    requestId: 'whatever a caller sent',
    operation: 'two words',
    body: 'Jane Doe',
    error: { name: error.name, message: error.message, stack: error.stack },
  }
  const shown = safeLine(JSON.stringify(line), reading)!
  expect(shown).toEqual({
    level: 'error',
    time: '2026-11-21T09:00:00.000Z',
    kind: 'sync',
    status: 500,
    msg: 'sign-in',
    error: { name: 'TypeError', at: expect.any(Array) as unknown },
  })
  expect((shown.error as { at: string[] }).at[0]).toMatch(new RegExp(`^at (?:\\S+ \\()?${here}:\\d+:\\d+\\)?$`))
  for (const text of ['Jane Doe', '"Jane"', 'null', '{"msg":7}']) expect(safeLine(text, reading)).toBeNull()
})

it('lines of a message that look like places tell nothing: only files, lines and names of this program count', () => {
  const file = `file://${import.meta.dirname}/frames.ts`
  const hostile = [
    'at hunter2 and more',
    '    at hunter2',
    '    at hunter2 (file:///home/jane/hunter2.ts:1:2)',
    '    at /home/jane/hunter2.ts:1:2',
    '    at node:internal/hunter2:1:2',
    '    at hunter2 (node:internal/process/task_queues:1:2)',
    `    at async jane.hunter2 (${file}:1:1)`,
    `    at Object.openFrames [as hunter2] (${file}:1:1)`,
    `    at openFrames hunter2 (${file}:2:1)`,
    `    at h.u.n.t.e.r.2 (${file}:2:1)`,
    `    at openFrames (${file}:1:1) hunter2`,
    `    at openFrames (${file}:4111111:1)`,
    `    at openFrames (${file}:1:4111111)`,
    `    at openFrames (${file}hunter2:1:1)`,
    `    at openFrames (${file}/../../../../../../../etc/hunter2.ts:1:1)`,
    '    at x (file:///%zz/hunter2.ts:1:1)',
  ]
  const error = new Error(`failed\n${hostile.join('\n')}`)
  const wrapped = { name: 'hunter2', message: error.message, stack: error.stack }
  const text = JSON.stringify(safeLine(JSON.stringify({ level: 'error', msg: 'it\nhunter2', error: wrapped }), reading))
  expect(text).not.toMatch(/hunter2|4111111|jane|h\.u\.n/)
  expect(text).toContain('at packages/server/src/commands/support/frames.ts:1:1')
  expect(text).toMatch(/"msg":"it"/)
})

it('a text of thirty thousand characters of anything in the place of a stack is read in a moment', () => {
  for (const unit of ['    at ', '(', '/', 'a.', '    at a (/', '    at x (file:///a:1:1)\n', '\\'])
    expect(reading.framesOf(unit.repeat(30_000 / unit.length))).toEqual([])
})

it('of the log of PostgreSQL stays what tells of the server: no details, no statements, nothing behind a quote', () => {
  const before = '2026-11-21 09:00:00.123 UTC [7]'
  const shown = (line: string) => safePostgresLine(line, reading)
  expect(shown(`${before} LOG:  checkpoint complete: wrote 7 buffers (0.0%), 0 WAL file(s) added`)).toMatch(
    /wrote 7 buffers , 0 WAL file added$/,
  )
  for (const said of [
    'invalid input syntax for type uuid: "Jane"',
    'invalid input syntax for type uuid: "a" Jane "b"',
    'invalid input syntax for type uuid: "a',
    'ungültige Eingabe: »x« „Jane“',
    'no such row (Jane)',
  ])
    expect(shown(`${before} ERROR:  ${said}`), said).not.toMatch(/Jane|"a/)
  for (const line of [
    `${before} DETAIL:  Key (name)=(Jane) exists`,
    `${before} STATEMENT:  select 'Jane'`,
    `${before} LOG:  statement: select Jane`,
    `${before} DETAIL:  Failing row contains (1, x ERROR:  Jane).`,
    `${before} STATEMENT:  select 1 -- LOG:  Jane`,
    '\tJane',
    '\tLOG:  Jane',
    `\t${before} LOG:  Jane`,
  ])
    expect(shown(line), line).toBeNull()
})
