import { Command, Help, type Option } from 'commander'
import { catalogue } from './catalogue/load.ts'
import { apiCommand } from './commands/api.ts'
import { operationCommand, TwoWayOption } from './commands/operation-command.ts'
import { ownCommand } from './commands/own-command.ts'
import { ownCommands } from './commands/own.ts'
import { usage } from './failure.ts'
import { addGlobalOptions, type Shell } from './options.ts'
import { defaultBaseUrl } from './session.ts'
import { examplesHelp, topics } from './topics.ts'

/** Summaries of command groups by their first word, or by the words of an inner group. */
export const summaries: Readonly<Record<string, string>> = {
  enrich: 'Enrich people and companies, optionally tracking them',
  sources: 'Tracked sources of any kind',
  profile: 'One tracked person',
  company: 'One tracked company',
  post: 'One post: track it, and read who engaged with it',
  keyword: 'Keyword searches',
  leads: 'Captured people',
  engagers: 'Captured people, one row per person',
  exclusions: 'People who are captured but not delivered',
  discover: 'Searches for people who post about a topic',
  agent: 'The Engagement Agent',
  outreach: 'The outreach platform',
  destinations: 'CRMs, channels, sheets and buckets that leads go to by themselves',
  hooks: 'REST hooks of automation platforms',
  exports: 'Files of leads',
  results: 'What came of leads',
  privacy: 'What is held of a person, and erasing it',
  push: 'Pushes of captured leads',
  credits: 'Balance and charges',
  keys: 'API keys',
  jobs: 'Background jobs',
  webhook: 'Webhook that leads are delivered to',
  icp: 'Ideal customer profile (ICP) criteria',
  posts: 'Posts',
  reactions: 'Who reacted',
  comments: 'Who commented',
  'company-comments': 'Company pages that commented',
  auth: 'Sign in, and profiles',
  config: 'Settings of this program',
  webhooks: 'Webhook development on this machine',
  deliveries: "Log of deliveries (requires a person's sign-in)",
  requests: "Log of API calls (requires a person's sign-in)",
}

const examples = [
  'les auth login',
  'les enrich profile --username jane-doe --save-tracked-profile --wait',
  'les leads list --username jane-doe --limit 10',
  'les leads list --all --csv',
  'les credits show --json',
]

const aliases: Readonly<Record<string, string>> = {
  list: 'ls',
  untrack: 'rm',
  delete: 'rm',
  revoke: 'rm',
  get: 'show',
  start: 'run',
}

const optionTerm = (option: Option): string =>
  option instanceof TwoWayOption ? option.flags.replace(/^--/, '--[no-]') : option.flags

const groupExamples = 4

type Named = { readonly words: readonly string[]; readonly examples: readonly string[] }

function examplesOfGroup(words: readonly string[]): string {
  const inGroup = ([...catalogue.entries, ...catalogue.person, ...ownCommands] as readonly Named[]).filter((each) =>
    words.every((word, index) => each.words[index] === word),
  )
  return examplesHelp(inGroup.flatMap((each) => each.examples.slice(0, 1)).slice(0, groupExamples))
}

function groupOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, name, index) => {
    const found = parent.commands.find((command) => command.name() === name)
    if (found) return found
    const group = new Command(name).description(summaries[name] ?? `Commands of ${name}`).helpCommand(false)
    group.addHelpText('before', () => examplesOfGroup(words.slice(0, index + 1)))
    parent.addCommand(group)
    return group
  }, program)
}

function add(program: Command, words: readonly string[], command: Command): void {
  const group = groupOf(program, words.slice(0, -1))
  const taken = group.commands.find((other) => other.name() === command.name())
  if (taken)
    throw new Error(
      `two commands are called les ${words.join(' ')}: name one of them in command-words.json of the contract`,
    )
  const alias = aliases[command.name()]
  if (alias && words.length > 1 && !group.commands.some((other) => other.aliases().includes(alias)))
    command.alias(alias)
  group.addCommand(command)
}

function helpCommand(program: Command, shell: Shell): Command {
  return new Command('help')
    .argument('[words...]')
    .description(`Help for a command, or about ${Object.keys(topics).join(' or ')}`)
    .action((words: string[]) => {
      const topic = words.length === 1 ? topics[words[0]!] : undefined
      if (topic) return shell.stdout.write(topic())
      const found = words.reduce<Command | undefined>(
        (command, word) => command?.commands.find((each) => each.name() === word || each.aliases().includes(word)),
        program,
      )
      if (!found) throw usage(`there is no command les ${words.join(' ')}`)
      return found.outputHelp()
    })
}

/** The options are the longest part of the help, so the commands come first. */
function commandsFirst(this: Help, command: Command, help: Help): string {
  const text = Help.prototype.formatHelp.call(this, command, help)
  const at = text.indexOf('\nCommands:\n')
  const options = text.search(/\n(?:Global )?Options:\n/)
  if (at < 0 || options < 0 || options > at) return text
  return `${text.slice(0, options)}${text.slice(at).trimEnd()}\n${text.slice(options, at)}`
}

function settle(command: Command, shell: Shell): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: shell.stdout.write,
      writeErr: shell.stderr.write,
      getOutHelpWidth: () => (shell.stdout.isTty ? shell.stdout.columns : 120),
      getErrHelpWidth: () => (shell.stderr.isTty ? shell.stderr.columns : 120),
      outputError: (text, write) => write(text.replace(/^error:/, 'les:')),
    })
    .configureHelp({ showGlobalOptions: true, optionTerm, formatHelp: commandsFirst })
  for (const child of command.commands) settle(child, shell)
}

/** Builds the command tree. Flags are made only for the groups in `argv`: making all would take most of the start. */
export function buildProgram(shell: Shell, argv: readonly string[]): Command {
  const program = new Command('les').description(
    'Lead Engagement Service: captures who engages, enriches them and delivers them as leads.',
  )
  program.version(catalogue.version, '--version')
  addGlobalOptions(program, defaultBaseUrl)
  const isNamed = (words: readonly string[]) => words.slice(0, -1).every((word) => argv.includes(word))
  for (const entry of [...catalogue.entries, ...catalogue.person])
    add(program, entry.words, isNamed(entry.words) ? operationCommand(entry, shell) : new Command(entry.words.at(-1)))
  for (const own of ownCommands) add(program, own.words, ownCommand(own, shell))
  program.addCommand(apiCommand(shell))
  program.addCommand(helpCommand(program, shell))
  program.helpCommand(false)
  program.addHelpText('before', examplesHelp(examples))
  settle(program, shell)
  return program
}
