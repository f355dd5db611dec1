/** Declares the client's own commands. Their implementations are loaded only when they run. */
import type { EventName } from '@les/contract'
import { Argument, Option, type Command } from 'commander'
import { TwoWayOption } from './operation-command.ts'
import { count, refuse, type OwnCommand } from './own-command.ts'

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

const settingsFile = (command: Command) => command.option('--file <file>', 'Path of the file.', 'les.yaml')

const portNumber = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : refuse('must be a port, 0 to 65535')

const secretFile = (command: Command) =>
  command.option(
    '--secret-file <file>',
    'File with the signing secret (whsec_…); default: LES_SIGNING_SECRET, otherwise read from the service.',
  )

/** Repeated here so that the contract is not loaded at start; a missing event does not compile. */
const events: Readonly<Record<EventName, true>> = {
  'lead.detected': true,
  'post.detected': true,
  'sync.completed': true,
  'sync.failed': true,
  'person.erased': true,
}
const eventNames = Object.keys(events)

/** In the order of the help. */
export const ownCommands: readonly OwnCommand[] = [
  {
    words: ['auth', 'login'],
    summary: 'Sign in, and store the key of a team in a profile',
    description:
      'At a terminal, shows a code and a URL. A person opens the URL and approves the code; this signs the ' +
      'command line in, and it creates an API key for itself. Without a terminal, reads a key from standard ' +
      'input. A key is never passed on the command line. Keys are tested against the service before they are ' +
      'stored.',
    examples: [
      'les auth login',
      'les auth login --with-key',
      'les auth login --profile staging --base-url https://staging.example.com < key.txt',
      'les auth login --device --team "Acme Sales"',
      'les auth login --session',
    ],
    declare: (command) => {
      command.option(
        '--with-key',
        'Use an existing key: prompts for it at a terminal, otherwise reads it from standard input.',
      )
      command.option('--device', 'Sign in with a code; also works without a terminal.')
      command.option(
        '--session',
        'Stay signed in as a person, for commands that an API key cannot use: les requests, les deliveries, les ' +
          'webhooks listen --hosted.',
      )
      command.option(
        '--team <name>',
        'Team to sign in for, by name or id; required with --device when you own several teams.',
      )
    },
    run: async (given) => (await import('./auth.ts')).login(given),
  },
  {
    words: ['auth', 'logout'],
    summary: 'Remove the key of a profile',
    description: "The key itself stays valid; revoke it with les keys revoke. A person's session ends.",
    examples: ['les auth logout', 'les auth logout --profile staging'],
    run: async (given) => (await import('./auth.ts')).logout(given),
  },
  {
    words: ['auth', 'status'],
    summary: 'Show the profiles and which key is used',
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
    summary: 'Reset a setting to its default',
    examples: ['les config unset wait'],
    declare: (command) => void command.argument('<setting>'),
    run: async (given) => (await import('./config.ts')).set(given),
  },
  {
    words: ['config', 'pull'],
    summary: "Write the team's sources, deliveries, exclusions and agent to a file",
    description:
      'In an existing file, only differences are written: comments, order and ${env:NAME} references stay. ' +
      'The file never contains secrets.',
    examples: ['les config pull', 'les config pull --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).pull(given),
  },
  {
    words: ['config', 'validate'],
    summary: 'Check the file without calling the service',
    examples: ['les config validate --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).validate(given),
  },
  {
    words: ['config', 'plan'],
    summary: 'Show what apply would change to match the file, and the credits',
    examples: ['les config plan', 'les config plan --file team.yaml --prune --json'],
    declare: (command) =>
      void settingsFile(command).option('--prune', 'Also untrack sources that are not in the file.'),
    run: async (given) => (await import('./declared.ts')).plan(given),
  },
  {
    words: ['config', 'apply'],
    summary: 'Change the team to match the file',
    description:
      'Shows the plan and asks before anything that costs credits. If it cannot ask, it exits with 3 and changes ' +
      'nothing, unless you pass --confirm-spend. Run it again to do what is left. Exits with 1 if the service ' +
      'differs from the file afterwards.',
    examples: ['les config apply', 'les config apply --file team.yaml --confirm-spend'],
    declare: (command) =>
      void settingsFile(command)
        .option('--prune', 'Also untrack sources that are not in the file.')
        .option('--confirm-spend', 'Confirms the cost of the plan.'),
    run: async (given) => (await import('./declared.ts')).apply(given),
  },
  {
    words: ['config', 'import'],
    summary: 'Add the people of a CSV file to the file',
    description:
      'The CSV needs a column with handles or profile URLs, under a header such as linkedinUrl or username. ' +
      'Values are separated by commas, semicolons or tabs; notes may precede the header. A file without people ' +
      'is refused. Nothing is tracked until you run les config apply.',
    examples: ['les config import people.csv', 'les config import people.csv --file team.yaml'],
    declare: (command) => void settingsFile(command).argument('<csv>'),
    run: async (given) => (await import('./declared.ts')).importPeople(given),
  },
  {
    words: ['config', 'schema'],
    summary: 'Print the JSON Schema of the file, for editors',
    examples: ['les config schema > les.schema.json'],
    run: async (given) => (await import('./declared.ts')).schema(given),
  },
  {
    words: ['sources', 'show'],
    summary: 'Show the settings and sync status of a source',
    examples: ['les sources show 0199aa00-0000-7000-8000-000000000001', 'les sources show jane-doe --json'],
    declare: (command) => void command.argument('<id>', 'id or username'),
    run: async (given) => (await import('./views.ts')).showSource(given),
  },
  {
    words: ['keyword', 'list'],
    summary: 'List keyword searches',
    examples: ['les keyword list', 'les keyword list --json name,creditCap'],
    declare: (command) => void command.option('--include-inactive', 'Include untracked searches.'),
    run: async (given) => (await import('./views.ts')).listKeyword(given),
  },
  {
    words: ['keyword', 'show'],
    summary: 'Show the settings and run status of a keyword search',
    examples: ['les keyword show 0199aa00-0000-7000-8000-000000000001'],
    declare: (command) => void command.argument('<id>', 'id or username'),
    run: async (given) => (await import('./views.ts')).showSource(given),
  },
  {
    words: ['agent', 'plan'],
    summary: 'Show the plan of the agent: what it tracks and why',
    examples: ['les agent plan', 'les agent plan --json'],
    declare: (command) => void command.option('--agent-id <id>', 'Id of the agent, when there are several.'),
    run: async (given) => (await import('./views.ts')).showPlan(given),
  },
  {
    words: ['usage'],
    summary: 'Show credits charged, by day or by source',
    examples: ['les usage', 'les usage --by source --csv', 'les usage --from 2026-11-01 --to 2026-11-30 --csv'],
    declare: (command) =>
      void command
        .option('--from <date>', 'First day (UTC).')
        .option('--to <date>', 'Last day (UTC).')
        .addOption(
          new Option('--by <what>', 'Group rows by day or by source.').choices(['day', 'source']).default('day'),
        )
        .option('--csv', 'Print CSV with a header row.'),
    run: async (given) => (await import('./views.ts')).showUsage(given),
  },
  {
    words: ['exclusions', 'add'],
    summary: 'Exclude a person, company, domain, email address, title or country',
    description:
      'Kinds: person (profile URL, handle or member id), company (page URL, slug or number), domain, email, ' +
      'title, country. Excluded people are still captured and charged, but delivered nowhere. Exits with 1 if ' +
      'the value is refused.',
    examples: [
      'les exclusions add domain acme.com --list customers --reason "Customer since 2024"',
      'les exclusions add title intern --dry-run',
    ],
    declare: (command) =>
      void command
        .argument('<kind>')
        .argument('<value>')
        .option('--list <name>', 'List for the entry; default: do_not_contact.')
        .option('--reason <text>', 'Reason for the exclusion.')
        .option('--dry-run', 'Only show which leads would match.'),
    run: async (given) => (await import('./exclusions.ts')).add(given),
  },
  {
    words: ['exclusions', 'import'],
    summary: 'Exclude the values in a CSV file',
    description:
      'Columns kind, value and reason, with or without a header, separated by commas or semicolons. Refused rows ' +
      'are listed with their line number; all others are added. Exits with 1 if a row was refused.',
    examples: ['les exclusions import customers.csv --list customers'],
    declare: (command) =>
      void command.argument('<csv>').option('--list <name>', 'List for the entries; default: do_not_contact.'),
    run: async (given) => (await import('./exclusions.ts')).importFile(given),
  },
  {
    words: ['leads', 'tail'],
    summary: 'Show leads as they are captured',
    description: 'Prints each new lead once, until Ctrl-C. With --json, prints one line of JSON per lead.',
    examples: ['les leads tail', 'les leads tail --is-icp --json', 'les leads tail --username jane-doe --count 10'],
    declare: (command) =>
      void command
        .option('--username <handle>', 'Only leads of this source.')
        .addOption(
          new TwoWayOption('--is-icp', 'Only leads that match the criteria; --no-is-icp: only leads that do not.'),
        )
        .addOption(new Option('--no-is-icp').hideHelp())
        .addOption(new Option('--interval <seconds>', 'How often to check for new leads.').default(5).argParser(count))
        .addOption(new Option('--count <number>', 'Stop after this many leads.').argParser(count)),
    run: async (given) => (await import('./tail.ts')).tail(given),
  },
  {
    words: ['open'],
    summary: 'Open a page of the dashboard in the browser',
    description: 'Also prints the URL. Without a terminal, or with --print, only prints the URL.',
    examples: ['les open', 'les open sources --id 0199aa00-0000-7000-8000-000000000001', 'les open requests --print'],
    declare: (command) =>
      void command
        .addArgument(new Argument('[page]', 'which page').choices(dashboardPages).default('leads'))
        .option('--id <id>', 'Id of a lead, source, search or run.')
        .option('--print', 'Only print the URL.'),
    run: async (given) => (await import('./open.ts')).open(given),
  },
  {
    words: ['doctor'],
    summary: 'Check for problems',
    description:
      'Checks this program, who can read the profile file, the service, the clocks, the key, the quota, what the ' +
      'service reports about its vendors, and a signed delivery to a listener on this machine. Exits with 1 if ' +
      'something is wrong.',
    examples: ['les doctor', 'les doctor --json'],
    run: async (given) => (await import('./doctor.ts')).doctor(given),
  },
  {
    words: ['webhooks', 'listen'],
    summary: 'Receive, verify and show webhooks on this machine',
    description:
      'The service sends to this machine only when it runs with LES_ALLOW_PRIVATE_DESTINATIONS=1. With --hosted, ' +
      'fetches and shows the deliveries of any service, whatever URL they go to (run les auth login --session ' +
      'first). With --json, prints one line of JSON per event. Deliveries that fail verification are shown with ' +
      'the reason and answered with 400.',
    examples: [
      'les webhooks listen',
      'les webhooks listen --port 4400 --forward-to http://127.0.0.1:3000/hooks',
      'les webhooks listen --count 1 --timeout 60 --json',
      'les webhooks listen --hosted --forward-to http://127.0.0.1:3000/hooks',
    ],
    declare: (command) => {
      secretFile(command)
      command.addOption(
        new Option('--port <port>', 'Port on 127.0.0.1; 0 picks a free port.').default(4400).argParser(portNumber),
      )
      command.option('--hosted', 'Fetch deliveries from the service instead of listening on a port.')
      command.option('--source <id>', 'With --hosted: only deliveries of this source or agent.')
      command.option('--forward-to <url>', 'Forward verified deliveries to this URL, and respond with its status.')
      command.addOption(new Option('--count <number>', 'Stop after this many verified events.').argParser(count))
    },
    run: async (given) => (await import('../webhooks/listen.ts')).listen(given),
  },
  {
    words: ['webhooks', 'verify'],
    summary: 'Check whether a delivery is genuine, and if not, why',
    description:
      'Reads the headers and the body from files, or both from standard input, separated by an empty line. The ' +
      'body must be the exact bytes received.',
    examples: [
      'les webhooks verify --secret-file secret.txt < request.txt',
      'les webhooks verify --headers headers.txt --body body.json --at 2026-11-21T09:00:00Z',
    ],
    declare: (command) => {
      secretFile(command)
      command
        .option('--headers <file>', 'File with the headers, one per line.')
        .option('--body <file>', 'File with the exact body.')
      command.option(
        '--at <instant>',
        'Check the timestamp against this instant instead of now; for stored deliveries.',
      )
    },
    run: async (given) => (await import('../webhooks/verify-command.ts')).verifyCommand(given),
  },
  {
    words: ['webhooks', 'trigger'],
    summary: 'Send a signed sample event to an address on this machine',
    description: 'The event is invented, and its body has "sample": true. It is sent only to this machine.',
    examples: [
      'les webhooks trigger',
      'les webhooks trigger sync.failed --to http://127.0.0.1:3000/hooks --secret-file secret.txt',
    ],
    declare: (command) => {
      secretFile(command)
      command.addArgument(new Argument('[event]', 'which event').choices(eventNames).default(eventNames[0]))
      command.option('--to <url>', 'URL to send the event to.', 'http://127.0.0.1:4400/')
    },
    run: async (given) => (await import('../webhooks/trigger.ts')).trigger(given),
  },
  {
    words: ['mcp'],
    summary: 'Serve the agent tools over standard input and output',
    description: 'For clients that start their own tool servers. Calls go to the service with the key of the profile.',
    examples: ['les mcp', 'les mcp --toolsets leads,sources --read-only'],
    declare: (command) =>
      void command
        .option('--toolsets <names>', 'Only these toolsets, separated by commas.')
        .option('--read-only', 'Only tools that change nothing and charge nothing.'),
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
