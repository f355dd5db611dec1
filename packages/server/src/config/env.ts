/** The only reader of the environment: everything is validated once, every mistake is listed at once. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseInstant } from '@les/contract'
import ipaddr from 'ipaddr.js'
import {
  defaultFallbackPages,
  defaultKeywordCutover,
  vendorDefaults,
  type Config,
  type MailSettings,
  type Role,
  type ServingSettings,
  type VendorSettings,
} from './config.ts'
import { keepMistake, type KeepDays } from '../platform/retention.ts'
import type { TracingSettings } from '../platform/tracing.ts'

/** The environment does not make sense; the message lists every mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(`The settings cannot be used:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.mistakes = mistakes
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type Reading = { readonly env: Environment; readonly mistakes: string[] }

const known: readonly string[] = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'LES_DATA_DIR',
  'LES_ROLES',
  'LES_MASTER_KEY',
  'LES_OPERATOR_TOKEN',
  'LES_HARVESTAPI_URL',
  'LES_HARVESTAPI_KEY',
  'LES_LINKDAPI_URL',
  'LES_LINKDAPI_KEY',
  'LES_HARVESTAPI_DAILY_DOLLARS',
  'LES_LINKDAPI_DAILY_DOLLARS',
  'LES_FALLBACK_PAGES',
  'LES_AI_DAILY_DOLLARS',
  'LES_CREDIT_DOLLARS',
  'LES_OPERATOR_MAIL',
  'LES_OPERATORS',
  'LES_OUTREACH_URL',
  'LES_OPENAI_URL',
  'LES_ANTHROPIC_URL',
  'LES_GOOGLE_URL',
  'LES_MISTRAL_URL',
  'LES_SANDBOX',
  'LES_ALLOW_PRIVATE_DESTINATIONS',
  'LES_KEYWORD_CUTOVER_AT',
  'LES_AGENT',
  'LES_FAULTS',
  'LES_CLOCK',
  'LES_CLOCK_START',
  'LES_SEED_DEMO',
  'LES_METRICS_PORT',
  'LES_OPERATOR_PORT',
  'LES_LOG_LEVEL',
  'LES_API_KEY',
  'LES_BASE_URL',
  'LES_PUBLIC_URL',
  'LES_TRUSTED_PROXIES',
  'LES_SMTP_URL',
  'LES_MAIL_FROM',
  'LES_SECURITY_CONTACT',
  'LES_SIGN_UP',
  'LES_REDIRECT_SCHEMES',
  'LES_KEEP_DAYS',
]

/** A setting's text: the variable itself or the file that its `_FILE` twin names; empty counts as not set. */
function text({ env, mistakes }: Reading, name: string): string | undefined {
  const direct = env[name]
  const file = env[`${name}_FILE`]
  if (direct && file) mistakes.push(`${name} and ${name}_FILE are both set: keep one`)
  if (direct) return direct
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mistakes.push(`${name}_FILE names a file that cannot be read`)
    return undefined
  }
}

function flag(reading: Reading, name: string, fallback: boolean): boolean {
  const value = text(reading, name)
  if (value === undefined) return fallback
  if (value !== '0' && value !== '1') reading.mistakes.push(`${name} must be 0 or 1, not ${JSON.stringify(value)}`)
  return value === '1'
}

function port(reading: Reading, name: string): number | null {
  const value = text(reading, name)
  if (value === undefined) return null
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535)
    reading.mistakes.push(`${name} must be a port from 0 to 65535, not ${JSON.stringify(value)}`)
  return number
}

