/** `les auth`: keys in profiles. Keys are read from the terminal or standard input, never from a flag. */
import { entryOf } from '../catalogue/load.ts'
import { cleanSetting, runningHere } from '../environment.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, isApiError, stopped, usage } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'
import { printOutcome } from '../output/print.ts'
import { maskKey } from '../output/secrets.ts'
import { align, colorsFor } from '../output/text.ts'
import { configPath, firstProfile, readConfig, writeConfig, type Profile } from '../profiles.ts'
import {
  defaultBaseUrl,
  findAccess,
  profileAt,
  profileNamed,
  readBaseUrl,
  sessionWith,
  type Access,
} from '../session.ts'
import { endPersonSession, offerDeviceLogin, offerPersonLogin } from './device-login.ts'
import type { Given } from './own-command.ts'

async function readKey(shell: Shell): Promise<string> {
  if (!shell.mayAsk && shell.stdin.isTty) throw usage('the key is read from standard input: les auth login < key.txt')
  const text = shell.mayAsk
    ? await shell.ask.secret('Paste the API key of your team (cs_…)')
    : (await shell.stdin.read()).toString('utf8')
  if (text === undefined) throw stopped()
  const key = cleanSetting(text)
  if (key === '') throw new Failure(exitCodes.usage, 'no key was given: nothing was stored')
  if (!/^[\x21-\x7e]+$/.test(key)) throw usage('that is no API key: it is one word that begins with cs_')
  return key
}

type LoginOptions = {
  readonly withKey?: boolean
  readonly device?: boolean
  readonly session?: boolean
  readonly team?: string
}

/** The key to store: by device code if someone can approve it and the service offers it, else pasted or read. */
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

function keep(shell: Shell, name: string, { baseUrl, ...access }: Profile & { readonly baseUrl: string }): void {
  const config = readConfig(shell.env)
  const profile = { ...profileAt(config.profiles[name], baseUrl), ...access }
  writeConfig(shell.env, { ...config, current: name, profiles: { ...config.profiles, [name]: profile } })
}

async function loginPerson(name: string, baseUrl: string, { options, shell }: Given<LoginOptions>): Promise<void> {
  if (options.withKey) throw usage('--session signs a person in: it goes without --with-key')
  const session = await offerPersonLogin({ baseUrl, team: options.team, timeoutSeconds: options.timeout }, shell)
  if (!session) throw usage(`${baseUrl} offers no sign-in by a code`)
  keep(shell, name, { baseUrl, session })
  const { teamName } = session
  printOutcome({ options, shell }, { profile: name, baseUrl, team: teamName }, ['signed in', name, baseUrl, teamName])
}

/** Gets a key, tries it and stores it; a key that the service refuses is not stored. */
export async function login(given: Given<LoginOptions>): Promise<void> {
  const { options, shell } = given
  const config = readConfig(shell.env)
  const name = profileNamed(options, config, shell.env)
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
  keep(shell, name, { baseUrl, apiKey })
  const { plan, balance } = value
  const made = { profile: name, baseUrl, key: maskKey(apiKey), plan, balance }
  printOutcome({ options, shell }, made, ['signed in', name, baseUrl])
  if (options.json !== undefined) return
  printNote(
    shell,
    `Plan ${String(plan)}, ${String(balance)} credits. The key is kept in ${configPath(shell.env)}, for you alone.`,
  )
  if (shell.env.LES_API_KEY) printNote(shell, 'les: LES_API_KEY is set and goes before this profile.')
}

/** Removes the key of a profile, or the whole profile if it was named. */
export async function logout({ options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const name = profileNamed(options, config, shell.env)
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
  printOutcome({ options, shell }, { profile: name, removed: true, current }, ['signed out', name])
}

export async function switchTo({ args, options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const name = args[0]!
  if (!config.profiles[name])
    throw usage(`there is no profile ${name}: there are ${Object.keys(config.profiles).join(', ') || 'none'}`)
  writeConfig(shell.env, { ...config, current: name })
  printOutcome({ options, shell }, { current: name }, ['switched', name])
}

function rowsOf({ config, baseUrl, apiKey, profile, keyFrom }: Access) {
  const stored = Object.entries(config.profiles).map(([name, each]) => ({
    profile: name,
    current: name === profile && keyFrom !== 'LES_API_KEY',
    baseUrl: each.baseUrl ?? defaultBaseUrl,
    key: each.apiKey ? maskKey(each.apiKey) : null,
    keyFrom: each.apiKey ? 'profile' : null,
  }))
  if (keyFrom !== 'LES_API_KEY') return stored
  return [{ profile: '(environment)', current: true, baseUrl, key: maskKey(apiKey!), keyFrom }, ...stored]
}

async function refusalOf(apiKey: string, baseUrl: string, { options, shell }: Given): Promise<unknown> {
  try {
    await sessionWith({ baseUrl, apiKey, options }, shell).call(entryOf('getCredits'), {})
    return undefined
  } catch (error) {
    return error
  }
}

function stateOf(apiKey: string | undefined, refused: unknown): string {
  if (apiKey === undefined) return 'no key'
  if (refused === undefined) return 'valid'
  if (isApiError(refused) && refused.status === 401) return 'not valid'
  return `not known: ${(refused as Error).message}`
}

/** Lists the profiles and tries the key in use; exits with 4 when there is none or it is refused. */
export async function status(given: Given): Promise<void> {
  const { options, shell } = given
  const access = findAccess(options, shell.env)
  const { apiKey, baseUrl } = access
  const rows = rowsOf(access)
  const refused = apiKey === undefined ? undefined : await refusalOf(apiKey, baseUrl, given)
  const state = stateOf(apiKey, refused)
  if (options.json !== undefined) printOutcome(given, { profiles: rows, keyIs: state }, [])
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
