/** One operation of the contract as a command. */
import { ApiError, type Operation } from '@les/contract'
import { Argument, Command, Option } from 'commander'
import { fieldsOf, kebabCase, positionalsOf, type Field } from '../fields.ts'
import type { Io } from '../io.ts'
import { printAnswer, printRefusal } from '../output/print.ts'
import { openSession, type GlobalOptions } from '../session.ts'
import { parseFlag } from '../values.ts'
import { canWait, waitForEnd } from '../wait.ts'
import { examplesHelp, examplesOf } from './examples.ts'
import { wordsOf } from './names.ts'

type Values = Readonly<Record<string, unknown>>

const defaultTimeoutSeconds = 3600

const takesValue = (field: Field) => field.kind !== 'boolean' || field.nullable

/** Stands for null among commander's values: it would turn null itself into an empty text. */
const nullValue = Symbol('null')

/** A flag that its `--no-` form switches off; the help shows the two as one. */
export class TwoWayOption extends Option {}

function addField(command: Command, field: Field): void {
  if (!takesValue(field)) {
    command.addOption(new TwoWayOption(`--${field.flag}`, field.description))
    command.addOption(new Option(`--no-${field.flag}`).hideHelp())
    return
  }
  const kind = { text: 'text', number: 'number', boolean: 'true|false', list: 'list', json: 'json' }[field.kind]
  const option = new Option(`--${field.flag} <${kind}>`, field.description)
  if (field.choices) option.choices(field.choices)
  option.argParser((text: string, previous: unknown) => parseFlag(field, text, previous) ?? nullValue).makeOptionMandatory(field.required)
  command.addOption(option)
}

function inputOf(fields: readonly Field[], positionals: readonly string[], texts: readonly string[], values: Values): Record<string, unknown> {
  const input: Record<string, unknown> = Object.fromEntries(positionals.map((name, index) => [name, texts[index]]))
  for (const field of fields) {
    const value = values[new Option(`--${field.flag}`).attributeName()]
    if (value !== undefined) input[field.name] = value === nullValue ? null : value
  }
  return input
}

const secondsField: Field = { name: 'timeout', flag: 'timeout', kind: 'number', itemKind: 'json', nullable: false, required: false, choices: undefined, description: '' }

/** Makes the command of an operation: path parameters by position, every other field by flag. */
export function operationCommand(operation: Operation, io: Io): Command {
  const fields = fieldsOf(operation)
  const positionals = positionalsOf(operation)
  const command = new Command(wordsOf(operation).at(-1)).summary(operation.summary).description(`${operation.summary}. ${operation.description}`)
  for (const name of positionals) command.addArgument(new Argument(`<${kebabCase(name)}>`))
  for (const field of fields) addField(command, field)
  if (canWait(operation)) {
    command.option('--wait', 'Wait until the job, and the sync it queued, are done; Ctrl-C stops waiting, not the job.')
    command.addOption(new Option('--timeout <seconds>', 'Stop waiting after so long.').default(defaultTimeoutSeconds).argParser((text) => parseFlag(secondsField, text, undefined)))
  }
  if ('signingSecret' in ((operation.success as { shape?: object }).shape ?? {})) command.option('--show-secret', 'Show the signing secret instead of masking it.')
  command.addHelpText('before', `${examplesHelp(examplesOf(operation))}`)
  return command.action(async () => {
    const values = command.opts<Values>()
    const options = command.optsWithGlobals<GlobalOptions>()
    const session = openSession(options, io)
    const input = inputOf(fields, positionals, command.args, values)
    const answer = await session.call(operation, input).catch((error: unknown) => {
      // The figures of a charge that needs confirming are data, however the answer was asked for.
      if (error instanceof ApiError && (options.json || error.code === 'spend_confirmation_required')) printRefusal(error, session, io)
      throw error
    })
    if (values.wait === true) await waitForEnd({ session, io, operation, input, answer, timeoutSeconds: Number(values.timeout) })
    else printAnswer(answer.raw, options, io)
  })
}
