/** What a command line says in several ways, in one: flags that are on or off, and `--json` with and without fields. */
import { Command, type Option } from 'commander'
import type { Entry } from './catalogue/entry.ts'
import { catalogue } from './catalogue/load.ts'
import { declareFlags } from './commands/operation-command.ts'
import { ownCommands } from './commands/own.ts'
import { usage } from './failure.ts'
import { endingsOf } from './follow.ts'
import { addGlobalOptions } from './options.ts'
import { fieldsToChoose } from './output/rows.ts'

function commandOf(argv: readonly string[]): Entry | undefined {
  const plain = argv.filter((word) => !word.startsWith('-'))
  const matches = [...catalogue.entries, ...catalogue.person].filter(({ words }) =>
    plain.some((_, at) => words.every((word, index) => plain[at + index] === word)),
  )
  return matches.toSorted((one, other) => other.words.length - one.words.length)[0]
}

/** The options that a command line may name: those of every command, and those of its own. */
function optionsOf(argv: readonly string[]): readonly Option[] {
  const command = new Command()
  addGlobalOptions(command, '')
  const entry = commandOf(argv)
  const words = argv.filter((word) => !word.startsWith('-'))
  const own = ownCommands
    .filter((each) => words.some((_, at) => each.words.every((word, index) => words[at + index] === word)))
    .toSorted((one, other) => other.words.length - one.words.length)[0]
  if (own !== undefined && own.words.length >= (entry?.words.length ?? 0)) own.declare?.(command)
  else if (entry !== undefined) declareFlags(command, entry)
  return command.options
}

const mayBeBoolean = /^(?:true|false|--no-.*|--input|--color|--[a-z][a-z0-9-]*=.*)$/i

/**
 * Writes every flag that is on or off as commander knows it: `--flag`, or `--no-flag` where there is one, else not at
 * all. `--flag true|false`, `--flag=true|false` and `--no-flag` are taken of each of them; the last one counts.
 */
export function plainFlags(argv: readonly string[]): string[] {
  if (!argv.some((word) => mayBeBoolean.test(word))) return [...argv]
  const options = optionsOf(argv)
  const named = (name: string): Option | undefined => options.find(({ long }) => long === `--${name}`)
  const end = argv.indexOf('--')
  const stop = end < 0 ? argv.length : end
  const words: string[] = []
  for (let at = 0; at < stop; at++) {
    const word = argv[at]!
    const [, no = '', name = '', given] = /^--(no-)?([a-z][a-z0-9-]*)(?:=([\s\S]*))?$/.exec(word) ?? []
    const [on, off] = [named(name), named(`no-${name}`)]
    const isBoolean = name !== '' && (on?.isBoolean() === true || off !== undefined)
    words.push(word)
    if (!isBoolean) {
      // What a flag takes is its value, whatever it looks like.
      if (on?.required === true && given === undefined && at + 1 < stop) words.push(argv[++at]!)
      continue
    }
    words.pop()
    const next = argv[at + 1]?.toLowerCase()
    const said = (
      given ?? (at + 1 < stop && (next === 'true' || next === 'false') ? argv[++at]! : 'true')
    ).toLowerCase()
    if (said !== 'true' && said !== 'false') throw usage(`--${no}${name} takes true or false, or nothing: not ${given}`)
    const wanted = (said === 'true') === (no === '')
    for (let before = words.length - 1; before >= 0; before--)
      if (words[before] === `--${name}` || words[before] === `--no-${name}`) words.splice(before, 1)
    if (wanted && on !== undefined) words.push(`--${name}`)
    if (!wanted && off !== undefined) words.push(`--no-${name}`)
  }
  return [...words, ...argv.slice(stop)]
}

/** Joins `--json` with the word after it when that names fields; alone it stands for the whole answer, wherever it stands. */
export function joinJsonFields(argv: readonly string[]): string[] {
  const at = argv.indexOf('--json')
  const end = argv.indexOf('--')
  if (at < 0 || (end >= 0 && end < at)) return [...argv]
  const next = argv[at + 1]
  const rest = argv.slice(at + 2)
  const alone = [...argv.slice(0, at), '--json=', ...argv.slice(at + 1)]
  if (next === undefined || next.startsWith('-')) return alone
  const entry = commandOf([...argv.slice(0, at), ...rest])
  if (!entry) return alone
  const known = [entry, ...endingsOf(entry)].flatMap(fieldsToChoose)
  const names = next.split(',')
  // Without path parameters nothing else can be meant.
  const areFields =
    names.some((name) => known.includes(name.trim())) ||
    names.length > 1 ||
    (entry.positionals.length === 0 && at > argv.indexOf(entry.words[0]!))
  return areFields ? [...argv.slice(0, at), `--json=${next}`, ...rest] : alone
}
