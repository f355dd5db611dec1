/** The only reader of the environment: validates everything once, and lists all mistakes together. */
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { keepMistake, type KeepDays } from '../modules/accounts/rules/keep-days.ts'
import {
  defaultFallbackPages,
  defaultKeywordCutover,
  type Config,
  type MailSettings,
  type Role,
  type ServingSettings,
} from './config.ts'
import { destinations } from './destinations.ts'
import { known } from './known.ts'
import { networkVendorIds, vendorSetting } from './network-vendors.ts'
import {
  choice,
  ConfigError,
  flag,
  instant,
  list,
  number,
  port,
  text,
  url,
  type Environment,
  type Reading,
} from './reading.ts'
import { tracing } from './tracing.ts'
import { vendors } from './vendors.ts'

export { ConfigError } from './reading.ts'

const mailAddress = /^[^\s@<>,;]+@[^\s@<>,;]+$/

// As long as the generated token: guessing it gives control of the service.
const leastTokenBytes = 24

function operatorToken(reading: Reading): string | null {
  const value = text(reading, 'LES_OPERATOR_TOKEN')
  if (value !== undefined && Buffer.byteLength(value) < leastTokenBytes)
    reading.mistakes.push(
      `LES_OPERATOR_TOKEN must be at least ${leastTokenBytes} bytes long, for example from \`openssl rand -base64 32\``,
    )
  return value ?? null
}

/** Where to report vulnerabilities; a plain mail address becomes a `mailto:` URI. */
function securityContact(reading: Reading): string | null {
  const value = text(reading, 'LES_SECURITY_CONTACT')
  if (value === undefined) return null
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value
  if (/^(?:https:\/\/|mailto:)[\x21-\x7e]+$/.test(uri)) return uri
  reading.mistakes.push('LES_SECURITY_CONTACT must be a mail address or begin with https://')
  return null
}

/** `external` is true for a malformed URL too, so that the other settings are checked accordingly. */
function database(reading: Reading) {
  const schemes = ['postgres:', 'postgresql:']
  const external = Boolean(reading.env.DATABASE_URL || reading.env.DATABASE_URL_FILE)
  const direct = url(reading, 'DATABASE_DIRECT_URL', schemes)
  if (direct !== undefined && !external)
    reading.mistakes.push(
      'DATABASE_DIRECT_URL is set without DATABASE_URL: set both, or neither for the embedded database',
    )
  return { external, databaseUrl: url(reading, 'DATABASE_URL', schemes) ?? null, databaseDirectUrl: direct }
}

function masterKey(reading: Reading, external: boolean): Buffer | null {
  const value = text(reading, 'LES_MASTER_KEY')
  if (value === undefined) {
    if (external)
      reading.mistakes.push(
        'LES_MASTER_KEY is required with DATABASE_URL: 32 random bytes in base64, for example from `openssl rand -base64 32`',
      )
    return null
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length !== 32) reading.mistakes.push('LES_MASTER_KEY must be 32 bytes in base64')
  return bytes
}

function mail(reading: Reading): MailSettings | null {
  const server = url(reading, 'LES_SMTP_URL', ['smtp:', 'smtps:'])
  const from = text(reading, 'LES_MAIL_FROM')
  if (server !== undefined && from === undefined)
    reading.mistakes.push(
      'LES_SMTP_URL is set without LES_MAIL_FROM: say who mail comes from, for example Leads <leads@example.com>',
    )
  if (from !== undefined && !/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(from))
    reading.mistakes.push('LES_MAIL_FROM must be a mail address, with or without a name: Leads <leads@example.com>')
  return server === undefined || from === undefined ? null : { url: server, from }
}

const everyRole: readonly Role[] = ['http', 'worker', 'clock']

function roles(reading: Reading): Role[] {
  const named = (text(reading, 'LES_ROLES') ?? everyRole.join()).split(',').map((role) => role.trim())
  const wrong = named.filter((role) => !everyRole.some((each) => each === role)).map((role) => JSON.stringify(role))
  if (wrong.length > 0) reading.mistakes.push(`LES_ROLES may name http, worker and clock, not ${wrong.join(', ')}`)
  return [...new Set(named)] as Role[]
}

