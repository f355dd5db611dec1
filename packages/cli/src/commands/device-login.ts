/**
 * Sign-in by device code (RFC 8628): the program shows a code, a person approves it in their browser, and the resulting session
 * is exchanged for an API key at once. Only the key is kept.
 */
import { hostname } from 'node:os'
import { exitCodes } from '../exit-codes.ts'
import { Failure, stopped, usage } from '../failure.ts'
import { defaultSeconds, printNote, type Shell } from '../options.ts'
import { colorsFor, plain } from '../output/text.ts'
import type { PersonSession } from '../profiles.ts'
import { createTransport } from '../transport.ts'

/** Where to sign in, and for which team if one was named. */
type DeviceLogin = {
  readonly baseUrl: string
  readonly team: string | undefined
  readonly timeoutSeconds: number | undefined
}

type Body = Readonly<Record<string, unknown>>
type Team = { readonly id: string; readonly name: string; readonly role: string }
type Ask = (
  method: string,
  path: string,
  given?: { readonly body?: Body; readonly token?: string },
) => Promise<{ readonly status: number; readonly body: Body }>

const client = 'les-cli'
const grant = 'urn:ietf:params:oauth:grant-type:device_code'
const notOffered = [401, 404, 405]
const minSeconds = 1
const slowerSeconds = 5
const maxNameLength = 60

