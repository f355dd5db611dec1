import type { Client, OperationId } from '@les/contract'
import type { Entry } from './catalogue/entry.ts'
import { exitCodes } from './exit-codes.ts'
import { cleanSetting, runningHere, usableKey } from './environment.ts'
import { Failure, usage } from './failure.ts'
import { defaultSeconds, printNote, type GlobalOptions, type Shell } from './options.ts'
import { looseness, readConfig, type Config, type Profile } from './profiles.ts'
import { createTransport, userAgent, type RawAnswer } from './transport.ts'

/** An answer, parsed and as received. */
export type Answer<Value = Readonly<Record<string, unknown>>> = { readonly value: Value; readonly raw: RawAnswer }

export type Session = {
  readonly options: GlobalOptions
  readonly baseUrl: string
  /** Rejects with `ApiError` when refused. */
  readonly call: (entry: Entry, input: Readonly<Record<string, unknown>>) => Promise<Answer>
  readonly send: (method: string, path: string, body: string | undefined) => Promise<RawAnswer>
  /** The typed client, loaded on demand because it loads every schema. */
  readonly client: () => Promise<Client>
  readonly last: () => RawAnswer | undefined
}

/** Used when no address is configured. */
export const defaultBaseUrl = 'http://127.0.0.1:8080'

/** The origin of an address; anything else is a usage error. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(cleanSetting(text))
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin
  throw usage(
    `${text} is not the address of a service: give one such as ${defaultBaseUrl} with --base-url or LES_BASE_URL`,
  )
}

/** A profile moved to an address (undefined: the default). Key and session stay only if the origin is the same. */
export function profileAt(profile: Profile | undefined, baseUrl: string | undefined): Profile {
  const { baseUrl: before, ...given } = profile ?? {}
  const originOf = (address: string | undefined) => URL.parse(address ?? defaultBaseUrl)?.origin
  return {
    ...(originOf(before) === originOf(baseUrl) ? given : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  }
}

/** The service and key that a command uses, and where the key was found. */
export type Access = {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly profile: string
  readonly keyFrom: 'LES_API_KEY' | 'profile' | null
  readonly config: Config
}

export const profileNamed = ({ profile }: GlobalOptions, config: Config, env: Shell['env']): string =>
  profile || env.LES_PROFILE || config.current

/**
 * Precedence: flags, environment, profile; a profile named on the command line overrides LES_API_KEY. Refuses to send a profile's
 * key to another service.
 */
export function findAccess(options: GlobalOptions, env: Shell['env']): Access {
  const config = readConfig(env)
  const profile = profileNamed(options, config, env)
  const found = Object.hasOwn(config.profiles, profile) ? config.profiles[profile] : undefined
  if (!found && (options.profile || env.LES_PROFILE))
    throw usage(
      `there is no profile ${profile}: les auth status lists them, les auth login --profile ${profile} makes it`,
    )
  const fromEnvironment = options.profile || !env.LES_API_KEY ? undefined : usableKey(env.LES_API_KEY, 'LES_API_KEY')
  const otherAddress =
    options.baseUrl || (options.profile && found?.baseUrl ? undefined : env.LES_BASE_URL) || undefined
  const baseUrl = readBaseUrl(otherAddress ?? found?.baseUrl ?? runningHere(env) ?? defaultBaseUrl)
  if (fromEnvironment) return { baseUrl, apiKey: fromEnvironment, profile, keyFrom: 'LES_API_KEY', config }
  if (!found?.apiKey) return { baseUrl, apiKey: undefined, profile, keyFrom: null, config }
  const home = readBaseUrl(found.baseUrl ?? defaultBaseUrl)
  if (home !== baseUrl)
    throw usage(
      `profile ${profile} belongs to ${home}: its key is not sent to ${baseUrl}; ` +
        `sign in there with les auth login --profile <name> --base-url ${baseUrl}`,
    )
  return { baseUrl, apiKey: usableKey(found.apiKey, `profile ${profile}`), profile, keyFrom: 'profile', config }
}

/** Opens a session; refuses without a key or with an invalid address. */
export function openSession(options: GlobalOptions, shell: Shell): Session {
  const { baseUrl, apiKey, keyFrom, config } = findAccess(options, shell.env)
  if (!apiKey) throw new Failure(exitCodes.signIn, 'no API key')
  const loose = keyFrom === 'profile' ? looseness(shell.env) : undefined
  if (loose) printNote(shell, `les: ${loose}`)
  return sessionWith({ baseUrl, apiKey, options: { ...config.settings, ...options } }, shell)
}

const retries = 3
const maxWaitMs = 120_000

export function sessionWith(
  { baseUrl, apiKey, options }: { baseUrl: string; apiKey: string; options: GlobalOptions },
  shell: Shell,
): Session {
  const timeoutSeconds = options.timeout ?? defaultSeconds.request
  const transport = createTransport({ baseUrl, timeoutSeconds, shell })
  const sleep = async (ms: number): Promise<void> => {
    if (ms >= 1000) printNote(shell, `les: trying again in ${Math.ceil(ms / 1000)} s`)
    await shell.sleep(ms, shell.signal)
  }
  const retry = { attempts: retries, maxWaitMs, sleep, random: shell.random }
  let opened: Promise<Client> | undefined
  const client = () =>
    (opened ??= import('@les/contract').then(({ createClient }) =>
      createClient({ baseUrl, apiKey, fetch: transport.fetch, userAgent, retry, timeoutMs: timeoutSeconds * 1000 }),
    ))
  const call: Session['call'] = async (entry, input) => {
    const method = (await client())[entry.id as OperationId] as (
      input: unknown,
      settings: unknown,
    ) => Promise<Readonly<Record<string, unknown>>>
    // With an own key, a change or charging read can be retried when the connection breaks before the answer.
    const settings =
      entry.method === 'GET' && !entry.charges ? {} : { idempotencyKey: options.idempotencyKey ?? shell.newId() }
    const value = await method(input, settings).catch(transport.explained)
    return { value, raw: transport.last()! }
  }
  return {
    options,
    baseUrl,
    client,
    last: transport.last,
    call,
    send: async (method, path, body) => {
      // Whether it charges is unknown here; the service ignores the key where it means nothing.
      const headers = { 'x-api-key': apiKey, 'idempotency-key': options.idempotencyKey ?? shell.newId() }
      for (let attempt = 1; ; attempt++) {
        const answer = await transport.send(method, path, { body, headers })
        // A request refused with 429 was not carried out, so any request can be sent again.
        if (answer.status !== 429 || attempt > retries) return answer
        await sleep((answer.retryAfterSeconds ?? 2 ** (attempt - 1)) * 1000)
      }
    },
  }
}
