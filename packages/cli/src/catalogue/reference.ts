import { readFileSync } from 'node:fs'
import { Command, type Option } from 'commander'
import { ownCommand } from '../commands/own-command.ts'
import { ownCommands } from '../commands/own.ts'
import { exitCodesHelp } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { addGlobalOptions, settleShell } from '../options.ts'
import { defaultBaseUrl } from '../session.ts'
import { topics } from '../topics.ts'
import { kebabCase, type Catalogue, type Entry, type Field } from './entry.ts'

const nowhere: Io = (() => {
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

export type Part = {
  readonly words: readonly string[]
  readonly usage: string
  readonly about: string
  readonly options: readonly Option[]
  readonly examples: readonly string[]
}

export function globalOptions(): readonly Option[] {
  const program = new Command('les')
  addGlobalOptions(program, defaultBaseUrl)
  return program.options.filter(({ hidden }) => !hidden)
}

export function ownParts(): Part[] {
  const shell = settleShell([], nowhere)
  return ownCommands.map((declared) => {
    const command = ownCommand(declared, shell)
    const names = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    )
    return {
      words: declared.words,
      usage: ['les', ...declared.words, ...names].join(' '),
      about: command.description(),
      options: command.options.filter(({ hidden }) => !hidden),
      examples: declared.examples,
    }
  })
}

export const usageOf = ({ words, positionals }: Entry): string =>
  ['les', ...words, ...positionals.map((name) => `<${kebabCase(name)}>`)].join(' ')

/** The lines of a help text below its title. */
export const linesBelow = (text: string): string[] => text.trimEnd().split('\n').slice(1)

export function flagText({ flag, kind, nullable, choices }: Field): string {
  if (kind === 'boolean' && !nullable) return `--[no-]${flag}`
  const value = choices
    ? choices.join('|')
    : { text: 'text', number: 'number', boolean: 'true|false', list: 'list', json: 'json|@file', any: 'value' }[kind]
  return `--${flag} <${value}>`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

const table = (rows: readonly (readonly [flag: string, meaning: string])[]): string[] =>
  rows.length === 0
    ? []
    : ['| flag | |', '|---|---|', ...rows.map(([flag, meaning]) => `| \`${cell(flag)}\` | ${cell(meaning)} |`)]

const optionRows = (options: readonly Option[]) =>
  options.map(({ flags, description, defaultValue }) => {
    const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean'
    return [flags, `${description}${isShown ? ` (default ${String(defaultValue)})` : ''}`] as const
  })

const section = (...parts: readonly (readonly string[])[]): string =>
  parts.flatMap((lines) => (lines.length === 0 ? [] : [...lines, ''])).join('\n')

function operationSection(entry: Entry, basePath: string): string {
  const { summary, description, fields, examples, method, path, answer } = entry
  const own = [
    answer.paged ? '`--all`' : '',
    answer.list ? '`--csv`, `--output <file>`' : '',
    answer.secret ? '`--show-secret`' : '',
  ].filter((flag) => flag !== '')
  return section(
    [`### ${usageOf(entry)}`],
    [`${summary}. ${description} (\`${method} ${basePath}${path}\`)`],
    ['```sh', ...examples, '```'],
    table(fields.map((field) => [flagText(field), field.description])),
    own.length > 0 ? [`Also: ${own.join(', ')}.`] : [],
  )
}

export function cliReference({ basePath, entries, person }: Catalogue): string {
  const nouns = Map.groupBy(entries, ({ words }) => words[0]!)
  const values: Readonly<Record<string, string>> = {
    flags: table(optionRows(globalOptions())).join('\n'),
    'exit codes': linesBelow(exitCodesHelp()).join('\n'),
    environment: linesBelow(topics.environment!()).join('\n'),
    client: ownParts()
      .map(({ usage, about, options, examples }) =>
        section([`### ${usage}`], [about], ['```sh', ...examples, '```'], table(optionRows(options))),
      )
      .join('\n'),
    operations: [...nouns]
      .map(([noun, its]) => [`## les ${noun}\n`, ...its.map((entry) => operationSection(entry, basePath))].join('\n'))
      .join('\n'),
    person: person.map((entry) => operationSection(entry, '/app/api/teams/{teamId}')).join('\n'),
  }
  const template = readFileSync(new URL('./reference.md', import.meta.url), 'utf8')
  return template.replace(/\{\{([a-z ]+)\}\}/g, (_, name: string) => values[name]!)
}
