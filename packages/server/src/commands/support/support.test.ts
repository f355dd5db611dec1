import { expect, it } from 'vitest'
import type { Config } from '../../config/config.ts'
import { networkVendorIds, perNetworkVendor } from '../../config/network-vendors.ts'
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

it('of a log line stay the message before a colon, known fields of one word, and where an error arose', () => {
  const clean = openRedact([])
  const line = {
    level: 'error',
    time: '2026-11-21T09:00:00.000Z',
    msg: 'sign-in: no user jane@example.com',
    kind: 'sync',
    status: 500,
    requestId: 'whatever a caller sent',
    operation: 'two words',
    body: 'Jane Doe',
    error: { name: 'TypeError', message: 'Jane Doe', stack: 'TypeError: Jane Doe\nof Acme\n    at work (file.ts:1:2)' },
  }
  expect(safeLine(JSON.stringify(line), clean)).toEqual({
    level: 'error',
    time: '2026-11-21T09:00:00.000Z',
    kind: 'sync',
    status: 500,
    msg: 'sign-in',
    error: { name: 'TypeError', at: ['at work (file.ts:1:2)'] },
  })
  for (const text of ['Jane Doe', '"Jane"', 'null', '{"msg":7}']) expect(safeLine(text, clean)).toBeNull()
})

it('of the log of PostgreSQL stays what tells of the server: no details, no statements, nothing in quotes', () => {
  const clean = openRedact([])
  expect(safePostgresLine('09:00 UTC [7] LOG:  checkpoint complete: wrote 7 buffers', clean)).toContain('checkpoint')
  expect(safePostgresLine('09:00 UTC [7] ERROR:  invalid input syntax for type uuid: "Jane"', clean)).not.toMatch(
    /Jane/,
  )
  for (const line of [
    '09:00 UTC [7] DETAIL:  Key (name)=(Jane) exists',
    "09:00 UTC [7] STATEMENT:  select 'Jane'",
    '09:00 UTC [7] LOG:  statement: select Jane',
    '\tJane',
  ])
    expect(safePostgresLine(line, clean)).toBeNull()
})
