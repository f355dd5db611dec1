/** Profiles and settings in one file: mode 0600 in a folder of mode 0700, replaced atomically. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { usage } from './failure.ts'
import type { Io } from './io.ts'

/** A signed-in person and the team they chose. */
export type PersonSession = { readonly token: string; readonly teamId: string; readonly teamName: string }

/** A service, the key of a team, and a person's session. */
export type Profile = { readonly baseUrl?: string; readonly apiKey?: string; readonly session?: PersonSession }

export type Settings = { readonly wait?: boolean; readonly timeout?: number }

export type Config = {
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
  readonly settings: Settings
}

/** Used unless another profile is chosen. */
export const firstProfile = 'default'

const empty: Config = { current: firstProfile, profiles: {}, settings: {} }

/** The path of the file (XDG base directories). */
export function configPath(env: Io['env']): string {
  const base =
    env.XDG_CONFIG_HOME || ((env.HOME ?? env.USERPROFILE) ? join(env.HOME ?? env.USERPROFILE ?? '', '.config') : '')
  if (base === '') throw usage('there is no place for profiles: set HOME or XDG_CONFIG_HOME')
  return join(base, 'les', 'config.json')
}

const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR'

/** Reads the file; a missing file is empty, an unreadable one is refused. */
export function readConfig(env: Io['env']): Config {
  if (!env.XDG_CONFIG_HOME && !env.HOME && !env.USERPROFILE) return empty
  const path = configPath(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return empty
    throw usage(`${path} cannot be read: ${(error as Error).message}`)
  }
  try {
    const { current, profiles, settings } = JSON.parse(text) as Partial<Config>
    return {
      current: typeof current === 'string' ? current : firstProfile,
      profiles: profiles ?? {},
      settings: settings ?? {},
    }
  } catch {
    throw usage(`${path} is not valid JSON: mend it, or delete it and sign in again with les auth login`)
  }
}

export function writeConfig(env: Io['env'], config: Config): void {
  const path = configPath(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
  const draft = `${path}.${process.pid}.tmp`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Who else may read the file, in words; undefined when nobody, or when there is no file. */
export function looseness(env: Io['env']): string | undefined {
  if (process.platform === 'win32') return undefined
  const path = configPath(env)
  const mode = (each: string): number | undefined => {
    try {
      return statSync(each).mode & 0o777
    } catch {
      return undefined
    }
  }
  const [file, folder] = [mode(path), mode(dirname(path))]
  if (file !== undefined && (file & 0o077) !== 0)
    return `${path} has mode 0${file.toString(8)}: others can read your key; run chmod 600 ${path}`
  if (file !== undefined && folder !== undefined && (folder & 0o077) !== 0)
    return `${dirname(path)} has mode 0${folder.toString(8)}: run chmod 700 ${dirname(path)}`
  return undefined
}
