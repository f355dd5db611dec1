/** The reference page of the command line, made from the catalogue and from the client's own commands. */
import { Command, type Option } from 'commander'
import { ownCommand, type OwnCommand } from '../commands/own-command.ts'
import { ownCommands } from '../commands/own.ts'
import { exitCodesHelp } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { addGlobalOptions, settleShell, type Shell } from '../options.ts'
import { defaultBaseUrl } from '../session.ts'
import { topics } from '../topics.ts'
import { kebabCase, type Catalogue, type Entry, type Field } from './entry.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
const block = (lines: readonly string[]): string[] => ['```sh', ...lines, '```', '']

/** Nothing is run here: the commands are only looked at. */
export const nowhere: Io = (() => {
  const refuse = () => {
    throw new Error('the reference runs no command')
  }
  const sink = { write: refuse, isTty: false, columns: 120 }
  return {
    stdout: sink,
    stderr: sink,
    stdin: { isTty: false, read: refuse },
    ask: { confirm: refuse, secret: refuse, choose: refuse },
    env: {},
    fetch: refuse,
    signal: new AbortController().signal,
    now: refuse,
    random: refuse,
    newId: refuse,
    sleep: refuse,
  }
})()

/** A flag as it is written, with what it takes. */
export function flagText({ flag, kind, nullable, choices }: Field): string {
  if (kind === 'boolean' && !nullable) return `--[no-]${flag}`
  const value = choices
    ? choices.join('|')
    : { text: 'text', number: 'number', boolean: 'true|false', list: 'list', json: 'json|@file', any: 'value' }[kind]
  return `--${flag} <${value}>`
}

const flagOf = (field: Field): string => flagText(field).replaceAll('|', '\\|')

function operationPart(
  { words, positionals, summary, description, fields, examples, method, path, answer }: Entry,
  basePath: string,
): string[] {
  const rows = fields.map((field) => `| \`${flagOf(field)}\` | ${cell(field.description)} |`)
  const own = [
    answer.paged ? '`--all`' : '',
    answer.list ? '`--csv`, `--output <file>`' : '',
    answer.secret ? '`--show-secret`' : '',
  ].filter((flag) => flag !== '')
  return [
    `### les ${[...words, ...positionals.map((name) => `<${kebabCase(name)}>`)].join(' ')}`,
    '',
    `${summary}. ${description} (\`${method} ${basePath}${path}\`)`,
    '',
    ...block(examples),
    ...(rows.length > 0 ? ['| flag | |', '|---|---|', ...rows, ''] : []),
    ...(own.length > 0 ? [`Also: ${own.join(', ')}.`, ''] : []),
  ]
}

const optionRows = (options: readonly Option[]): string[] =>
  options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, defaultValue }) => {
      const shown = defaultValue === undefined || typeof defaultValue === 'boolean' ? null : String(defaultValue)
      const byDefault = shown === null ? '' : ` (default ${shown})`
      return `| \`${flags.replaceAll('|', '\\|')}\` | ${cell(description)}${byDefault} |`
    })

const webhookText = [
  '## Webhooks on your own machine',
  '',
  'The service sends to public https addresses only. To receive on your own machine start it with `LES_ALLOW_PRIVATE_DESTINATIONS=1`:',
  '',
  ...block([
    'LES_ALLOW_PRIVATE_DESTINATIONS=1 npm start',
    'les webhooks listen --port 4400',
    'les profile webhook set jane-doe --webhook-url http://127.0.0.1:4400/',
    'les profile push jane-doe --wait',
  ]),
  '`listen` verifies every delivery, shows it, and passes it on with `--forward-to`. ' +
    '`trigger` sends a sample event without the service; its body says `"sample": true`. ' +
    '`verify` judges a delivery you kept, and says what is wrong: the timestamp is off, ' +
    'the secret is another one, the body was changed, a header is missing or badly formed. ' +
    'The signing secret is read from `--secret-file`, from `LES_SIGNING_SECRET`, or from the service; ' +
    'it is never a flag.',
  '',
]

