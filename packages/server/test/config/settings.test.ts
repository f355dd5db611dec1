/** The settings: read once, all mistakes reported together, and the choice between sandbox and real vendors (G2). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { vendorDefaults, type VendorSettings } from '../../src/config/config.ts'
import { atTerminal, ConfigError, readConfig } from '../../src/config/env.ts'
import { known } from '../../src/config/known.ts'

type Environment = Record<string, string>

const folder = mkdtempSync(join(tmpdir(), 'les-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const key = Buffer.alloc(32, 7).toString('base64')
const external = { DATABASE_URL: 'postgres://u:p@db.example:5432/les', LES_MASTER_KEY: key }
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
function mistakesOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    for (const mistake of (error as ConfigError).mistakes) expect((error as Error).message).toContain(mistake)
    return (error as ConfigError).mistakes
  }
  return []
}

describe('settings', () => {
  it('nothing set is a whole service on the embedded database and the sandbox, on loopback', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      roles: ['http', 'worker', 'clock'],
      databaseUrl: null,
      dataDir: resolve('./.data'),
      masterKey: null,
      operatorToken: null,
      securityContact: null,
      vendors: { kind: 'sandbox' },
      allowPrivateDestinations: false,
      signUp: 'open',
      agentEnabled: true,
      keywordCutoverAt: new Date('2026-11-01T00:00:00Z'),
      clock: { mode: 'system' },
      faults: false,
      seedDemo: true,
      metricsPort: null,
      operatorPort: null,
      logLevel: 'info',
      publicUrl: null,
      trustedProxies: [],
      mail: null,
      operators: [],
      serving: { dailyDollars: {}, fallbackPages: 30, creditDollars: null, operatorMail: null },
      keepDays: {},
    })
    expect(Object.isFrozen(readConfig({}))).toBe(true)
    // An empty variable counts as unset, and variables of other programs are ignored.
    expect(
      readConfig({ PORT: '', LES_ROLES: '', LES_HARVESTAPI_KEY: '', DATABASE_URL: '', PATH: '/bin', LESS: 'x' }),
    ).toEqual(readConfig({}))
  })

  it('every setting is read', () => {
    expect(
      readConfig({
        ...external,
        DATABASE_DIRECT_URL: 'postgres://u:p@db.example:6432/les',
        PORT: '0',
        HOST: '::1',
        LES_DATA_DIR: '/srv/les',
        LES_ROLES: ' worker, clock ,worker',
        LES_OPERATOR_TOKEN: 'a token of twenty-four b.',
        LES_SECURITY_CONTACT: 'security@example.com',
        LES_HARVESTAPI_KEY: 'h',
        LES_LINKDAPI_KEY: 'l',
        LES_LINKDAPI_URL: 'http://linkd.example/',
        LES_ALLOW_PRIVATE_DESTINATIONS: '1',
        LES_SIGN_UP: 'off',
        LES_REDIRECT_SCHEMES: 'cursor, zed',
        LES_OPERATORS: 'Ops@example.com, two@example.com',
        LES_FAULTS: '1',
        LES_CLOCK: 'manual',
        LES_CLOCK_START: '2026-11-21T09:00:00Z',
        LES_METRICS_PORT: '9100',
        LES_OPERATOR_PORT: '9101',
        LES_LOG_LEVEL: 'warn',
        LES_SEED_DEMO: '0',
        LES_AGENT: 'off',
        LES_KEYWORD_CUTOVER_AT: 'none',
        LES_OUTREACH_URL: 'https://o.example/api/public',
        LES_OPENAI_URL: 'https://ai.example/v1',
        LES_HUBSPOT_URL: 'https://crm.example/',
        LES_SALESFORCE_URL: 'http://127.0.0.1:9/sf',
        LES_PUBLIC_URL: 'https://Leads.example.com/',
        LES_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
        LES_SMTP_URL: 'smtps://u:p@mail.example.com',
        LES_MAIL_FROM: 'Leads <leads@example.com>',
        LES_KEEP_DAYS: 'jobs=14, audit=800',
      }),
    ).toEqual({
      port: 0,
      host: '::1',
      roles: ['worker', 'clock'],
      databaseUrl: external.DATABASE_URL,
      databaseDirectUrl: 'postgres://u:p@db.example:6432/les',
      dataDir: '/srv/les',
      masterKey: Buffer.alloc(32, 7),
      operatorToken: 'a token of twenty-four b.',
      securityContact: 'mailto:security@example.com',
      vendors: {
        kind: 'real',
        harvestapi: { url: vendorDefaults.harvestapi, key: 'h' },
        linkdapi: { url: 'http://linkd.example', key: 'l' },
        outreach: 'https://o.example/api/public',
        ai: {
          openai: 'https://ai.example/v1',
          anthropic: vendorDefaults.anthropic,
          google: vendorDefaults.google,
          mistral: vendorDefaults.mistral,
        },
      },
      destinations: { hubspot: 'https://crm.example', salesforce: 'http://127.0.0.1:9/sf' },
      allowPrivateDestinations: true,
      signUp: 'off',
      redirectSchemes: ['cursor', 'zed'],
      agentEnabled: false,
      keywordCutoverAt: null,
      clock: { mode: 'manual', start: new Date('2026-11-21T09:00:00Z') },
      faults: true,
      seedDemo: false,
      metricsPort: 9100,
      operatorPort: 9101,
      logLevel: 'warn',
      publicUrl: 'https://leads.example.com',
      trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
      mail: { url: 'smtps://u:p@mail.example.com', from: 'Leads <leads@example.com>' },
      operators: ['ops@example.com', 'two@example.com'],
      serving: { dailyDollars: {}, fallbackPages: 30, creditDollars: null, operatorMail: null },
      keepDays: { jobs: 14, audit: 800 },
    })
  })

  it.each<[Environment, string[]]>([
    ...['80a', '65536', '-1', '1.5', '8 0'].map((PORT): [Environment, string[]] => [{ PORT }, ['PORT']]),
    [{ LES_METRICS_PORT: 'x' }, ['LES_METRICS_PORT']],
    [{ LES_OPERATOR_PORT: '70000' }, ['LES_OPERATOR_PORT']],
    [{ LES_ROLES: 'http,wroker' }, ['LES_ROLES']],
    [{ LES_ROLES: ',' }, ['LES_ROLES']],
    [{ LES_FAULTS: 'true' }, ['LES_FAULTS']],
    [{ LES_KEEP_DAYS: 'jobs' }, ['LES_KEEP_DAYS']],
    [{ LES_REDIRECT_SCHEMES: 'cursor://' }, ['LES_REDIRECT_SCHEMES']],
    [{ LES_REDIRECT_SCHEMES: 'cursor,javascript' }, ['LES_REDIRECT_SCHEMES']],
    [{ LES_REDIRECT_SCHEMES: 'https' }, ['LES_REDIRECT_SCHEMES']],
    [{ LES_REDIRECT_SCHEMES: 'Cursor' }, ['LES_REDIRECT_SCHEMES']],
    [{ LES_KEEP_DAYS: 'people-of-nobody=30' }, ['LES_KEEP_DAYS']],
    [{ LES_KEEP_DAYS: 'audit=1' }, ['LES_KEEP_DAYS']],
    [{ LES_SANDBOX: 'yes' }, ['LES_SANDBOX']],
    [{ LES_SEED_DEMO: '2' }, ['LES_SEED_DEMO']],
    [{ LES_ALLOW_PRIVATE_DESTINATIONS: 'on' }, ['LES_ALLOW_PRIVATE_DESTINATIONS']],
    [{ LES_MASTER_KEY: 'short' }, ['LES_MASTER_KEY']],
    [{ LES_MASTER_KEY: Buffer.alloc(33).toString('base64') }, ['LES_MASTER_KEY']],
    [{ LES_CLOCK: 'fast' }, ['LES_CLOCK']],
    [{ LES_CLOCK_START: '2026-11-21' }, ['LES_CLOCK_START needs']],
    [{ LES_CLOCK: 'manual', LES_CLOCK_START: 'tomorrow' }, ['LES_CLOCK_START']],
    [{ LES_LOG_LEVEL: 'loud' }, ['LES_LOG_LEVEL']],
    [{ LES_PUBLIC_URL: 'leads.example.com' }, ['LES_PUBLIC_URL']],
    [{ LES_PUBLIC_URL: 'https://leads.example.com/app' }, ['LES_PUBLIC_URL']],
    [{ LES_PUBLIC_URL: 'https://u:p@leads.example.com' }, ['LES_PUBLIC_URL']],
    [{ LES_PUBLIC_URL: 'http://leads.example.com' }, ['LES_PUBLIC_URL']],
    [{ LES_TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, ['LES_TRUSTED_PROXIES']],
    [{ LES_TRUSTED_PROXIES: '10.0.0.0/33' }, ['LES_TRUSTED_PROXIES']],
    [{ LES_TRUSTED_PROXIES: '10' }, ['LES_TRUSTED_PROXIES']],
    [{ LES_SMTP_URL: 'smtp://mail.example.com' }, ['LES_SMTP_URL']],
    [{ LES_SMTP_URL: 'https://mail.example.com', LES_MAIL_FROM: 'a@example.com' }, ['LES_SMTP_URL']],
    [{ LES_MAIL_FROM: 'nobody' }, ['LES_MAIL_FROM']],
    [{ LES_MAIL_FROM: 'a@example.com\r\nBcc: b@example.com' }, ['LES_MAIL_FROM']],
    [{ LES_AGENT: '1' }, ['LES_AGENT']],
    [{ LES_KEYWORD_CUTOVER_AT: 'never' }, ['LES_KEYWORD_CUTOVER_AT']],
    [{ LES_HARVESTAPI_KEY: 'h', LES_HARVESTAPI_URL: 'api.example' }, ['LES_HARVESTAPI_URL']],
    [{ LES_HARVESTAPI_KEY: 'h', LES_LINKDAPI_URL: 'ftp://x' }, ['LES_LINKDAPI_URL']],
    [{ LES_HARVESTAPI_KEY: 'h', LES_OPENAI_URL: 'x' }, ['LES_OPENAI_URL']],
    [{ LES_PROT: '1' }, ['LES_PROT']],
    [{ LES_PROT_FILE: '1' }, ['LES_PROT_FILE']],
    [{ LES_: '' }, ['LES_ ']],
    [{ DATABASE_URL: 'mysql://x/y', LES_MASTER_KEY: key, LES_SANDBOX: '1' }, ['DATABASE_URL']],
    [{ ...external, LES_SANDBOX: '1', LES_MASTER_KEY: '' }, ['LES_MASTER_KEY is required']],
    [{ DATABASE_DIRECT_URL: external.DATABASE_URL }, ['DATABASE_DIRECT_URL is set without']],
    [{ LES_SIGN_UP: 'everybody' }, ['LES_SIGN_UP']],
    [{ DATABASE_URL: 'nonsense' }, ['DATABASE_URL must', 'DATABASE_URL is set but', 'LES_MASTER_KEY is required']],
  ])('%j is a mistake that names the setting', (env, named) => {
    const mistakes = mistakesOf(env)
    expect(mistakes).toHaveLength(named.length)
    for (const name of named) expect(mistakes.some((mistake) => mistake.startsWith(name))).toBe(true)
  })

  it('all mistakes are listed at once', () => {
    const wrong: Environment = {
      PORT: 'a',
      LES_METRICS_PORT: 'b',
      LES_ROLES: 'c',
      LES_FAULTS: 'd',
      LES_CLOCK: 'e',
      LES_CLOCK_START: 'f',
      LES_MASTER_KEY: 'g',
      LES_ALLOW_PRIVATE_DESTINATIONS: 'h',
      LES_SANDBOX: 'i',
      LES_SEED_DEMO: 'j',
      LES_LOG_LEVEL: 'k',
      LES_AGENT: 'l',
      LES_KEYWORD_CUTOVER_AT: 'm',
      LES_TYPO: 'n',
      LES_HARVESTAPI_URL: 'o',
    }
    const mistakes = mistakesOf(wrong)
    expect(Object.keys(wrong).filter((name) => !mistakes.some((mistake) => mistake.startsWith(`${name} `)))).toEqual([])
  })

  it.each(['DATABASE_URL', 'LES_MASTER_KEY', 'LES_OPERATOR_TOKEN', 'LES_HARVESTAPI_KEY', 'LES_SMTP_URL'])(
    '%s can come from a file named by its _FILE twin, trimmed; both at once, or no such file, is a mistake',
    (name) => {
      const values: Environment = {
        ...external,
        LES_OPERATOR_TOKEN: 'a token of twenty-four b.',
        LES_HARVESTAPI_KEY: 'vendor-key',
        LES_SMTP_URL: 'smtp://u:p@mail.example.com',
        LES_MAIL_FROM: 'leads@example.com',
      }
      const { [name]: value, ...others } = values
      expect(readConfig({ ...others, [`${name}_FILE`]: file(name, `${value}\n`) })).toEqual(readConfig(values))
      expect(mistakesOf({ ...values, [`${name}_FILE`]: file(name, value!) })[0]).toBe(
        `${name} and ${name}_FILE are both set: keep one`,
      )
      expect(mistakesOf({ ...others, [`${name}_FILE`]: join(folder, 'missing') })).toContain(
        `${name}_FILE names a file that cannot be read`,
      )
    },
  )

  it('an operator token shorter than 24 bytes is a mistake: whoever guesses it runs the service', () => {
    expect(mistakesOf({ LES_OPERATOR_TOKEN: 'x'.repeat(23) })).toEqual([
      expect.stringMatching(/^LES_OPERATOR_TOKEN must be at least 24 bytes long/),
    ])
    expect(readConfig({ LES_OPERATOR_TOKEN: 'x'.repeat(24) }).operatorToken).toBe('x'.repeat(24))
    expect(readConfig({ LES_OPERATOR_TOKEN: 'ü'.repeat(12) }).operatorToken).toBe('ü'.repeat(12))
  })

  it('the contact for security is a mail address or a page', () => {
    for (const [given, uri] of [
      ['a@b.example', 'mailto:a@b.example'],
      ['mailto:a@b.example', 'mailto:a@b.example'],
      ['https://b.example/security', 'https://b.example/security'],
    ] as const)
      expect(readConfig({ LES_SECURITY_CONTACT: given }).securityContact).toBe(uri)
    for (const given of ['nobody', 'http://b.example', 'a@b.example\nExpires: never', 'javascript:alert(1)'])
      expect(mistakesOf({ LES_SECURITY_CONTACT: given })).toEqual([
        'LES_SECURITY_CONTACT must be a mail address or begin with https://',
      ])
  })

  it('a cap of nothing is a cap', () => {
    expect(readConfig({ LES_LINKDAPI_DAILY_DOLLARS: '0' }).serving?.dailyDollars).toEqual({ linkdapi: 0 })
  })

  it('every name on the page of settings can be set, each once, and no other', () => {
    expect(new Set(known).size).toBe(known.length)
    expect(mistakesOf(Object.fromEntries(known.map((name) => [name, ''])))).toEqual([])
    expect(mistakesOf({ LES_OTHER: '' })).toEqual(['LES_OTHER is not a setting of this service'])
  })

  it('a mistake never repeats a secret', () => {
    const text = mistakesOf({
      ...external,
      LES_MASTER_KEY: 'c2VjcmV0',
      LES_OPERATOR_TOKEN: 'tok-secret',
      LES_OPERATOR_TOKEN_FILE: '/nope',
      LES_HARVESTAPI_KEY: 'key-secret',
      LES_SANDBOX: '1',
      DATABASE_URL: 'mysql://u:db-secret@h/x',
    }).join('\n')
    expect(text).not.toMatch(/secret@|tok-secret|key-secret|c2VjcmV0|db-secret/)
    expect(text).not.toBe('')
  })
})

describe('the outside world', () => {
  const harvest = { LES_HARVESTAPI_KEY: 'h' }
  const linkd = { LES_LINKDAPI_KEY: 'l' }
  const h: VendorSettings = { url: vendorDefaults.harvestapi, key: 'h' }
  const l: VendorSettings = { url: vendorDefaults.linkdapi, key: 'l' }
  const real = (harvestapi: VendorSettings | null, linkdapi: VendorSettings | null) => ({
    kind: 'real',
    harvestapi,
    linkdapi,
  })
  const sandbox = { kind: 'sandbox' }
  const besideVendor = /^LES_SANDBOX=1 cannot be combined with a vendor/

  it.each<[string, Environment, Environment, unknown]>([
    ['no vendor, embedded', {}, {}, sandbox],
    ['no vendor, embedded, sandbox asked for', {}, { LES_SANDBOX: '1' }, sandbox],
    ['no vendor, embedded, sandbox declined', {}, { LES_SANDBOX: '0' }, sandbox],
    ['no vendor, own database, sandbox asked for', external, { LES_SANDBOX: '1' }, sandbox],
    ...[{}, external].flatMap((database): [string, Environment, Environment, unknown][] => [
      ['the primary', database, harvest, real(h, null)],
      ['the primary, sandbox declined', database, { ...harvest, LES_SANDBOX: '0' }, real(h, null)],
      ['the fallback alone', database, linkd, real(null, l)],
      ['both', database, { ...harvest, ...linkd }, real(h, l)],
      [
        'a key and an address of its own',
        database,
        { ...harvest, LES_HARVESTAPI_URL: 'https://mirror.example/' },
        real({ url: 'https://mirror.example', key: 'h' }, null),
      ],
      [
        'a vendor without a key is absent',
        database,
        { ...harvest, LES_LINKDAPI_URL: 'https://linkd.example' },
        real(h, null),
      ],
      [
        'AI and outreach of their own',
        database,
        { ...harvest, LES_OUTREACH_URL: 'https://o.example', LES_MISTRAL_URL: 'https://m.example' },
        real(h, null),
      ],
    ]),
  ])('%s %j %j', (_name, database, settings, vendors) => {
    const config = readConfig({ ...database, ...settings })
    expect(config.vendors).toMatchObject(vendors as object)
    expect(config.seedDemo).toBe(config.vendors.kind === 'sandbox' && config.databaseUrl === null)
  })

  it.each<[string, Environment, Environment, RegExp]>([
    [
      'own database and neither vendor nor sandbox',
      external,
      {},
      /^DATABASE_URL is set but no network vendor is: .*LES_HARVESTAPI_KEY.*LES_SANDBOX=1/,
    ],
    ['own database, sandbox declined', external, { LES_SANDBOX: '0' }, /^DATABASE_URL is set but no network vendor is/],
    ...[{}, external].flatMap((database): [string, Environment, Environment, RegExp][] => [
      ['sandbox and the primary', database, { ...harvest, LES_SANDBOX: '1' }, besideVendor],
      ['sandbox and the fallback', database, { ...linkd, LES_SANDBOX: '1' }, besideVendor],
      [
        'sandbox and only an address',
        database,
        { LES_LINKDAPI_URL: 'https://x.example', LES_SANDBOX: '1' },
        besideVendor,
      ],
      [
        'an address without a key',
        database,
        { LES_HARVESTAPI_URL: 'https://x.example' },
        /^A vendor address is set without its key/,
      ],
      [
        'outreach of its own in the sandbox',
        database,
        { LES_OUTREACH_URL: 'https://o.example', LES_SANDBOX: '1' },
        /^LES_OUTREACH_URL cannot be combined with the sandbox/,
      ],
      [
        'an AI of its own in the sandbox',
        database,
        { LES_OPENAI_URL: 'https://o.example', LES_SANDBOX: '1' },
        /^LES_OPENAI_URL cannot be combined with the sandbox/,
      ],
      [
        'the demo on a real network',
        database,
        { ...harvest, LES_SEED_DEMO: '1' },
        /^LES_SEED_DEMO=1 needs the sandbox/,
      ],
    ]),
    [
      'only an AI, embedded',
      {},
      { LES_GOOGLE_URL: 'https://g.example' },
      /^LES_GOOGLE_URL cannot be combined with the sandbox/,
    ],
  ])('%s refuses to start and says why %j %j', (_name, database, settings, message) => {
    expect(mistakesOf({ ...database, ...settings }).filter((mistake) => message.test(mistake))).toHaveLength(1)
  })
})

it('at a terminal the log holds warnings alone, unless a level is named [FIX-11]', () => {
  const level = (env: Environment, isTerminal: boolean) => readConfig(atTerminal(env, isTerminal)).logLevel
  expect([level({}, true), level({}, false)]).toEqual(['warn', 'info'])
  expect(level({ LES_LOG_LEVEL: 'debug' }, true)).toBe('debug')
  expect(level({ LES_LOG_LEVEL_FILE: file('level', 'error') }, true)).toBe('error')
})
