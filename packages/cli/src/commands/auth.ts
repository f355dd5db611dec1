/** `les auth`: keys in profiles. A key is read from the terminal or from standard input, never from a flag. */
import { entryOf } from '../catalogue/load.ts'
import { bare, runningHere } from '../environment.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, isApiError, stopped, usage } from '../failure.ts'
import { printNote, type GlobalOptions, type Shell } from '../options.ts'
import { maskKey } from '../output/secrets.ts'
import { align, colorsFor } from '../output/text.ts'
import { configPath, firstProfile, readConfig, writeConfig, type Config } from '../profiles.ts'
import { defaultBaseUrl, findAccess, profileAt, readBaseUrl, sessionWith } from '../session.ts'
import { endPersonSession, offerDeviceLogin, offerPersonLogin } from './device-login.ts'
import type { Given } from './own-command.ts'

const printJson = (value: unknown, shell: Shell): void => shell.stdout.write(`${JSON.stringify(value)}\n`)

async function readKey(shell: Shell): Promise<string> {
  if (!shell.mayAsk && shell.stdin.isTty) throw usage('the key is read from standard input: les auth login < key.txt')
  const text = shell.mayAsk
    ? await shell.ask.secret('Paste the API key of your team (cs_…)')
    : (await shell.stdin.read()).toString('utf8')
  if (text === undefined) throw stopped()
  const key = bare(text)
  if (key === '') throw new Failure(exitCodes.usage, 'no key was given: nothing was stored')
  if (!/^[\x21-\x7e]+$/.test(key)) throw usage('that is no API key: it is one word that begins with cs_')
  return key
}

const profileOf = ({ profile }: GlobalOptions, config: Config, shell: Shell): string =>
  profile || shell.env.LES_PROFILE || config.current

type LoginOptions = {
  readonly withKey?: boolean
  readonly device?: boolean
  readonly session?: boolean
  readonly team?: string
}

/** The key to store: by a code where there is somebody to approve it and the service offers it, else one that is at hand. */
async function obtainKey(baseUrl: string, { options, shell }: Given<LoginOptions>): Promise<string> {
  const byCode = options.device === true || options.team !== undefined
  if (options.withKey && byCode)
    throw usage('--with-key takes a key that you have: it goes without --device and --team')
  if (!byCode && (options.withKey || !shell.mayAsk)) return await readKey(shell)
  const key = await offerDeviceLogin({ baseUrl, team: options.team, timeoutSeconds: options.timeout }, shell)
  if (key !== undefined) return key
  if (byCode) throw usage(`${baseUrl} offers no sign-in by a code: les auth login --with-key takes a key`)
  return await readKey(shell)
}

/** Signs a person in and keeps their session in the profile, beside the key. */
async function loginPerson(name: string, baseUrl: string, { options, shell }: Given<LoginOptions>): Promise<void> {
  if (options.withKey) throw usage('--session signs a person in: it goes without --with-key')
  const session = await offerPersonLogin({ baseUrl, team: options.team, timeoutSeconds: options.timeout }, shell)
  if (!session) throw usage(`${baseUrl} offers no sign-in by a code`)
  const config = readConfig(shell.env)
  writeConfig(shell.env, {
    ...config,
    current: name,
    profiles: { ...config.profiles, [name]: { ...profileAt(config.profiles[name], baseUrl), session } },
  })
  if (options.json !== undefined) return printJson({ profile: name, baseUrl, team: session.teamName }, shell)
  shell.stdout.write(`signed in\t${name}\t${baseUrl}\t${session.teamName}\n`)
}

/** Gets a key, tries it and stores it. Refuses to store one that the service does not take. */
export async function login(given: Given<LoginOptions>): Promise<void> {
  const { options, shell } = given
  const config = readConfig(shell.env)
  const name = profileOf(options, config, shell)
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw usage('a profile is named by letters, digits, dots, dashes and underscores')
  const baseUrl = readBaseUrl(
    options.baseUrl ||
      shell.env.LES_BASE_URL ||
      config.profiles[name]?.baseUrl ||
      runningHere(shell.env) ||
      defaultBaseUrl,
  )
  if (options.session) return await loginPerson(name, baseUrl, given)
  const apiKey = await obtainKey(baseUrl, given)
  const { value } = await sessionWith({ baseUrl, apiKey, options }, shell).call(entryOf('getCredits'), {})
  writeConfig(shell.env, {
    ...config,
    current: name,
    profiles: { ...config.profiles, [name]: { ...profileAt(config.profiles[name], baseUrl), apiKey } },
  })
  if (options.json !== undefined)
    return printJson({ profile: name, baseUrl, key: maskKey(apiKey), plan: value.plan, balance: value.balance }, shell)
  shell.stdout.write(`signed in\t${name}\t${baseUrl}\n`)
  printNote(
    shell,
    `Plan ${String(value.plan)}, ${String(value.balance)} credits. The key is kept in ${configPath(shell.env)}, for you alone.`,
  )
  if (shell.env.LES_API_KEY) printNote(shell, 'les: LES_API_KEY is set and goes before this profile.')
}

