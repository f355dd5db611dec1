import { usage } from '../failure.ts'
import { configPath, readConfig, writeConfig, type Config } from '../profiles.ts'
import { profileAt, profileNamed, readBaseUrl } from '../session.ts'
import type { Given } from './own-command.ts'

type Setting = {
  readonly read: (config: Config, profile: string) => unknown
  /** Undefined resets the setting to its default. */
  readonly write: (config: Config, profile: string, text: string | undefined) => Config
}

function withSetting(config: Config, name: 'wait' | 'timeout', value: unknown): Config {
  const { [name]: _old, ...rest } = config.settings
  return { ...config, settings: value === undefined ? rest : { ...rest, [name]: value } }
}

const yesOrNo = (text: string): boolean => {
  if (text !== 'true' && text !== 'false') throw usage('must be true or false')
  return text === 'true'
}

const seconds = (text: string): number => {
  if (!(Number(text) > 0)) throw usage('must be a number of seconds')
  return Number(text)
}

const settings: Readonly<Record<string, Setting>> = {
  'base-url': {
    read: (config, profile) => config.profiles[profile]?.baseUrl,
    write: (config, profile, text) => ({
      ...config,
      profiles: {
        ...config.profiles,
        [profile]: profileAt(config.profiles[profile], text === undefined ? undefined : readBaseUrl(text)),
      },
    }),
  },
  wait: {
    read: (config) => config.settings.wait,
    write: (config, _profile, text) => withSetting(config, 'wait', text === undefined ? undefined : yesOrNo(text)),
  },
  timeout: {
    read: (config) => config.settings.timeout,
    write: (config, _profile, text) => withSetting(config, 'timeout', text === undefined ? undefined : seconds(text)),
  },
}

function settingOf(name: string): Setting {
  const found = Object.hasOwn(settings, name) ? settings[name] : undefined
  if (!found) throw usage(`there is no setting ${name}: there are ${Object.keys(settings).join(', ')}`)
  return found
}

/** Shows every setting, the profile and the path of the file. */
export async function list({ options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const profile = profileNamed(options, config, shell.env)
  const values = Object.entries(settings).map(([name, { read }]) => [name, read(config, profile) ?? null] as const)
  const all = { file: configPath(shell.env), profile, ...Object.fromEntries(values) }
  if (options.json !== undefined) return shell.stdout.write(`${JSON.stringify(all)}\n`)
  for (const [name, value] of Object.entries(all)) shell.stdout.write(`${name}\t${String(value ?? '')}\n`)
}

/** Shows one setting; an empty line when it is not set. */
export async function get({ args, options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  const value = settingOf(args[0]!).read(config, profileNamed(options, config, shell.env))
  shell.stdout.write(`${options.json === undefined ? String(value ?? '') : JSON.stringify(value ?? null)}\n`)
}

/** Changes a setting, or resets it when no text is given. */
export async function set({ args: [name, text], options, shell }: Given): Promise<void> {
  const config = readConfig(shell.env)
  writeConfig(shell.env, settingOf(name!).write(config, profileNamed(options, config, shell.env), text))
}
