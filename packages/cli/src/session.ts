/** What one command works with: where the service is, who asks, and how the answer is wanted. */
import type { Client, OperationId } from '@les/contract'
import type { Entry } from './catalogue/entry.ts'
import { exitCodes } from './exit-codes.ts'
import { bare, runningHere, usableKey } from './environment.ts'
import { Failure, usage } from './failure.ts'
import { defaultSeconds, printNote, type GlobalOptions, type Shell } from './options.ts'
import { looseness, readConfig, type Config, type Profile } from './profiles.ts'
import { createTransport, userAgent, type RawAnswer } from './transport.ts'

/** An answer parsed, and as it came. */
export type Answer<Value = Readonly<Record<string, unknown>>> = { readonly value: Value; readonly raw: RawAnswer }

export type Session = {
  readonly options: GlobalOptions
  readonly baseUrl: string
  /** Calls an operation; rejects with `ApiError` when it is refused. */
  readonly call: (entry: Entry, input: Readonly<Record<string, unknown>>) => Promise<Answer>
  /** Sends any request below the service's address. */
  readonly send: (method: string, path: string, body: string | undefined) => Promise<RawAnswer>
  /** The typed client: loaded when something is sent, for it brings every schema with it. */
  readonly client: () => Promise<Client>
  /** The answer that came last, whatever it was. */
  readonly last: () => RawAnswer | undefined
}

/** Where the service is when nothing says otherwise. */
export const defaultBaseUrl = 'http://127.0.0.1:8080'

/** The origin of an address; refuses what is none. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(bare(text))
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin
  throw usage(
    `${text} is not the address of a service: give one such as ${defaultBaseUrl} with --base-url or LES_BASE_URL`,
  )
}

/**
 * A profile with another address, or the usual one without; what lets its owner in stays with the service it was given by, so that no
 * service gets the key or the session of another.
 */
export function profileAt(profile: Profile | undefined, baseUrl: string | undefined): Profile {
  const { baseUrl: before, ...given } = profile ?? {}
  const originOf = (address: string | undefined) => URL.parse(address ?? defaultBaseUrl)?.origin
  return {
    ...(originOf(before) === originOf(baseUrl) ? given : {}),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  }
}

/** Which service and which key a command uses, and where each was found. */
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
 * Finds them: flags go before the environment, the environment before the profile. A profile that is named on the command line
 * goes before LES_API_KEY. Refuses to send the key of a profile to another service than the profile's.
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

/** Opens a session. Refuses when there is no key or the address is none. */
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
    // A key of our own makes a change, or a read that charges, safe to try again when the connection breaks before the answer is here.
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
      // Whether it charges is not known here; where a key means nothing, the service does not look at it.
      const headers = { 'x-api-key': apiKey, 'idempotency-key': options.idempotencyKey ?? shell.newId() }
      for (let attempt = 1; ; attempt++) {
        const answer = await transport.send(method, path, { body, headers })
        // A request that came too fast was not looked at: sending it again is safe whatever it is.
        if (answer.status !== 429 || attempt > retries) return answer
        await sleep((answer.retryAfterSeconds ?? 2 ** (attempt - 1)) * 1000)
      }
    },
  }
}
