/** Parses the words after `les-server`. Imports nothing at run time, since every start passes through here. */
import type { Role } from '../config/config.ts'

export type Command = { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }

/** Serve in `roles` (none: those of `LES_ROLES`), print a text, or run a command. */
type Asked =
  | { readonly kind: 'serve'; readonly roles: readonly Role[] }
  | { readonly kind: 'text'; readonly text: string; readonly failed: boolean }
  | Command

/** Every command but serving, with its help. */
export const commands: Readonly<Record<string, string>> = {
  teams: 'makes, shows and changes teams of the running service',
  keys: 'makes keys of the running service',
  credits: 'grants credits',
  shards: 'shows shards, adds one, and moves teams between them',
  backup: 'takes a backup with pg_dump while the service runs (--to FOLDER)',
  restore: 'puts a backup into an empty database with pg_restore (--from FOLDER)',
  doctor: 'looks at what the service depends on, and says what to do (--deep, --json)',
}

const roles: readonly string[] = ['http', 'worker', 'clock'] satisfies readonly Role[]

const width = 16

const helpText = (): string =>
  [
    'les-server                            the service, in the roles of LES_ROLES (all unless set)',
    'les-server http|worker|clock …        the service, in the roles that are named',
    ...Object.entries(commands).map(([name, summary]) => `les-server ${name.padEnd(width)}           ${summary}`),
    '',
    'Settings are environment variables, each also as NAME_FILE: see docs/generated/settings.md.',
    '',
  ].join('\n')

/** Parses the command line. */
export function readCommand(words: readonly string[]): Asked {
  const [first, ...rest] = words
  if (first === undefined || first === 'serve') return serve(rest)
  if (roles.includes(first)) return serve(words)
  if (first === 'help' || first === '--help' || first === '-h') return { kind: 'text', text: helpText(), failed: false }
  if (Object.hasOwn(commands, first)) return { kind: 'command', name: first, words: rest }
  return unknown(first)
}

function serve(words: readonly string[]): Asked {
  const wrong = words.find((word) => !roles.includes(word))
  return wrong === undefined ? { kind: 'serve', roles: [...new Set(words)] as Role[] } : unknown(wrong)
}

const unknown = (word: string): Asked => ({
  kind: 'text',
  text: `les-server does not know ${JSON.stringify(word)}\n\n${helpText()}`,
  failed: true,
})
