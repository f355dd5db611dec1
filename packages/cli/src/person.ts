/** Calls below `/app/api` (the log of calls and deliveries) with a person's session; the profile keeps its token. */
import type { Entry } from './catalogue/entry.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { defaultSeconds, printNote, type GlobalOptions, type Shell } from './options.ts'
import { looseness, readConfig } from './profiles.ts'
import { findAccess, readBaseUrl, defaultBaseUrl, type Session } from './session.ts'
import { createTransport, type RawAnswer } from './transport.ts'

const signIn = 'les auth login --session'

function requestOf(entry: Entry, teamId: string, input: Readonly<Record<string, unknown>>) {
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name] ?? '')))
  const rest = Object.entries(input).filter(([name, value]) => !entry.positionals.includes(name) && value !== undefined)
  const isRead = entry.method === 'GET'
  const search =
    isRead && rest.length > 0 ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))}` : ''
  return {
    path: `/app/api/teams/${teamId}${path}${search}`,
    body: isRead || entry.method === 'DELETE' ? undefined : JSON.stringify(Object.fromEntries(rest)),
  }
}

async function valueIn(raw: RawAnswer, baseUrl: string): Promise<Record<string, unknown>> {
  const { ApiError } = await import('@les/contract')
  let value: Record<string, unknown>
  try {
    value = JSON.parse(raw.text) as Record<string, unknown>
  } catch {
    throw new ApiError(raw.status, { error: `${baseUrl} answered ${raw.status} with something that is no JSON` })
  }
  if (raw.status === 401) throw new Failure(exitCodes.signIn, `the sign-in has ended: ${signIn} begins a new one`)
  if (raw.status >= 300) throw new ApiError(raw.status, value, raw.retryAfterSeconds)
  return value
}

/** Opens the person's session of a profile; exit code 4 unless they signed in with `les auth login --session`. */
export function openPerson(options: GlobalOptions, shell: Shell): Session {
  const { baseUrl, profile } = findAccess(options, { ...shell.env, LES_API_KEY: undefined })
  const config = readConfig(shell.env)
  const found = config.profiles[profile]
  const person = found?.session
  if (!person) throw new Failure(exitCodes.signIn, `this asks for a person, not a key: sign in with ${signIn}`)
  if (readBaseUrl(found.baseUrl ?? defaultBaseUrl) !== baseUrl)
    throw new Failure(exitCodes.signIn, `profile ${profile} is signed in at ${found.baseUrl}, not at ${baseUrl}`)
  const loose = looseness(shell.env)
  if (loose) printNote(shell, `les: ${loose}`)
  const settings = { ...config.settings, ...options }
  const timeoutSeconds = settings.timeout ?? defaultSeconds.request
  const transport = createTransport({ baseUrl, timeoutSeconds, shell })
  const send: Session['send'] = (method, path, body) => {
    const idempotency: Record<string, string> =
      method === 'GET' ? {} : { 'idempotency-key': options.idempotencyKey ?? shell.newId() }
    return transport.send(method, path, { body, headers: { authorization: `Bearer ${person.token}`, ...idempotency } })
  }
  return {
    options: settings,
    baseUrl,
    client: () => Promise.reject(new Error('a person has no client of keys')),
    last: transport.last,
    send,
    call: async (entry, input) => {
      const { path, body } = requestOf(entry, person.teamId, input)
      const raw = await send(entry.method, path, body)
      return { value: await valueIn(raw, baseUrl), raw }
    },
  }
}
