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

const settingsFile = (command: Command) => command.option('--file <file>', 'The file.', 'les.yaml')

const portNumber = (text: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : refuse('must be a port, 0 to 65535')

const secretFile = (command: Command) =>
  command.option(
    '--secret-file <file>',
    'File that holds the signing secret (whsec_…); default: LES_SIGNING_SECRET, else asked of the service.',
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
      'At a terminal it shows a code and an address: the person who opens the address and approves the code signs this ' +
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
    run: async (given) => (await import('./config.ts')).set(given),
  },
  {
    words: ['config', 'pull'],
    summary: "Write the team's sources, deliveries, exclusions and agent into a file",
    description:
      'Into a file that is there already only what differs is written: ' +
      'comments, order and ${env:NAME} references stay. No secret is ever in the file.',
    examples: ['les config pull', 'les config pull --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).pull(given),
  },
  {
    words: ['config', 'validate'],
    summary: 'Say whether the file is valid, without asking the service',
    examples: ['les config validate --file team.yaml'],
    declare: (command) => void settingsFile(command),
    run: async (given) => (await import('./declared.ts')).validate(given),
  },
  {
    words: ['config', 'plan'],
    summary: 'Show what would have to change for the team to be as the file says, and the credits',
    examples: ['les config plan', 'les config plan --file team.yaml --prune --json'],
    declare: (command) => void settingsFile(command).option('--prune', 'Also untrack what the file does not name.'),
    run: async (given) => (await import('./declared.ts')).plan(given),
  },
  {
    words: ['config', 'apply'],
    summary: 'Change the team to what the file says',
    description:
      'Shows the plan and asks before anything that costs; where nobody can be asked it ends with 3 and changes ' +
      'nothing, unless --confirm-spend is there. Run again it does what is left. ' +
      'Ends with 1 when the service has something otherwise afterwards.',
    examples: ['les config apply', 'les config apply --file team.yaml --confirm-spend'],
    declare: (command) =>
      void settingsFile(command)
        .option('--prune', 'Also untrack what the file does not name.')
        .option('--confirm-spend', 'The yes to what the plan costs.'),
    run: async (given) => (await import('./declared.ts')).apply(given),
  },
  {
    words: ['config', 'import'],
    summary: 'Add the people of a CSV file to the file',
    description:
      'The CSV has a column of handles, or of addresses of profiles, under a header such as linkedinUrl or username; ' +
      'values are separated by commas, semicolons or tabs, and notes may stand above the header. ' +
      'A file that names nobody is refused. Nothing is tracked before les config apply.',
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
    words: ['exclusions', 'add'],
    summary: 'Exclude a person, company, domain, mail address, title or country',
    description:
      'Kinds: person (address, handle or member id), company (address, slug or number), domain, email, title, country. ' +
      'They are captured and charged as ever, and delivered nowhere. Ends with 1 when the value is refused.',
    examples: [
      'les exclusions add domain acme.com --list customers --reason "Customer since 2024"',
      'les exclusions add title intern --dry-run',
    ],
    declare: (command) =>
      void command
        .argument('<kind>')
        .argument('<value>')
        .option('--list <name>', 'The list that it goes on; default: do_not_contact.')
        .option('--reason <text>', 'Why.')
        .option('--dry-run', 'Only say which leads it would meet.'),
    run: async (given) => (await import('./exclusions.ts')).add(given),
  },
  {
    words: ['exclusions', 'import'],
    summary: 'Exclude what the rows of a CSV file name',
    description:
      'Columns kind, value and reason, with or without a header, separated by commas or semicolons. ' +
      'Every row that is refused is named with its line; the others are added. Ends with 1 when a row was refused.',
    examples: ['les exclusions import customers.csv --list customers'],
    declare: (command) =>
      void command.argument('<csv>').option('--list <name>', 'The list that they go on; default: do_not_contact.'),
    run: async (given) => (await import('./exclusions.ts')).importFile(given),
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
  {
    words: ['webhooks', 'listen'],
    summary: 'Receive webhooks on this machine, verify and show them',
    description:
      'The service sends to this machine only when it runs with LES_ALLOW_PRIVATE_DESTINATIONS=1; ' +
      'with --hosted deliveries of a service anywhere, to whatever address, ' +
      'are asked for and shown (les auth login --session comes first). ' +
      'With --json each event is one line of JSON. Deliveries that do not verify are shown with the reason and ' +
      'answered with 400.',
    examples: [
      'les webhooks listen',
      'les webhooks listen --port 4400 --forward-to http://127.0.0.1:3000/hooks',
      'les webhooks listen --count 1 --timeout 60 --json',
      'les webhooks listen --hosted --forward-to http://127.0.0.1:3000/hooks',
    ],
    declare: (command) => {
      secretFile(command)
      command.addOption(
        new Option('--port <port>', 'Port on 127.0.0.1; 0 takes a free one.').default(4400).argParser(portNumber),
      )
      command.option('--hosted', 'Ask the service for its deliveries instead of waiting for them on a port.')
      command.option('--source <id>', 'With --hosted: only deliveries of this source or agent.')
      command.option('--forward-to <url>', 'Send what verifies on to this address, and answer with its status.')
      command.addOption(new Option('--count <number>', 'End after so many verified events.').argParser(count))
    },
    run: async (given) => (await import('../webhooks/listen.ts')).listen(given),
  },
  {
    words: ['webhooks', 'verify'],
    summary: 'Say whether a delivery is genuine, and if not, what is wrong with it',
    description:
      'Reads the headers and the body from files, or both from standard input with an empty line between them. ' +
      'The body must be the exact bytes that came.',
    examples: [
      'les webhooks verify --secret-file secret.txt < request.txt',
      'les webhooks verify --headers headers.txt --body body.json --at 2026-11-21T09:00:00Z',
    ],
    declare: (command) => {
      secretFile(command)
      command
        .option('--headers <file>', 'File with the headers, one a line.')
        .option('--body <file>', 'File with the exact body.')
      command.option(
        '--at <instant>',
        'Judge the timestamp as of this instant instead of now: for a delivery that was kept.',
      )
    },
    run: async (given) => (await import('../webhooks/verify-command.ts')).verifyCommand(given),
  },
  {
    words: ['webhooks', 'trigger'],
    summary: 'Send a signed sample event to an address on this machine',
    description: 'The event is invented and says so: its body has "sample": true. It goes to this machine only.',
    examples: [
      'les webhooks trigger',
      'les webhooks trigger sync.failed --to http://127.0.0.1:3000/hooks --secret-file secret.txt',
    ],
    declare: (command) => {
      secretFile(command)
      command.addArgument(new Argument('[event]', 'which event').choices(eventNames).default(eventNames[0]))
      command.option('--to <url>', 'Where to send it.', 'http://127.0.0.1:4400/')
    },
    run: async (given) => (await import('../webhooks/trigger.ts')).trigger(given),
  },
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