function asking({ baseUrl, timeoutSeconds = defaultSeconds.request }: DeviceLogin, shell: Shell): Ask {
  // The requests carry codes and tokens, so `--debug` must not print them.
  const transport = createTransport({ baseUrl, timeoutSeconds, shell: { ...shell, debug: false } })
  return async (method, path, { body, token } = {}) => {
    const answer = await transport.send(method, path, {
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
    return { status: answer.status, body: objectIn(answer.text) }
  }
}

function objectIn(json: string): Body {
  try {
    return (JSON.parse(json) as Body | null) ?? {}
  } catch {
    return {}
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const seconds = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value > 0 ? value : otherwise

const failed = ({ status, body }: { readonly status: number; readonly body: Body }): Failure =>
  new Failure(
    exitCodes.api,
    plain(text(body.error_description) ?? text(body.error) ?? text(body.message) ?? `the service answered ${status}`),
  )

const endings: Readonly<Record<string, string>> = {
  access_denied: 'the sign-in was denied',
  expired_token: 'the code is too old: start again',
  invalid_grant: 'the code is not good any more: start again',
}

/** Polls at the interval the service allows (RFC 8628 §3.5). */
async function poll(ask: Ask, started: Body, shell: Shell): Promise<string> {
  let pause = Math.max(minSeconds, seconds(started.interval, slowerSeconds))
  const end = shell.now() + seconds(started.expires_in, 600) * 1000
  while (shell.now() < end) {
    await shell.sleep(pause * 1000, shell.signal)
    const { status, body } = await ask('POST', '/app/api/auth/device/token', {
      body: {
        grant_type: grant,
        device_code: started.device_code,
        client_id: client,
      },
    })
    const token = text(body.access_token)
    if (status === 200 && token !== undefined) return token
    const reason = text(body.error)
    if (reason === 'slow_down' || status === 429) pause += slowerSeconds
    else if (reason !== 'authorization_pending' && status < 500)
      throw new Failure(
        exitCodes.signIn,
        plain(endings[reason ?? ''] ?? text(body.error_description) ?? `the service answered ${status}`),
      )
  }
  throw new Failure(exitCodes.signIn, endings.expired_token!)
}

async function chooseTeam(teams: readonly Team[], wanted: string | undefined, shell: Shell): Promise<Team> {
  const owned = teams.filter(({ role }) => role === 'owner')
  const names = owned.map(({ name }) => plain(name)).join(', ')
  if (wanted !== undefined) {
    const named = owned.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted)
    if (named.length === 1) return named[0]!
    throw usage(
      named.length > 1
        ? `several of your teams are called ${wanted}: give the id`
        : `you own no team ${wanted}: you own ${names || 'none'}`,
    )
  }
  if (owned.length === 0)
    throw new Failure(
      exitCodes.signIn,
      'only owners of a team may make API keys, and you own none: ask an owner for a key and give it to les auth login --with-key',
    )
  if (owned.length === 1) return owned[0]!
  if (!shell.mayAsk) throw usage(`you own several teams: choose one with --team (${names})`)
  const id = await shell.ask.choose(
    'Which team is it for?',
    owned.map((team) => ({ value: team.id, label: plain(team.name) })),
  )
  return owned.find((team) => team.id === id) ?? Promise.reject(stopped())
}

type Signed = { readonly ask: Ask; readonly token: string; readonly teams: readonly Team[] }

/** Undefined when the service offers no device sign-in. */
async function signInByCode(login: DeviceLogin, shell: Shell): Promise<Signed | undefined> {
  const ask = asking(login, shell)
  const started = await ask('POST', '/app/api/auth/device/code', { body: { client_id: client } })
  const [code, address] = [
    text(started.body.user_code),
    text(started.body.verification_uri_complete) ?? text(started.body.verification_uri),
  ]
  if (
    notOffered.includes(started.status) ||
    (started.status < 400 && (code === undefined || text(started.body.device_code) === undefined))
  )
    return undefined
  if (started.status >= 400 || code === undefined || address === undefined) throw failed(started)
  // Shown with --quiet too: without them nobody can approve.
  shell.stderr.write(
    `Open ${plain(address)}\nand approve the code ${colorsFor(shell.stderr, shell.env).bold(plain(code))}\n`,
  )
  printNote(shell, 'Waiting for the approval …')
  const token = await poll(ask, started.body, shell)
  const me = await ask('GET', '/app/api/me', { token })
  if (me.status !== 200) throw failed(me)
  return { ask, token, teams: me.body.teams as Team[] }
}

/** A person's session for one of their teams, to be kept; undefined when the service offers no device sign-in. */
export async function offerPersonLogin(login: DeviceLogin, shell: Shell): Promise<PersonSession | undefined> {
  const signed = await signInByCode(login, shell)
  if (!signed) return undefined
  try {
    // Every member may choose a team here: the service checks the role on each command.
    const team = await chooseTeam(
      signed.teams.map((one) => ({ ...one, role: 'owner' })),
      login.team,
      shell,
    )
    printNote(shell, `Signed in for ${plain(team.name)}.`)
    return { token: signed.token, teamId: team.id, teamName: plain(team.name) }
  } catch (error) {
    await endSession(signed.ask, signed.token)
    throw error
  }
}

const endSession = async (ask: Ask, token: string): Promise<void> =>
  void (await ask('POST', '/app/api/auth/sign-out', { body: {}, token }).catch(() => {}))

/** Ends a person's session; an unreachable service is ignored. */
export const endPersonSession = (login: DeviceLogin, token: string, shell: Shell): Promise<void> =>
  endSession(asking(login, shell), token)

/** A key made by a person who approved a code; undefined when the service offers no device sign-in. */
export async function offerDeviceLogin(login: DeviceLogin, shell: Shell): Promise<string | undefined> {
  const signed = await signInByCode(login, shell)
  if (!signed) return undefined
  const { ask, token, teams } = signed
  try {
    const team = await chooseTeam(teams, login.team, shell)
    const made = await ask('POST', '/app/api/device/key', {
      body: { teamId: team.id, name: [...`les on ${hostname()}`].slice(0, maxNameLength).join('') },
      token,
    })
    const key = text(made.body.key)
    if (made.status !== 201 || key === undefined) throw failed(made)
    printNote(shell, `Signed in for ${plain(team.name)}.`)
    return key
  } catch (error) {
    // Do not leave an unused session behind.
    await endSession(ask, token)
    throw error
  }
}
