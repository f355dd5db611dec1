/** The only reader of the environment: everything is validated once, every mistake is listed at once. */
import { resolve } from 'node:path'
import { operators, operatorToken, securityContact, signUp } from './access.ts'
import type { Config, Role } from './config.ts'
import { serving } from './costs.ts'
import { database, masterKey } from './database.ts'
import { known } from './known.ts'
import { mail } from './mail.ts'
import { publicUrl, redirectSchemes, trustedProxies } from './network.ts'
import { ConfigError, flag, port, text, type Environment, type Reading } from './reading.ts'
import { keepDays } from './retention.ts'
import { agentEnabled, clock, keywordCutoverAt, logLevel, roles, seedDemo } from './running.ts'
import { tracing } from './tracing.ts'
import { vendors } from './vendors.ts'

export { ConfigError } from './reading.ts'

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
