/** The commands that are the client's own: declared here and beside this file, loaded when they run. */
import { Argument } from 'commander'
import type { OwnCommand } from './own-command.ts'
import { declaredCommands } from './own-declared.ts'
import { settingCommands } from './own-settings.ts'
import { viewCommands } from './own-views.ts'
import { webhookCommands } from './own-webhooks.ts'

const dashboardPages = [
  'leads',
  'sources',
  'keyword',
  'discover',
  'agent',
  'webhooks',
  'outreach',
  'credits',
  'requests',
  'settings',
]

/** Every command of the client's own, in the order the help lists them. */
export const ownCommands: readonly OwnCommand[] = [
  ...settingCommands,
  ...declaredCommands,
  ...viewCommands,
  {
    words: ['open'],
    summary: 'Open a page of the dashboard in the browser',
    description: 'Prints its address too; without a terminal, or with --print, only that.',
    examples: ['les open', 'les open sources --id 0199aa00-0000-7000-8000-000000000001', 'les open requests --print'],
    declare: (command) =>
      void command
        .addArgument(new Argument('[page]', 'which page').choices(dashboardPages).default('leads'))
        .option('--id <id>', 'One lead, source, search or run.')
        .option('--print', 'Only print the address.'),
    run: async (given) => (await import('./open.ts')).open(given),
  },
  {
    words: ['doctor'],
    summary: 'Look for what may be wrong',
    description:
      'Checks this program, who can read the profile file, the service, the clocks, the key, the quota, ' +
      'what the service tells of its vendors, and a signed delivery to a listener on this machine. ' +
      'Ends with 1 when something is wrong.',
    examples: ['les doctor', 'les doctor --json'],
    run: async (given) => (await import('./doctor.ts')).doctor(given),
  },
  ...webhookCommands,
  {
    words: ['mcp'],
    summary: 'Serve the agent tools over standard input and output',
    description:
      'For a client that starts its tool servers itself. Calls go to the service with the key of the profile.',
    examples: ['les mcp', 'les mcp --toolsets leads,sources --read-only'],
    declare: (command) =>
      void command
        .option('--toolsets <names>', 'Only these toolsets, by commas.')
        .option('--read-only', 'Only tools that neither change nor charge anything.'),
    run: async (given) => (await import('./mcp.ts')).serveTools(given),
  },
  {
    words: ['completion'],
    summary: 'Print the completion script of a shell',
    examples: [
      'source <(les completion bash)',
      'les completion zsh > ~/.zfunc/_les',
      'les completion fish > ~/.config/fish/completions/les.fish',
    ],
    declare: (command) => void command.addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish'])),
    run: async (given) => (await import('./completion.ts')).printScript(given),
  },
]
