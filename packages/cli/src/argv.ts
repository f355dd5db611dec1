/** Normalises a command line before commander parses it: boolean flags and `--json`, which both have several spellings. */
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
 * Rewrites every boolean flag to the form commander knows: `--flag`, `--no-flag` if it exists, else nothing. All of
 * `--flag true|false`, `--flag=true|false` and `--no-flag` are accepted; the last one wins.
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
      // The next word is this flag's value, even if it looks like a flag.
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

/** Joins `--json` with the next word when that names fields; alone, `--json` means the whole answer. */
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
  // Without path parameters the word can only be a field.
  const areFields =
    names.some((name) => known.includes(name.trim())) ||
    names.length > 1 ||
    (entry.positionals.length === 0 && at > argv.indexOf(entry.words[0]!))
  return areFields ? [...argv.slice(0, at), `--json=${next}`, ...rest] : alone
}
