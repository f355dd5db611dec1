/**
 * The figures of mutation testing, kept in docs/generated/mutants.json so that a run of one folder or slice keeps the
 * others, and the page made of them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aim } from './folders.ts'

/** What became of the changes in one folder. A change is noticed when a test fails or runs without end. */
export type Score = {
  readonly killed: number
  readonly timeout: number
  readonly survived: number
  readonly noCoverage: number
}

/**
 * What became of a planted bug. Of the last two nothing was learnt: the patch no longer fits the code, or no test of
 * the file came to its end.
 */
export type Outcome = 'caught' | 'missed' | 'does-not-apply' | 'not-run'

/** A planted bug as tried; `noticedBy` is the first test that failed. */
export type Tried = {
  readonly outcome: Outcome
  readonly guarantee: string
  readonly caughtBy: readonly string[]
  readonly noticedBy: string | null
}

/** All figures. */
export type Figures = { readonly folders: Record<string, Score>; readonly planted: Record<string, Tried> }

/** Changes noticed of all, in percent with one decimal. */
export const percent = ({ killed, timeout, survived, noCoverage }: Score): number =>
  Math.round(((killed + timeout) / Math.max(1, killed + timeout + survived + noCoverage)) * 1000) / 10

const path = (root: string, name: string) => join(root, 'docs/generated', name)
const sorted = <T>(rows: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The figures of earlier runs; empty when there were none. */
export function readFigures(root: string): Figures {
  return existsSync(path(root, 'mutants.json'))
    ? (JSON.parse(readFileSync(path(root, 'mutants.json'), 'utf8')) as Figures)
    : { folders: {}, planted: {} }
}

/** The page. */
export function mutantsPage({ folders, planted }: Figures): string {
  const rows = Object.entries(folders).map(
    ([name, score]) =>
      `| ${name} | ${percent(score)} %${percent(score) < aim ? ' (below the aim)' : ''} | ${score.killed} ` +
      `| ${score.timeout} | ${score.survived} | ${score.noCoverage} |`,
  )
  const tried = Object.entries(planted)
  const by = (outcome: Outcome) => tried.filter(([, row]) => row.outcome === outcome)
  const list = (title: string, outcome: Outcome) =>
    by(outcome).length === 0
      ? []
      : [
          '',
          `## ${title}`,
          '',
          ...by(outcome).map(
            ([name, row]) =>
              `- \`${name}\`: ${row.guarantee} (${row.caughtBy.map((file) => `\`${file}\``).join(', ')})`,
          ),
        ]
  return [
    '# Mutation testing',
    '',
    'Written by `npm run mutants` and `npm run mutants:planted` from their last runs (`mutants.json`); ' +
      '`docs/mutants.md` says how to use them.',
    '',
    '## Score per folder',
    '',
    `A score is the share of changes that a test without a database notices; the aim is ${aim} %.`,
    '',
    '| folder | score | noticed | without end | survived | never run |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Planted bugs',
    '',
    `Caught ${by('caught').length} of ${tried.length}.`,
    ...list('Missed', 'missed'),
    ...list('No longer apply', 'does-not-apply'),
    ...list('Could not be tried', 'not-run'),
    '',
  ].join('\n')
}

/** Adds figures to the kept ones and writes both files; `known` says which folders and bugs still exist. */
export function writeFigures(
  root: string,
  add: Partial<Figures>,
  known: { readonly folders?: readonly string[]; readonly planted?: readonly string[] } = {},
): Figures {
  const before = readFigures(root)
  const keep = <T>(rows: Record<string, T>, names: readonly string[] | undefined) =>
    sorted(Object.fromEntries(Object.entries(rows).filter(([name]) => names === undefined || names.includes(name))))
  const figures: Figures = {
    folders: keep({ ...before.folders, ...add.folders }, known.folders),
    planted: keep({ ...before.planted, ...add.planted }, known.planted),
  }
  writeFileSync(path(root, 'mutants.json'), `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync(path(root, 'mutants.md'), mutantsPage(figures))
  return figures
}
