import { Argument, Command, Option } from 'commander'
import { kebabCase, type Entry, type Field } from '../catalogue/entry.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, stopped, usage } from '../failure.ts'
import { canWait, endingsOf } from '../follow.ts'
import type { GlobalOptions, Shell } from '../options.ts'
import { printAnswer } from '../output/print.ts'
import { fieldsToChoose, namesIn } from '../output/rows.ts'
import { openPerson } from '../person.ts'
import { openSession, type Session } from '../session.ts'
import { parseFlag } from '../values.ts'
import { examplesHelp } from '../topics.ts'

type Values = Readonly<Record<string, unknown>>

const takesValue = (field: Field) => field.kind !== 'boolean' || field.nullable

/** Stands for null among commander's values: commander would turn null into an empty text. */
const nullValue = Symbol('null')

/** A flag with a `--no-` form; the help shows both as one. */
export class TwoWayOption extends Option {}

const placeholders: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true|false',
  list: 'list',
  json: 'json|@file',
  any: 'value',
}

const listHelp = ({ byCommas }: Field): string =>
  `Again for more, ${byCommas ? 'or commas, ' : ''}or @file with one a line${byCommas ? '' : '; a comma belongs to its value'}.`

export const outputHelp =
  'Write to a file instead. A file name ending in .csv gives CSV for spreadsheets, with a byte order mark.'

function addTwoWay(command: Command, flag: string, description: string): void {
  command.addOption(new TwoWayOption(`--${flag}`, description))
  command.addOption(new Option(`--no-${flag}`).hideHelp())
}

function addField(command: Command, field: Field): void {
  if (!takesValue(field)) {
    addTwoWay(command, field.flag, field.description)
    return
  }
  const description = [field.description, ...(field.kind === 'list' ? [listHelp(field)] : [])]
    .filter((text) => text !== '')
    .join(' ')
  const option = new Option(`--${field.flag} <${placeholders[field.kind]}>`, description)
  if (field.choices) option.choices([...field.choices])
  option
    .argParser((text: string, previous: unknown) => parseFlag(field, text, previous) ?? nullValue)
    .makeOptionMandatory(field.required)
  command.addOption(option)
}

function inputOf({ fields, positionals }: Entry, texts: readonly string[], values: Values): Record<string, unknown> {
  const input: Record<string, unknown> = Object.fromEntries(positionals.map((name, index) => [name, texts[index]]))
  for (const field of fields) {
    const value = values[new Option(`--${field.flag}`).attributeName()]
    if (value !== undefined) input[field.name] = value === nullValue ? null : value
  }
  return input
}

/** Refuses impossible output options before anything is sent. */
async function checkOutput(entry: Entry, waits: boolean, { json, jq, csv }: GlobalOptions): Promise<void> {
  const wanted = namesIn(json ?? '')
  const known = [entry, ...(waits ? endingsOf(entry) : [])].flatMap(fieldsToChoose)
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw usage(`--json: there is no ${unknown.join(', ')}; the fields are ${[...new Set(known)].join(',')}`)
  if (csv && (json !== undefined || jq !== undefined)) throw usage('--csv goes with neither --json nor --jq')
  if (jq !== undefined) await (await import('../output/jq.ts')).checkFilter(jq)
}

const losing = /^(?:untrack|delete|revoke|stop)/

async function confirmLoss(
  entry: Entry,
  texts: readonly string[],
  { options, shell }: { readonly options: GlobalOptions; readonly shell: Shell },
): Promise<void> {
  if (!losing.test(entry.id) || !shell.mayAsk || options.yes) return
  const answer = await shell.ask.confirm(`${[entry.summary, ...texts].join(' ')}?`)
  if (answer === undefined) throw stopped()
  if (!answer) throw new Failure(exitCodes.api, 'not confirmed: nothing was changed')
}

export function declareFlags(command: Command, entry: Entry): void {
  const { answer } = entry
  for (const field of entry.fields) addField(command, field)
  if (canWait(entry))
    addTwoWay(
      command,
      'wait',
      'Wait until the work is done, or the time of --timeout is up; Ctrl-C stops waiting, not the work.',
    )
  if (answer.paged) command.option('--all', 'Read all pages, starting at --offset.')
  if (answer.list) {
    command.option(
      '--csv',
      'Print the list as CSV with a header row; values that a spreadsheet would run as formulas are escaped.',
    )
    command.option('--output <file>', outputHelp)
  }
  if (answer.secret) command.option('--show-secret', 'Show the signing secret instead of masking it.')
  if (entry.id === 'getRequest')
    command.addOption(
      new Option('--as <form>', 'Print only the command that repeats the call.').choices(['curl', 'les']),
    )
}

/** The command of an operation: path parameters by position, every other field by flag. */
export function operationCommand(entry: Entry, shell: Shell): Command {
  const { words, summary, description } = entry
  const command = new Command(words.at(-1)).summary(summary).description(`${summary}. ${description}`)
  for (const name of entry.positionals) command.addArgument(new Argument(`<${kebabCase(name)}>`))
  declareFlags(command, entry)
  command.addHelpText('before', examplesHelp(entry.examples))
  return command.action(async () => {
    const values = command.opts<Values>()
    const options = withFormat(command.optsWithGlobals<GlobalOptions>())
    const session = entry.person ? openPerson(options, shell) : openSession(options, shell)
    const wait = (values.wait ?? session.options.wait) === true && canWait(entry)
    await checkOutput(entry, wait, options)
    const input = inputOf(entry, command.args, values)
    await confirmLoss(entry, command.args, { options, shell })
    if (options.output === undefined) return run({ session, shell, entry, input, wait, values })
    const { intoFile } = await import('../output/file.ts')
    return intoFile(options.output, shell, (into) => run({ session, shell: into, entry, input, wait, values }))
  })
}

function withFormat(options: GlobalOptions): GlobalOptions {
  if (!/\.csv$/i.test(options.output ?? '')) return options
  if (options.json !== undefined || options.jq !== undefined)
    throw usage('--output with a name that ends in .csv goes with neither --json nor --jq')
  return { ...options, csv: true }
}

type Run = {
  readonly session: Session
  readonly shell: Shell
  readonly entry: Entry
  readonly input: Readonly<Record<string, unknown>>
  readonly wait: boolean
  readonly values: Values
}

async function run({ session, shell, entry, input, wait, values }: Run): Promise<void> {
  if (values.all === true) return (await import('../pages.ts')).printAll({ session, shell }, entry, input)
  const { callWithConsent } = await import('../consent.ts')
  const answered = await callWithConsent({ session, shell }, entry, input)
  if (typeof values.as === 'string') return shell.stdout.write(`${String(answered.value[values.as])}\n`)
  if (wait) return (await import('../wait.ts')).waitForEnd({ session, shell, entry, input, answer: answered })
  return printAnswer(answered.raw.text, entry, { options: session.options, shell })
}
