/** The whole command tree, made from the registry. */
import { interfaceVersion, registry, type Operation } from '@les/contract'
import { Command, type Option } from 'commander'
import { apiCommand } from './commands/api.ts'
import { examplesHelp, examplesOf } from './commands/examples.ts'
import { wordsOf } from './commands/names.ts'
import { operationCommand, TwoWayOption } from './commands/operation-command.ts'
import { exitCodes, exitCodesHelp } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { defaultBaseUrl } from './session.ts'

const summaries: Readonly<Record<string, string>> = {
  enrich: 'Enrich people and companies, optionally tracking them',
  sources: 'Tracked sources of any kind',
  profile: 'One tracked person',
  company: 'One tracked company',
  leads: 'Captured people',
  credits: 'Balance and charges',
  keys: 'API keys',
  jobs: 'Background jobs',
  webhook: 'Where leads are delivered',
}

const examples = ['les enrich profile --username jane-doe --save-tracked-profile --wait', 'les leads list --username jane-doe --limit 10', 'les credits show --json', 'les help exit-codes']

const optionTerm = (option: Option): string => (option instanceof TwoWayOption ? option.flags.replace(/^--/, '--[no-]') : option.flags)

const groupExamples = 4

/** Examples of a group: the first of each of its commands. */
function examplesOfGroup(words: readonly string[]): string {
  const inGroup = (registry as readonly Operation[]).filter((operation) => words.every((word, index) => wordsOf(operation)[index] === word))
  return examplesHelp(inGroup.flatMap((operation) => examplesOf(operation).slice(0, 1)).slice(0, groupExamples))
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

function addOperation(program: Command, operation: Operation, io: Io): void {
  const words = wordsOf(operation)
  const group = groupOf(program, words.slice(0, -1))
  const command = operationCommand(operation, io)
  const taken = group.commands.find((other) => other.name() === command.name())
  if (taken) throw new Error(`two operations are called les ${words.join(' ')}: name one of them in commands/names.ts`)
  group.addCommand(command)
}

function helpCommand(program: Command, io: Io): Command {
  return new Command('help').argument('[words...]').description('Help for a command, or for exit-codes').action((words: string[]) => {
    if (words[0] === 'exit-codes') return io.stdout.write(exitCodesHelp())
    const found = words.reduce<Command | undefined>((command, word) => command?.commands.find((each) => each.name() === word), program)
    if (!found) throw new Failure(exitCodes.usage, `there is no command les ${words.join(' ')}`)
    return found.outputHelp()
  })
}

/** Output, help and failures behave alike in every command. */
function settle(command: Command, io: Io): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout.write,
      writeErr: io.stderr.write,
      getOutHelpWidth: () => (io.stdout.isTty ? io.stdout.columns : 120),
      getErrHelpWidth: () => (io.stderr.isTty ? io.stderr.columns : 120),
      outputError: (text, write) => write(text.replace(/^error:/, 'les:')),
    })
    .configureHelp({ showGlobalOptions: true, optionTerm })
  for (const child of command.commands) settle(child, io)
}

/** Builds the program; every operation of the registry is in it. */
export function buildProgram(io: Io): Command {
  const program = new Command('les').description('Lead Engagement Service: captures who engages, enriches them and delivers them as leads.')
  program.version(interfaceVersion, '--version')
  program.option('--json', "The service's answer as it is, on standard output (signing secrets masked).")
  program.option('--api-key <key>', 'Key of your team (default: LES_API_KEY).')
  program.option('--base-url <url>', `Address of the service (default: LES_BASE_URL, else ${defaultBaseUrl}).`)
  program.option('--idempotency-key <key>', 'Makes sending a change again safe: the first answer is replayed for 24 hours.')
  for (const operation of registry) addOperation(program, operation, io)
  program.addCommand(apiCommand(io))
  program.addCommand(helpCommand(program, io))
  program.helpCommand(false)
  program.addHelpText('before', examplesHelp(examples))
  settle(program, io)
  return program
}
