/** The only reader of the environment: everything is validated once, every mistake is listed at once. */
import { resolve } from 'node:path'
import {
  type Config,
  type Role,
  type MailSettings,
  defaultKeywordCutover,
  defaultFallbackPages,
  type ServingSettings,
} from './config.ts'
import { known } from './known.ts'
import { ConfigError, flag, port, text, type Environment, type Reading, url } from './reading.ts'
import { tracing } from './tracing.ts'
import { vendors } from './vendors.ts'
import { parseInstant } from '@les/contract'
import { networkVendorIds, vendorSetting } from './network-vendors.ts'
import { keepMistake, type KeepDays } from '../modules/accounts/rules/keep-days.ts'
import ipaddr from 'ipaddr.js'

export { ConfigError } from './reading.ts'

/** Mail addresses of the people who run the service, separated by commas; nobody unless some are named. */
export function operators(reading: Reading): string[] {
  const named = (text(reading, 'LES_OPERATORS') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
  const wrong = named.filter((each) => !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(each))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_OPERATORS must name mail addresses such as ops@example.com, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

// As long as the one that is made when none is set: whoever guesses it runs the service.
const leastTokenBytes = 24

/** The token of the operator's own surface; null when none is set. */
export function operatorToken(reading: Reading): string | null {
  const value = text(reading, 'LES_OPERATOR_TOKEN')
  if (value !== undefined && Buffer.byteLength(value) < leastTokenBytes)
    reading.mistakes.push(
      `LES_OPERATOR_TOKEN must be at least ${leastTokenBytes} bytes long, for example from \`openssl rand -base64 32\``,
    )
  return value ?? null
}

/** Where people write to who found a hole; a plain mail address is taken for one. */
export function securityContact(reading: Reading): string | null {
  const value = text(reading, 'LES_SECURITY_CONTACT')
  if (value === undefined) return null
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value
  if (/^(?:https:\/\/|mailto:)[\x21-\x7e]+$/.test(uri)) return uri
  reading.mistakes.push('LES_SECURITY_CONTACT must be a mail address or begin with https://')
  return null
}

const signUpPolicies = ['open', 'invited', 'off'] as const

/** Strangers sign up where credits are invented, and elsewhere only when that is asked for. */
export function signUp(reading: Reading, kind: Config['vendors']['kind']): Config['signUp'] {
  const policy = text(reading, 'LES_SIGN_UP') ?? (kind === 'sandbox' ? 'open' : 'invited')
  const known = signUpPolicies.find((each) => each === policy)
  if (known === undefined)
    reading.mistakes.push(`LES_SIGN_UP must be ${signUpPolicies.join(', ')}, not ${JSON.stringify(policy)}`)
  return known ?? 'off'
}

/** Where the database is. `external` is true as soon as one of one's own is named, also when its address is malformed. */
type DatabaseSettings = {
  readonly databaseUrl: string | null
  readonly databaseDirectUrl: string | undefined
  readonly databaseReplicaUrl: string | undefined
  readonly external: boolean
}

/** A database of one's own; none named means the embedded one. */
export function database(reading: Reading): DatabaseSettings {
  const databaseUrl = url(reading, 'DATABASE_URL', ['postgres:', 'postgresql:']) ?? null
  const databaseDirectUrl = url(reading, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'])
  const databaseReplicaUrl = url(reading, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])
  // Also when it is malformed: what comes with it is judged all the same.
  const external = Boolean(reading.env.DATABASE_URL || reading.env.DATABASE_URL_FILE)
  for (const [name, value] of Object.entries({
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  })) {
    if (value !== undefined && !external)
      reading.mistakes.push(`${name} is set without DATABASE_URL: set both, or neither for the embedded database`)
  }
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl, external }
}

/** 32 bytes in base64: required with a database of one's own, made at the first start without. */
export function masterKey(reading: Reading, external: boolean): Buffer | null {
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

/** The mail server and the sender; both or neither. */
export function mail(reading: Reading): MailSettings | null {
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

/** What this process does: HTTP, work, the clock; all three unless some are named. */
export function roles(reading: Reading): Role[] {
  const named = (text(reading, 'LES_ROLES') ?? 'http,worker,clock').split(',').map((role) => role.trim())
  const wrong = named.filter((role) => !['http', 'worker', 'clock'].includes(role))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_ROLES may name http, worker and clock, not ${wrong.map((role) => JSON.stringify(role)).join(', ')}`,
    )
  return [...new Set(named)] as Role[]
}

/** The clock of the machine, or for tests one that is moved by hand. */
export function clock(reading: Reading): Config['clock'] {
  const mode = text(reading, 'LES_CLOCK') ?? 'system'
  const start = text(reading, 'LES_CLOCK_START')
  if (mode !== 'system' && mode !== 'manual')
    reading.mistakes.push(`LES_CLOCK must be system or manual, not ${JSON.stringify(mode)}`)
  const instant = start === undefined ? null : parseInstant(start)
  if (start !== undefined && !instant) reading.mistakes.push('LES_CLOCK_START must be an ISO 8601 date-time')
  if (start !== undefined && mode !== 'manual') reading.mistakes.push('LES_CLOCK_START needs LES_CLOCK=manual')
  return mode === 'manual' ? { mode, start: instant } : { mode: 'system' }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** How much is logged; `info` unless another level is named. */
export function logLevel(reading: Reading): string {
  const level = text(reading, 'LES_LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(level))
    reading.mistakes.push(`LES_LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${JSON.stringify(level)}`)
  return level
}

/** Whether the first start makes the demo: on the embedded database with the synthetic network, or where asked for. */
export function seedDemo(reading: Reading, external: boolean, kind: Config['vendors']['kind']): boolean {
  const wanted = flag(reading, 'LES_SEED_DEMO', !external && kind === 'sandbox')
  if (wanted && kind === 'real')
    reading.mistakes.push('LES_SEED_DEMO=1 needs the sandbox network: the demo tracks a person who exists only there')
  return wanted
}

/** Whether the agent is served. */
export function agentEnabled(reading: Reading): boolean {
  const agent = text(reading, 'LES_AGENT')
  if (agent !== undefined && agent !== 'on' && agent !== 'off')
    reading.mistakes.push(`LES_AGENT must be on or off, not ${JSON.stringify(agent)}`)
  return agent !== 'off'
}

/** From when on keyword searches need the spend contract; null for never (G68). */
export function keywordCutoverAt(reading: Reading): Date | null {
  const cutover = text(reading, 'LES_KEYWORD_CUTOVER_AT') ?? defaultKeywordCutover
  if (cutover === 'none') return null
  const instant = parseInstant(cutover)
  if (!instant) reading.mistakes.push('LES_KEYWORD_CUTOVER_AT must be an ISO 8601 date-time or none')
  return instant ?? null
}

function dollars(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(value))
    reading.mistakes.push(`${name} must be an amount of dollars such as 25 or 0.004, not ${JSON.stringify(value)}`)
  return Number(value)
}

function pages(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  if (!/^[1-9]\d{0,4}$/.test(value))
    reading.mistakes.push(`${name} must be a number of pages from 1 to 99999, not ${JSON.stringify(value)}`)
  return Number(value)
}

/** What vendors may cost in a day, what a credit brings, and who hears of an account that empties. */
export function serving(reading: Reading): ServingSettings {
  const dailyDollars = networkVendorIds.flatMap((vendor) => {
    const cap = dollars(reading, vendorSetting(vendor, 'DAILY_DOLLARS'))
    return cap === null ? [] : [[vendor, cap] as const]
  })
  const operatorMail = text(reading, 'LES_OPERATOR_MAIL') ?? null
  if (operatorMail !== null && !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(operatorMail))
    reading.mistakes.push('LES_OPERATOR_MAIL must be one mail address, such as ops@example.com')
  return {
    dailyDollars: Object.fromEntries(dailyDollars),
    fallbackPages: pages(reading, 'LES_FALLBACK_PAGES') ?? defaultFallbackPages,
    aiDailyDollars: dollars(reading, 'LES_AI_DAILY_DOLLARS'),
    creditDollars: dollars(reading, 'LES_CREDIT_DOLLARS'),
    operatorMail,
  }
}

/** Days by rule of retention: `jobs=14,audit=800`. */
export function keepDays(reading: Reading): KeepDays {
  const given = (text(reading, 'LES_KEEP_DAYS') ?? '').split(',').filter((part) => part.trim() !== '')
  const read = given.map((part) => part.split('=').map((each) => each.trim()))
  for (const [rule = '', days = ''] of read) {
    const mistake = keepMistake(rule, /^\d{1,6}$/.test(days) ? Number(days) : Number.NaN)
    if (mistake !== null) reading.mistakes.push(`LES_KEEP_DAYS must be a list such as jobs=14,audit=800: ${mistake}`)
  }
  return Object.fromEntries(read.map(([rule, days]) => [rule, Number(days)]))
}

/** What a browser would open or run itself, and what leads to a server: no scheme of a desktop program. */
const schemesOfOthers = /^(?:https?|wss?|ftps?|file|mailto|javascript|data|vbscript|blob|about|view-source|intent)$/

/** Schemes of desktop programs, separated by commas; `none` for none. */
export function redirectSchemes(reading: Reading): readonly string[] | undefined {
  const value = text(reading, 'LES_REDIRECT_SCHEMES')
  if (value === undefined) return undefined
  if (value === 'none') return []
  const named = value.split(',').map((each) => each.trim())
  const wrong = named.filter((each) => !/^[a-z][a-z0-9+.-]{1,49}$/.test(each) || schemesOfOthers.test(each))
  if (wrong.length > 0)
    reading.mistakes.push(
      'LES_REDIRECT_SCHEMES must be none, or name schemes of desktop programs such as cursor, ' +
        `in small letters and without ://, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Where people reach the service: an origin, encrypted unless it is this machine, since browsers keep the session cookie to such alone. */
export function publicUrl(reading: Reading): string | null {
  const value = url(reading, 'LES_PUBLIC_URL', ['https:', 'http:'])
  if (value === undefined) return null
  const parsed = new URL(value)
  if (parsed.pathname !== '/' || `${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` !== '')
    reading.mistakes.push('LES_PUBLIC_URL must be an address without a path, such as https://leads.example.com')
  if (parsed.protocol === 'http:' && !loopback.test(parsed.hostname))
    reading.mistakes.push(
      'LES_PUBLIC_URL must begin with https:// unless it is this machine: browsers keep the session cookie to encrypted addresses',
    )
  return parsed.origin
}

/** Addresses and ranges such as `10.0.0.0/8`, separated by commas. */
export function trustedProxies(reading: Reading): string[] {
  const named = (text(reading, 'LES_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const wrong = named.filter(
    (each) =>
      !(
        (ipaddr.IPv4.isValidFourPartDecimal(each.split('/')[0]!) || ipaddr.IPv6.isValid(each.split('/')[0]!)) &&
        (!each.includes('/') || ipaddr.isValidCIDR(each))
      ),
  )
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_TRUSTED_PROXIES must name addresses or ranges such as 10.0.0.0/8, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

/** Reads the environment; throws `ConfigError` with every mistake. */
export function readConfig(env: Environment): Config {
  const reading: Reading = { env, mistakes: [] }
  for (const name of Object.keys(env)) {
    if (name.startsWith('LES_') && !known.includes(name.replace(/_FILE$/, '')))
      reading.mistakes.push(`${name} is not a setting of this service`)
  }
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, external } = database(reading)
  const world = vendors(reading, external)
  const traced = tracing(reading)
  const schemes = redirectSchemes(reading)
  const config: Config = {
    port: port(reading, 'PORT') ?? 8080,
    host: text(reading, 'HOST') ?? '127.0.0.1',
    roles: roles(reading),
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl,
    dataDir: resolve(text(reading, 'LES_DATA_DIR') ?? './.data'),
    masterKey: masterKey(reading, external),
    operatorToken: operatorToken(reading),
    securityContact: securityContact(reading),
    vendors: world,
    allowPrivateDestinations: flag(reading, 'LES_ALLOW_PRIVATE_DESTINATIONS', false),
    signUp: signUp(reading, world.kind),
    ...(schemes ? { redirectSchemes: schemes } : {}),
    agentEnabled: agentEnabled(reading),
    keywordCutoverAt: keywordCutoverAt(reading),
    clock: clock(reading),
    faults: flag(reading, 'LES_FAULTS', false),
    seedDemo: seedDemo(reading, external, world.kind),
    metricsPort: port(reading, 'LES_METRICS_PORT'),
    operatorPort: port(reading, 'LES_OPERATOR_PORT'),
    logLevel: logLevel(reading),
    publicUrl: publicUrl(reading),
    trustedProxies: trustedProxies(reading),
    mail: mail(reading),
    operators: operators(reading),
    serving: serving(reading),
    keepDays: keepDays(reading),
    ...(traced ? { tracing: traced } : {}),
  }
  if (reading.mistakes.length > 0) throw new ConfigError(reading.mistakes)
  return Object.freeze(config)
}

/** What programs that this process starts are given of its environment: where programs and files of its user lie. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME })

/** At a terminal a person reads along, and what was told at the start must not drown in the log: only warnings, unless a level is named. */
export const atTerminal = (env: Environment, isTerminal: boolean): Environment =>
  isTerminal && !env.LES_LOG_LEVEL && !env.LES_LOG_LEVEL_FILE ? { ...env, LES_LOG_LEVEL: 'warn' } : env

/** Reads the environment of this process; `roles`, when the command names some, takes the place of `LES_ROLES`. */
export function readProcessConfig(roles: readonly Role[] = []): Config {
  const env = atTerminal(process.env, process.stderr.isTTY)
  return readConfig(roles.length > 0 ? { ...env, LES_ROLES: roles.join(',') } : env)
}