function clock(reading: Reading): Config['clock'] {
  const mode = choice(reading, 'LES_CLOCK', ['system', 'manual'], 'system')
  const isGiven = text(reading, 'LES_CLOCK_START') !== undefined
  if (isGiven && mode !== 'manual') reading.mistakes.push('LES_CLOCK_START needs LES_CLOCK=manual')
  return mode === 'manual' ? { mode, start: instant(reading, 'LES_CLOCK_START') ?? null } : { mode }
}

/** By default only with the embedded database and the sandbox network. */
function seedDemo(reading: Reading, external: boolean, kind: Config['vendors']['kind']): boolean {
  const wanted = flag(reading, 'LES_SEED_DEMO', !external && kind === 'sandbox')
  if (wanted && kind === 'real')
    reading.mistakes.push('LES_SEED_DEMO=1 needs the sandbox network: the demo tracks a person who exists only there')
  return wanted
}

/** Null for never (G68). */
const keywordCutoverAt = (reading: Reading): Date | null =>
  text(reading, 'LES_KEYWORD_CUTOVER_AT') === 'none'
    ? null
    : (instant(reading, 'LES_KEYWORD_CUTOVER_AT', 'an ISO 8601 date-time or none') ?? new Date(defaultKeywordCutover))

const dollars = (reading: Reading, name: string): number | null =>
  number(reading, name, /^\d{1,9}(?:\.\d{1,6})?$/, 'an amount of dollars such as 25 or 0.004')

function serving(reading: Reading): ServingSettings {
  const dailyDollars = networkVendorIds.flatMap((vendor) => {
    const cap = dollars(reading, vendorSetting(vendor, 'DAILY_DOLLARS'))
    return cap === null ? [] : [[vendor, cap] as const]
  })
  const operatorMail = text(reading, 'LES_OPERATOR_MAIL') ?? null
  if (operatorMail !== null && !mailAddress.test(operatorMail))
    reading.mistakes.push('LES_OPERATOR_MAIL must be one mail address, such as ops@example.com')
  const pages = number(reading, 'LES_FALLBACK_PAGES', /^[1-9]\d{0,4}$/, 'a number of pages from 1 to 99999')
  return {
    dailyDollars: Object.fromEntries(dailyDollars),
    fallbackPages: pages ?? defaultFallbackPages,
    creditDollars: dollars(reading, 'LES_CREDIT_DOLLARS'),
    operatorMail,
  }
}

/** A list such as `jobs=14,audit=800`. */
function keepDays(reading: Reading): KeepDays {
  const pairs = list(reading, 'LES_KEEP_DAYS', 'rules', () => true).map((part) =>
    part.split('=').map((each) => each.trim()),
  )
  for (const [rule = '', days = ''] of pairs) {
    const mistake = keepMistake(rule, /^\d{1,6}$/.test(days) ? Number(days) : Number.NaN)
    if (mistake !== null) reading.mistakes.push(`LES_KEEP_DAYS must be a list such as jobs=14,audit=800: ${mistake}`)
  }
  return Object.fromEntries(pairs.map(([rule, days]) => [rule, Number(days)]))
}

/** Schemes that a browser opens or runs itself, or that lead to a server, are never a desktop program's. */
const schemesOfOthers = /^(?:https?|wss?|ftps?|file|mailto|javascript|data|vbscript|blob|about|view-source|intent)$/

/** Empty for `none`; undefined for the known ones. */
function redirectSchemes(reading: Reading): readonly string[] | undefined {
  const value = text(reading, 'LES_REDIRECT_SCHEMES')
  if (value === undefined) return undefined
  if (value === 'none') return []
  const what = 'schemes of desktop programs such as cursor, in small letters and without ://, or be none'
  const isRight = (scheme: string) => /^[a-z][a-z0-9+.-]{1,49}$/.test(scheme) && !schemesOfOthers.test(scheme)
  return list(reading, 'LES_REDIRECT_SCHEMES', what, isRight)
}

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** https unless it is this machine: browsers send the session cookie to such origins only. */
function publicUrl(reading: Reading): string | null {
  const value = url(reading, 'LES_PUBLIC_URL', ['https:', 'http:'])
  if (value === undefined) return null
  const parsed = new URL(value)
  if (parsed.pathname !== '/' || `${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` !== '')
    reading.mistakes.push('LES_PUBLIC_URL must be an address without a path, such as https://leads.example.com')
  if (parsed.protocol === 'http:' && !loopback.test(parsed.hostname))
    reading.mistakes.push(
      'LES_PUBLIC_URL must begin with https:// unless it is this machine: ' +
        'browsers keep the session cookie to encrypted addresses',
    )
  return parsed.origin
}