function url(reading: Reading, name: string, schemes: readonly string[]): string | undefined {
  const value = text(reading, name)
  if (value === undefined) return undefined
  const parsed = URL.parse(value)
  if (!parsed || !schemes.includes(parsed.protocol)) {
    reading.mistakes.push(
      `${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
    return undefined
  }
  return value.replace(/\/+$/, '')
}

function roles(reading: Reading): Role[] {
  const named = (text(reading, 'LES_ROLES') ?? 'http,worker,clock').split(',').map((role) => role.trim())
  const wrong = named.filter((role) => !['http', 'worker', 'clock'].includes(role))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_ROLES may name http, worker and clock, not ${wrong.map((role) => JSON.stringify(role)).join(', ')}`,
    )
  return [...new Set(named)] as Role[]
}

function vendor(
  reading: Reading,
  name: 'HARVESTAPI' | 'LINKDAPI',
): { named: boolean; settings: VendorSettings | null } {
  const address = url(reading, `LES_${name}_URL`, ['https:', 'http:'])
  const key = text(reading, `LES_${name}_KEY`)
  const fallback = name === 'HARVESTAPI' ? vendorDefaults.harvestapi : vendorDefaults.linkdapi
  return {
    named: address !== undefined || key !== undefined,
    settings: key === undefined ? null : { url: address ?? fallback, key },
  }
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

/** Mail addresses of the people who run the service, separated by commas; nobody unless some are named. */
function operators(reading: Reading): string[] {
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

/** What a browser would open or run itself, and what leads to a server: no scheme of a desktop program. */
const schemesOfOthers = /^(?:https?|wss?|ftps?|file|mailto|javascript|data|vbscript|blob|about|view-source|intent)$/

/** Schemes of desktop programs, separated by commas; `none` for none. */
function redirectSchemes(reading: Reading): readonly string[] | undefined {
  const value = text(reading, 'LES_REDIRECT_SCHEMES')
  if (value === undefined) return undefined
  if (value === 'none') return []
  const named = value.split(',').map((each) => each.trim())
  const wrong = named.filter((each) => !/^[a-z][a-z0-9+.-]{1,49}$/.test(each) || schemesOfOthers.test(each))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_REDIRECT_SCHEMES must be none, or name schemes of desktop programs such as cursor, in small letters and without ://, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

/** What vendors may cost in a day, what a credit brings, and who hears of an account that empties. */
function serving(reading: Reading): ServingSettings {
  const caps = { harvestapi: 'LES_HARVESTAPI_DAILY_DOLLARS', linkdapi: 'LES_LINKDAPI_DAILY_DOLLARS' } as const
  const dailyDollars = Object.entries(caps).flatMap(([vendor, name]) => {
    const cap = dollars(reading, name)
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

/** Outside systems beside the network; in the sandbox they are part of it. */
const otherVendors = ['outreach', 'openai', 'anthropic', 'google', 'mistral'] as const
type OtherVendor = (typeof otherVendors)[number]
const settingOf = (vendor: OtherVendor): string => `LES_${vendor.toUpperCase()}_URL`

/** The outside world: the sandbox only when no vendor is named at all, and with a database of one's own only on request (G2). */
function vendors(reading: Reading, external: boolean): Config['vendors'] {
  const harvestapi = vendor(reading, 'HARVESTAPI')
  const linkdapi = vendor(reading, 'LINKDAPI')
  const asked = flag(reading, 'LES_SANDBOX', false)
  const named = harvestapi.named || linkdapi.named
  if (named && asked)
    reading.mistakes.push(
      'LES_SANDBOX=1 cannot be combined with a vendor: invented people must never mix with real ones; unset one of the two',
    )
  const addresses = Object.fromEntries(
    otherVendors.map((name) => [name, url(reading, settingOf(name), ['https:', 'http:'])]),
  ) as Record<OtherVendor, string | undefined>
  const others = otherVendors.filter((name) => addresses[name] !== undefined).map(settingOf)
  if (!named && others.length > 0)
    reading.mistakes.push(
      `${others.join(', ')} cannot be combined with the sandbox network, which comes with its own: unset it, or set LES_HARVESTAPI_KEY`,
    )
  if (named && !harvestapi.settings && !linkdapi.settings)
    reading.mistakes.push('A vendor address is set without its key: set LES_HARVESTAPI_KEY or LES_LINKDAPI_KEY')
  if (!named && !asked && external)
    reading.mistakes.push(
      'DATABASE_URL is set but no network vendor is: set LES_HARVESTAPI_KEY (and LES_LINKDAPI_KEY as fallback), or LES_SANDBOX=1 for the synthetic network',
    )
  if (!named) return { kind: 'sandbox' }
  const at = (name: OtherVendor): string => addresses[name] ?? vendorDefaults[name]
  return {
    kind: 'real',
    harvestapi: harvestapi.settings,
    linkdapi: linkdapi.settings,
    outreach: at('outreach'),
    ai: { openai: at('openai'), anthropic: at('anthropic'), google: at('google'), mistral: at('mistral') },
  }
}

// As long as the one that is made when none is set: whoever guesses it runs the service.
const leastTokenBytes = 24

function operatorToken(reading: Reading): string | null {
  const value = text(reading, 'LES_OPERATOR_TOKEN')
  if (value !== undefined && Buffer.byteLength(value) < leastTokenBytes)
    reading.mistakes.push(
      `LES_OPERATOR_TOKEN must be at least ${leastTokenBytes} bytes long, for example from \`openssl rand -base64 32\``,
    )
  return value ?? null
}

/** Where people write to who found a hole; a plain mail address is taken for one. */
function securityContact(reading: Reading): string | null {
  const value = text(reading, 'LES_SECURITY_CONTACT')
  if (value === undefined) return null
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value
  if (/^(?:https:\/\/|mailto:)[\x21-\x7e]+$/.test(uri)) return uri
  reading.mistakes.push('LES_SECURITY_CONTACT must be a mail address or begin with https://')
  return null
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

function clock(reading: Reading): Config['clock'] {
  const mode = text(reading, 'LES_CLOCK') ?? 'system'
  const start = text(reading, 'LES_CLOCK_START')
  if (mode !== 'system' && mode !== 'manual')
    reading.mistakes.push(`LES_CLOCK must be system or manual, not ${JSON.stringify(mode)}`)
  const instant = start === undefined ? null : parseInstant(start)
  if (start !== undefined && !instant) reading.mistakes.push('LES_CLOCK_START must be an ISO 8601 date-time')
  if (start !== undefined && mode !== 'manual') reading.mistakes.push('LES_CLOCK_START needs LES_CLOCK=manual')
  return mode === 'manual' ? { mode, start: instant } : { mode: 'system' }
}

const signUpPolicies = ['open', 'invited', 'off'] as const

/** Strangers sign up where credits are invented, and elsewhere only when that is asked for. */
function signUp(reading: Reading, kind: Config['vendors']['kind']): Config['signUp'] {
  const policy = text(reading, 'LES_SIGN_UP') ?? (kind === 'sandbox' ? 'open' : 'invited')
  const known = signUpPolicies.find((each) => each === policy)
  if (known === undefined)
    reading.mistakes.push(`LES_SIGN_UP must be ${signUpPolicies.join(', ')}, not ${JSON.stringify(policy)}`)
  return known ?? 'off'
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function logLevel(reading: Reading): string {
  const level = text(reading, 'LES_LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(level))
    reading.mistakes.push(`LES_LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${JSON.stringify(level)}`)
  return level
}

function seedDemo(reading: Reading, external: boolean, kind: Config['vendors']['kind']): boolean {
  const wanted = flag(reading, 'LES_SEED_DEMO', !external && kind === 'sandbox')
  if (wanted && kind === 'real')
    reading.mistakes.push('LES_SEED_DEMO=1 needs the sandbox network: the demo tracks a person who exists only there')
  return wanted
}

function agentEnabled(reading: Reading): boolean {
  const agent = text(reading, 'LES_AGENT')
  if (agent !== undefined && agent !== 'on' && agent !== 'off')
    reading.mistakes.push(`LES_AGENT must be on or off, not ${JSON.stringify(agent)}`)
  return agent !== 'off'
}

function keywordCutoverAt(reading: Reading): Date | null {
  const cutover = text(reading, 'LES_KEYWORD_CUTOVER_AT') ?? defaultKeywordCutover
  if (cutover === 'none') return null
  const instant = parseInstant(cutover)
  if (!instant) reading.mistakes.push('LES_KEYWORD_CUTOVER_AT must be an ISO 8601 date-time or none')
  return instant ?? null
}

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Where people reach the service: an origin, encrypted unless it is this machine, since browsers keep the session cookie to such alone. */
function publicUrl(reading: Reading): string | null {
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
function trustedProxies(reading: Reading): string[] {
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

/** The mail server and the sender; both or neither. */
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

/** Days by rule of retention: `jobs=14,audit=800`. */
function keepDays(reading: Reading): KeepDays {
  const given = (text(reading, 'LES_KEEP_DAYS') ?? '').split(',').filter((part) => part.trim() !== '')
  const read = given.map((part) => part.split('=').map((each) => each.trim()))
  for (const [rule = '', days = ''] of read) {
    const mistake = keepMistake(rule, /^\d{1,6}$/.test(days) ? Number(days) : Number.NaN)
    if (mistake !== null) reading.mistakes.push(`LES_KEEP_DAYS must be a list such as jobs=14,audit=800: ${mistake}`)
  }
  return Object.fromEntries(read.map(([rule, days]) => [rule, Number(days)]))
}

/** `name=value,name=value` with percent signs decoded, as OpenTelemetry writes lists. */
function pairs(reading: Reading, name: string): Record<string, string> {
  const value = text(reading, name)
  if (value === undefined) return {}
  const read = value
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => /^\s*([^=\s]+)\s*=(.*)$/.exec(part))
  if (read.includes(null)) reading.mistakes.push(`${name} must be a list of name=value, separated by commas`)
  return Object.fromEntries(
    read.filter((part) => part !== null).map(([, key, given]) => [key!, decoded(given!.trim())]),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]

/** Traces, by OpenTelemetry's own variables; none when no address is set or the SDK is switched off. */
function tracing(reading: Reading): TracingSettings | undefined {
  const base = url(reading, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['https:', 'http:'])
  const own = url(reading, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['https:', 'http:'])
  if (
    (base === undefined && own === undefined) ||
    text(reading, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true' ||
    text(reading, 'OTEL_TRACES_EXPORTER') === 'none'
  )
    return undefined
  const protocol = text(reading, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? text(reading, 'OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== undefined && !protocol.startsWith('http/'))
    reading.mistakes.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not ${JSON.stringify(protocol)}`)
  const sampler = text(reading, 'OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  if (!samplers.includes(sampler))
    reading.mistakes.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not ${JSON.stringify(sampler)}`)
  const asked = Number(text(reading, 'OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(asked >= 0 && asked <= 1)) reading.mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1')
  return {
    url: own ?? `${base}/v1/traces`,
    headers: {
      ...pairs(reading, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairs(reading, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: text(reading, 'OTEL_SERVICE_NAME') ?? 'lead-engagement-service',
    resource: pairs(reading, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampling: {
      followCaller: sampler.startsWith('parentbased_'),
      share: sampler.endsWith('ratio') ? asked : sampler.endsWith('always_off') ? 0 : 1,
    },
  }
}

/** Reads the environment; throws `ConfigError` with every mistake. */
export function readConfig(env: Environment): Config {
  const reading: Reading = { env, mistakes: [] }
  for (const name of Object.keys(env)) {
    if (name.startsWith('LES_') && !known.includes(name.replace(/_FILE$/, '')))
      reading.mistakes.push(`${name} is not a setting of this service`)
  }
  const databaseUrl = url(reading, 'DATABASE_URL', ['postgres:', 'postgresql:']) ?? null
  const databaseDirectUrl = url(reading, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'])
  // Also when it is malformed: what comes with it is judged all the same.
  const external = Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE)
  if (databaseDirectUrl !== undefined && !external)
    reading.mistakes.push(
      'DATABASE_DIRECT_URL is set without DATABASE_URL: set both, or neither for the embedded database',
    )
  const world = vendors(reading, external)
  const traced = tracing(reading)
  const schemes = redirectSchemes(reading)
  const config: Config = {
    port: port(reading, 'PORT') ?? 8080,
    host: text(reading, 'HOST') ?? '127.0.0.1',
    roles: roles(reading),
    databaseUrl,
    databaseDirectUrl,
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

/** Reads the environment of this process; `roles`, when the command names some, takes the place of `LES_ROLES`. */
export const readProcessConfig = (roles?: readonly Role[]): Config =>
  readConfig(roles && roles.length > 0 ? { ...process.env, LES_ROLES: roles.join(',') } : process.env)