const outputText = [
  '## Output',
  '',
  'Data goes to standard output, everything else to standard error. On a terminal answers are tables; ' +
    'elsewhere they are rows with tabs and no head. `--json` is the answer of the service, ' +
    'character by character, apart from signing secrets, which are masked unless `--show-secret` asks for them; ' +
    '`--json id,name` keeps only those fields. `--jq` runs the answer through jq, which is built in. ' +
    '`--csv` is a list with a head (RFC 4180); texts that a spreadsheet would run as formulas begin with an ' +
    'apostrophe. `--output leads.csv` writes it into a file, with the byte order mark by which spreadsheets know ' +
    'UTF-8; what is piped has none. `--all` reads every page.',
  '',
  'A flag that is on or off is written `--is-icp`, `--no-is-icp`, `--is-icp false` or `--is-icp=false`.',
  '',
  'Lists are flags that repeat: `--keywords "sales automation" --keywords crm`; a comma belongs to its value ' +
    '(`--titles "VP, Sales"` is one title), and separates values only where none can hold one, as with ids. ' +
    'Or a JSON array, or `@file` with one a line. Objects are JSON, or `@file`. `null` clears what can be cleared.',
  '',
  '## Spending',
  '',
  'What creates or raises a charge is first refused with figures. At a terminal they are shown as a table and ' +
    'you are asked; a script gets the refusal as JSON on standard output and exit code 3, ' +
    'and goes ahead with `--confirm-spend`. `--yes` never confirms spending.',
  '',
  '## Waiting',
  '',
  '`--wait` follows the work that a command started, or that a read tells of, until it is done, ' +
    'as often as the service says. Ctrl-C stops waiting, not the work, and tells the command that waits again.',
  '',
]

const accessText = [
  '## Signing in',
  '',
  ...block([
    'les auth login',
    'les auth login --profile staging --base-url https://staging.example.com < key.txt',
    'les auth switch staging',
  ]),
  'A key is pasted at the prompt or read from standard input, tried, ' +
    'and kept in `~/.config/les/config.json` (mode 0600, in a folder of mode 0700). ' +
    'It is never a flag, and never sent to another service than the one it was stored for. ' +
    'Flags go before the environment, the environment before the profile.',
  '',
]

const installText = [
  '# Command line',
  '',
  'Generated from the contract; `npm run generate` writes it. `les <command> --help` says the same, ' +
    'and so do the manual pages that come with the package (`man les`, `man les-leads`; ' +
    'in a checkout `man -l packages/cli/man/les.1`).',
  '',
  'Every service hands the command line out, for Node 20.10 and newer: ' +
    '`npm install --global http://127.0.0.1:8080/downloads/les.tgz` (the address of your service), ' +
    'or without installing it `npx http://127.0.0.1:8080/downloads/les.tgz <command>`. ' +
    'Checksums are at `/downloads/SHA256SUMS`. Never take it from a registry by the name `les`: ' +
    "that is somebody else's.",
  '',
]

/** A command of the client's own: its arguments, what it does, examples and flags. */
function ownPart(declared: OwnCommand, shell: Shell): string[] {
  const command = ownCommand(declared, shell)
  const rows = optionRows(command.options)
  const positionals = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  )
  return [
    `### les ${[...declared.words, ...positionals].join(' ')}`,
    '',
    command.description(),
    '',
    ...block(declared.examples),
    ...(rows.length > 0 ? ['| flag | |', '|---|---|', ...rows, ''] : []),
  ]
}

/** Builds the page. */
export function cliReference({ basePath, entries, person }: Catalogue): string {
  const program = new Command('les')
  addGlobalOptions(program, defaultBaseUrl)
  const shell = settleShell([], nowhere)
  const nouns = [...new Set(entries.map(({ words }) => words[0]!))]
  const own = ownCommands.flatMap((declared) => ownPart(declared, shell))
  return [
    ...installText,
    ...accessText,
    ...outputText,
    ...webhookText,
    '## Flags of every command',
    '',
    '| flag | |',
    '|---|---|',
    ...optionRows(program.options),
    '',
    '## Exit codes',
    '',
    '```',
    ...exitCodesHelp().trimEnd().split('\n').slice(1),
    '```',
    '',
    '## Environment',
    '',
    '```',
    ...topics.environment!().trimEnd().split('\n').slice(1),
    '```',
    '',
    '## Commands of the client',
    '',
    ...own,
    '### les api <method> <path>',
    '',
    'Sends any request and prints the answer just as it came.',
    '',
    ...block(['les api GET /leads --field limit=10', 'les api PUT /profile/jane-doe/icp --body @criteria.json']),
    ...nouns.flatMap((noun) => [
      `## les ${noun}`,
      '',
      ...entries.filter(({ words }) => words[0] === noun).flatMap((entry) => operationPart(entry, basePath)),
    ]),
    '## For a person who signed in',
    '',
    'No key opens these: `les auth login --session` signs a person in, by a code, ' +
      'and keeps the session in the profile until `les auth logout`.',
    '',
    ...person.flatMap((entry) => operationPart(entry, '/app/api/teams/{teamId}')),
  ].join('\n')
}
