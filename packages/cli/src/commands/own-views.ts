import { Option } from 'commander'
import { TwoWayOption } from './operation-command.ts'
import { count, type OwnCommand } from './own-command.ts'

/** What several calls, or one shown in another form, tell. */
export const viewCommands: readonly OwnCommand[] = [
  {
    words: ['sources', 'show'],
    summary: 'Show one source: its settings, and how its sync stands',
    examples: ['les sources show 0199aa00-0000-7000-8000-000000000001', 'les sources show jane-doe --json'],
    declare: (command) => void command.argument('<id>', 'id or username'),
    run: async (given) => (await import('./views.ts')).showSource(given),
  },
  {
    words: ['keyword', 'list'],
    summary: 'List keyword searches',
    examples: ['les keyword list', 'les keyword list --json name,creditCap'],
    declare: (command) => void command.option('--include-inactive', 'Also those that were untracked.'),
    run: async (given) => (await import('./views.ts')).listKeyword(given),
  },
  {
    words: ['keyword', 'show'],
    summary: 'Show one keyword search: its settings, and how its run stands',
    examples: ['les keyword show 0199aa00-0000-7000-8000-000000000001'],
    declare: (command) => void command.argument('<id>', 'id or username'),
    run: async (given) => (await import('./views.ts')).showSource(given),
  },
  {
    words: ['agent', 'plan'],
    summary: 'Show the plan of the agent: what it tracks and why',
    examples: ['les agent plan', 'les agent plan --json'],
    declare: (command) => void command.option('--agent-id <id>', 'Which one, when there are several.'),
    run: async (given) => (await import('./views.ts')).showPlan(given),
  },
  {
    words: ['usage'],
    summary: 'Show what was charged, by day or by source',
    examples: ['les usage', 'les usage --by source --csv', 'les usage --from 2026-11-01 --to 2026-11-30 --csv'],
    declare: (command) =>
      void command
        .option('--from <date>', 'First day (UTC).')
        .option('--to <date>', 'Last day (UTC).')
        .addOption(new Option('--by <what>', 'Rows by day, or by source.').choices(['day', 'source']).default('day'))
        .option('--csv', 'As CSV with a head.'),
    run: async (given) => (await import('./views.ts')).showUsage(given),
  },
  {
    words: ['leads', 'tail'],
    summary: 'Show leads as they are captured',
    description: 'Gives each new lead once, until Ctrl-C. With --json each is one line of JSON.',
    examples: ['les leads tail', 'les leads tail --is-icp --json', 'les leads tail --username jane-doe --count 10'],
    declare: (command) =>
      void command
        .option('--username <handle>', 'Only leads of this source.')
        .addOption(new TwoWayOption('--is-icp', 'Only leads that fit the criteria; with no, only those that do not.'))
        .addOption(new Option('--no-is-icp').hideHelp())
        .addOption(new Option('--interval <seconds>', 'How often it looks.').default(5).argParser(count))
        .addOption(new Option('--count <number>', 'End after so many leads.').argParser(count)),
    run: async (given) => (await import('./tail.ts')).tail(given),
  },
]
