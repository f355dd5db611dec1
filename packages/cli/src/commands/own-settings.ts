import type { OwnCommand } from './own-command.ts'

/** Signing in, and the settings of the client. */
export const settingCommands: readonly OwnCommand[] = [
  {
    words: ['auth', 'login'],
    summary: 'Sign in, and store the key of a team in a profile',
    description:
      'At a terminal it shows a code and an address: whoever opens the address and approves the code signs this ' +
      'command line in, and it makes itself an API key. Without a terminal it reads a key from standard input: ' +
      'a key never stands on a command line. A key is tried against the service before it is stored.',
    examples: [
      'les auth login',
      'les auth login --with-key',
      'les auth login --profile staging --base-url https://staging.example.com < key.txt',
      'les auth login --device --team "Acme Sales"',
      'les auth login --session',
    ],
    declare: (command) => {
      command.option('--with-key', 'Give a key that you have: asked for at a terminal, else read from standard input.')
      command.option('--device', 'Sign in by a code, without a terminal too.')
      command.option(
        '--session',
        'Stay signed in as a person, for what no key opens: les requests, les deliveries, les webhooks listen --hosted.',
      )
      command.option(
        '--team <name>',
        'Team to sign in for, by its name or id; needed by --device when you own several.',
      )
    },
    run: async (given) => (await import('./auth.ts')).login(given),
  },
  {
    words: ['auth', 'logout'],
    summary: 'Remove the key of a profile',
    description: 'The key itself stays valid: les keys revoke ends it. The session of a person ends.',
    examples: ['les auth logout', 'les auth logout --profile staging'],
    run: async (given) => (await import('./auth.ts')).logout(given),
  },
  {
    words: ['auth', 'status'],
    summary: 'Show the profiles and whose key is used',
    examples: ['les auth status', 'les auth status --json'],
    run: async (given) => (await import('./auth.ts')).status(given),
  },
  {
    words: ['auth', 'switch'],
    summary: 'Make another profile the current one',
    examples: ['les auth switch staging'],
    declare: (command) => void command.argument('<profile>'),
    run: async (given) => (await import('./auth.ts')).switchTo(given),
  },
  {
    words: ['config', 'list'],
    summary: 'Show the settings and where they are kept',
    examples: ['les config list', 'les config list --json'],
    run: async (given) => (await import('./config.ts')).list(given),
  },
  {
    words: ['config', 'get'],
    summary: 'Show one setting',
    examples: ['les config get wait'],
    declare: (command) => void command.argument('<setting>'),
    run: async (given) => (await import('./config.ts')).get(given),
  },
  {
    words: ['config', 'set'],
    summary: 'Change a setting',
    description:
      'Settings: base-url (of the profile), wait (true: wait for background work unless --no-wait), timeout (seconds).',
    examples: ['les config set base-url https://les.example.com', 'les config set wait true'],
    declare: (command) => void command.argument('<setting>').argument('<value>'),
    run: async (given) => (await import('./config.ts')).set(given),
  },
  {
    words: ['config', 'unset'],
    summary: 'Put a setting back to its default',
    examples: ['les config unset wait'],
    declare: (command) => void command.argument('<setting>'),
    run: async (given) => (await import('./config.ts')).unset(given),
  },
]