function isAddressOrRange(text: string): boolean {
  const address = text.split('/')[0]!
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress && (!text.includes('/') || ipaddr.isValidCIDR(text))
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Reads all settings; throws `ConfigError` with every mistake. */
export function readConfig(env: Environment): Config {
  const reading: Reading = { env, mistakes: [] }
  for (const name of Object.keys(env)) {
    if (name.startsWith('LES_') && !known.includes(name.replace(/_FILE$/, '')))
      reading.mistakes.push(`${name} is not a setting of this service`)
  }
  const { external, ...databases } = database(reading)
  const world = vendors(reading, external)
  const config: Config = {
    port: port(reading, 'PORT') ?? 8080,
    host: text(reading, 'HOST') ?? '127.0.0.1',
    roles: roles(reading),
    ...databases,
    shards: number(reading, 'LES_SHARDS', /^(?:[1-9]\d{0,2}|1000)$/, 'a whole number from 1 to 1000') ?? undefined,
    dataDir: resolve(text(reading, 'LES_DATA_DIR') ?? './.data'),
    masterKey: masterKey(reading, external),
    operatorToken: operatorToken(reading),
    securityContact: securityContact(reading),
    vendors: world,
    destinations: destinations(reading),
    allowPrivateDestinations: flag(reading, 'LES_ALLOW_PRIVATE_DESTINATIONS', false),
    // Anybody may sign up where credits are invented; with real vendors only on request.
    signUp: choice(reading, 'LES_SIGN_UP', ['open', 'invited', 'off'], world.kind === 'sandbox' ? 'open' : 'invited'),
    redirectSchemes: redirectSchemes(reading),
    agentEnabled: choice(reading, 'LES_AGENT', ['on', 'off'], 'on') === 'on',
    keywordCutoverAt: keywordCutoverAt(reading),
    clock: clock(reading),
    faults: flag(reading, 'LES_FAULTS', false),
    seedDemo: seedDemo(reading, external, world.kind),
    metricsPort: port(reading, 'LES_METRICS_PORT'),
    operatorPort: port(reading, 'LES_OPERATOR_PORT'),
    logLevel: choice(reading, 'LES_LOG_LEVEL', logLevels, 'info'),
    publicUrl: publicUrl(reading),
    trustedProxies: list(reading, 'LES_TRUSTED_PROXIES', 'addresses or ranges such as 10.0.0.0/8', isAddressOrRange),
    mail: mail(reading),
    operators: list(reading, 'LES_OPERATORS', 'mail addresses such as ops@example.com', (address) =>
      mailAddress.test(address),
    ).map((address) => address.toLowerCase()),
    serving: serving(reading),
    keepDays: keepDays(reading),
    tracing: tracing(reading),
  }
  if (reading.mistakes.length > 0) throw new ConfigError(reading.mistakes)
  return Object.freeze(config)
}

/** The environment for child programs: only what they need to find programs and the user's files. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME })

/** At a terminal the default level is `warn`, so that the addresses shown at the start stay visible. */
export const atTerminal = (env: Environment, isTerminal: boolean): Environment =>
  isTerminal && !env.LES_LOG_LEVEL && !env.LES_LOG_LEVEL_FILE ? { ...env, LES_LOG_LEVEL: 'warn' } : env

/** Reads this process's environment; `roles`, if any, replace `LES_ROLES`. */
export function readProcessConfig(roles: readonly Role[] = []): Config {
  const env = atTerminal(process.env, process.stderr.isTTY)
  return readConfig(roles.length > 0 ? { ...env, LES_ROLES: roles.join(',') } : env)
}