/** Removes the key of a profile, or all of the profile when it was chosen by name. */
export async function logout({ options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const name = profileOf(options, config, shell)
  if (!config.profiles[name]) throw usage(`there is no profile ${name}`)
  const { [name]: gone, ...profiles } = config.profiles
  if (gone?.session)
    await endPersonSession(
      { baseUrl: readBaseUrl(gone.baseUrl ?? defaultBaseUrl), team: undefined, timeoutSeconds: options.timeout },
      gone.session.token,
      shell,
    )
  const current = config.current === name ? (Object.keys(profiles)[0] ?? firstProfile) : config.current
  writeConfig(shell.env, { ...config, current, profiles })
  if (options.json !== undefined) return printJson({ profile: name, removed: true, current }, shell)
  shell.stdout.write(`signed out\t${name}\n`)
}

/** Makes another profile the current one. */
export async function switchTo({ args, options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const name = args[0]!
  if (!config.profiles[name])
    throw usage(`there is no profile ${name}: there are ${Object.keys(config.profiles).join(', ') || 'none'}`)
  writeConfig(shell.env, { ...config, current: name })
  if (options.json !== undefined) return printJson({ current: name }, shell)
  shell.stdout.write(`switched\t${name}\n`)
}

type Row = {
  readonly profile: string
  readonly current: boolean
  readonly baseUrl: string
  readonly key: string | null
  readonly keyFrom: string | null
}

function rowsOf(options: GlobalOptions, shell: Shell): Row[] {
  const { config, baseUrl, apiKey, profile, keyFrom } = findAccess(options, shell.env)
  const stored = Object.entries(config.profiles).map(
    ([name, each]): Row => ({
      profile: name,
      current: name === profile && keyFrom !== 'LES_API_KEY',
      baseUrl: each.baseUrl ?? defaultBaseUrl,
      key: each.apiKey ? maskKey(each.apiKey) : null,
      keyFrom: each.apiKey ? 'profile' : null,
    }),
  )
  return keyFrom === 'LES_API_KEY'
    ? [{ profile: '(environment)', current: true, baseUrl, key: maskKey(apiKey!), keyFrom }, ...stored]
    : stored
}

/** Shows the profiles, and tries the key that is used; ends with 4 when there is none or it is not taken. */
export async function status({ options, shell }: Given): Promise<void> {
  const rows = rowsOf(options, shell)
  const { apiKey, baseUrl } = findAccess(options, shell.env)
  const refused =
    apiKey === undefined
      ? undefined
      : await sessionWith({ baseUrl, apiKey, options }, shell)
          .call(entryOf('getCredits'), {})
          .then(
            () => undefined,
            (error: unknown) => error,
          )
  const state =
    apiKey === undefined
      ? 'no key'
      : refused === undefined
        ? 'valid'
        : isApiError(refused) && refused.status === 401
          ? 'not valid'
          : `not known: ${(refused as Error).message}`
  if (options.json !== undefined) printJson({ profiles: rows, keyIs: state }, shell)
  else {
    const cells = rows.map(({ current, profile, baseUrl: url, key }) => [
      current ? '*' : '',
      profile,
      url,
      key ?? 'no key',
      current ? state : '',
    ])
    shell.stdout.write(
      shell.stdout.isTty
        ? align([['', 'PROFILE', 'ADDRESS', 'KEY', 'STATE'], ...cells])
        : cells.map((row) => `${row.join('\t')}\n`).join(''),
    )
    if (rows.length === 0) printNote(shell, colorsFor(shell.stderr, shell.env).dim('no profiles yet'))
  }
  if (apiKey === undefined) throw new Failure(exitCodes.signIn, 'no API key')
  if (refused !== undefined) throw refused
}
