import { outputHelp } from '../commands/operation-command.ts'
import { exitCodesHelp } from '../exit-codes.ts'
import { summaries } from '../program.ts'
import { topics } from '../topics.ts'
import type { Catalogue, Entry } from './entry.ts'
import { flagText, globalOptions, linesBelow, ownParts, usageOf } from './reference.ts'

/** Escapes text for roff: hyphens stay copyable, letters become ASCII, and no line starts a request. */
const roff = (text: string): string =>
  text
    .replaceAll('`', '')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
    .split('\n')
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line))
    .join('\n')

const prose = (text: string): string => roff(text.replace(/\s+/g, ' ').trim())
const tagged = (tag: string, meaning: string): string[] => [
  '.TP',
  `\\fB${roff(tag)}\\fR`,
  prose(meaning) || 'See the command.',
]
const verbatim = (lines: readonly string[]): string[] => ['.RS 4', '.nf', ...lines.map(roff), '.fi', '.RE']

type Part = {
  readonly words: readonly string[]
  readonly usage: string
  readonly about: string
  readonly flags: readonly (readonly [flag: string, meaning: string])[]
  readonly examples: readonly string[]
}

function partOfOperation(entry: Entry): Part {
  const { words, summary, description, fields, answer, examples } = entry
  return {
    words,
    usage: usageOf(entry),
    about: `${summary}. ${description}`,
    flags: [
      ...fields.map((field) => [flagText(field), field.description] as const),
      ...(answer.paged ? [['--all', 'Read every page.'] as const] : []),
      ...(answer.list
        ? [['--csv', 'Print CSV with a header row.'] as const, ['--output <file>', outputHelp] as const]
        : []),
      ...(answer.secret ? [['--show-secret', 'Show the signing secret instead of masking it.'] as const] : []),
    ],
    examples,
  }
}

const partsOfClient = (): Part[] =>
  ownParts().map(({ options, ...part }) => ({
    ...part,
    flags: options.map(({ flags, description }) => [flags, description]),
  }))

const head = (name: string, version: string, summary: string): string[] => [
  '.\\" Generated from the contract; npm run generate writes it.',
  `.TH "${roff(name.toUpperCase())}" 1 "" "les ${version}" "Lead Engagement Service"`,
  '.SH NAME',
  `${roff(name)} \\- ${prose(summary)}`,
]

const summaryOf = (noun: string, parts: readonly Part[]): string => summaries[noun] ?? parts[0]!.about.split('. ')[0]!

const endOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

function groupPage(noun: string, parts: readonly Part[], version: string): string {
  const summary = summaryOf(noun, parts).replace(/\.$/, '')
  return endOf([
    ...head(`les-${noun}`, version, summary),
    '.SH SYNOPSIS',
    '.nf',
    ...parts.map(({ usage }) => `\\fB${roff(usage)}\\fR`),
    '.fi',
    '.SH COMMANDS',
    ...parts.flatMap(({ usage, about, flags, examples }) => [
      `.SS ${roff(usage)}`,
      prose(about),
      ...flags.flatMap(([flag, meaning]) => tagged(flag, meaning)),
      ...(examples.length > 0 ? ['.PP', 'For example:', ...verbatim(examples)] : []),
    ]),
    '.SH SEE ALSO',
    '\\fBles\\fR(1) has the flags of every command, exit codes and environment.',
  ])
}

function mainPage(groups: readonly (readonly [string, string])[], version: string): string {
  return endOf([
    ...head('les', version, 'captures who engages, enriches them and delivers them as leads'),
    '.SH SYNOPSIS',
    '\\fBles\\fR \\fIcommand\\fR [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    'The command line of the Lead Engagement Service. Data goes to standard output, everything else to standard error.',
    'A call that creates or raises a charge is first refused with figures and exits with 3; confirm with ' +
      '\\\\-\\\\-confirm\\\\-spend.',
    '.SH COMMANDS',
    ...groups.flatMap(([noun, summary]) => ['.TP', `\\fBles\\-${roff(noun)}\\fR(1)`, prose(summary)]),
    ...tagged('les api <method> <path>', 'Sends any request and prints the response unchanged.'),
    '.SH FLAGS OF EVERY COMMAND',
    ...globalOptions().flatMap(({ flags, description }) => tagged(flags, description)),
    '.SH EXIT STATUS',
    ...verbatim(linesBelow(exitCodesHelp())),
    '.SH ENVIRONMENT',
    ...verbatim(linesBelow(topics.environment!())),
    '.SH FILES',
    '.TP',
    '\\fB~/.config/les/config.json\\fR',
    'Profiles and settings, for their owner alone.',
  ])
}

/** Pages by file name: `les.1`, `les-leads.1` and so on. */
export function manPages({ version, entries, person }: Catalogue): Readonly<Record<string, string>> {
  const parts = [...partsOfClient(), ...[...entries, ...person].map(partOfOperation)]
  const groups = Map.groupBy(parts, ({ words }) => words[0]!)
  const pages = [...groups].map(([noun, its]) => [`les-${noun}.1`, groupPage(noun, its, version)] as const)
  return Object.fromEntries([
    [
      'les.1',
      mainPage(
        [...groups.keys()].sort().map((noun) => [noun, summaryOf(noun, groups.get(noun)!)] as const),
        version,
      ),
    ],
    ...pages.sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
}
