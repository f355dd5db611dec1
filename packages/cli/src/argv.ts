/** `--json` with and without fields: what follows it may be its fields, or an argument of the command. */
import type { Entry } from './catalogue/entry.ts'
import { catalogue } from './catalogue/load.ts'
import { endingsOf } from './follow.ts'
import { fieldsToChoose } from './output/select.ts'

function commandOf(argv: readonly string[]): Entry | undefined {
  const plain = argv.filter((word) => !word.startsWith('-'))
  const matches = [...catalogue.entries, ...catalogue.person].filter(({ words }) =>
    plain.some((_, at) => words.every((word, index) => plain[at + index] === word)),
  )
  return matches.toSorted((one, other) => other.words.length - one.words.length)[0]
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
