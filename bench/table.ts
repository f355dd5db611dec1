/** What was measured, kept as JSON by benchmark and size, and the one table that `docs/benchmarks.md` shows of it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { slices, type Slice } from './plan.ts'
import type { Figure, Measured } from './support.ts'

/** What one run of a benchmark came to; `load`: the load average of the machine when it began. */
export type Kept = Measured & { readonly at: string; readonly seconds: number; readonly load: number }

const root = join(import.meta.dirname, '..')
const keptFile = join(root, 'docs/generated/benchmarks.json')
const shownFile = join(root, 'docs/benchmarks.md')
const [begin, end] = ['<!-- written by npm run bench -->', '<!-- until here -->']

/** The name of a slice: of the benchmark, and of its size where it has one. */
export const keyOf = ({ bench, size }: Pick<Slice, 'bench' | 'size'>): string =>
  size === null ? bench : `${bench} ${size}`

/** Everything that is kept. */
export const kept = (): Readonly<Record<string, Kept>> =>
  JSON.parse(readFileSync(keptFile, 'utf8')) as Record<string, Kept>

/** Keeps what a slice came to, in the place of what it came to before. */
export function keep(slice: Slice, measured: Kept): void {
  const all = { ...kept(), [keyOf(slice)]: measured }
  const sorted = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(keptFile, `${JSON.stringify(sorted, null, 2)}\n`)
}

const cell = (value: string): string => value.replaceAll('|', '\\|')

const rowOf = (slice: Slice, figure: Figure): string =>
  `| ${[
    slice.bench,
    slice.size?.toLocaleString('en') ?? '',
    figure.name,
    figure.measured,
    figure.limit,
    figure.ratio === null ? '' : figure.ratio.toFixed(2),
    figure.aim,
    figure.reached === null ? '' : figure.reached ? 'yes' : 'no',
  ]
    .map(cell)
    .join(' | ')} |`

/** The table, and below it where and when each part of it was measured. */
export function tableOf(all: Readonly<Record<string, Kept>>): string {
  const shown = slices.flatMap((slice) => {
    const its = all[keyOf(slice)]
    return its === undefined ? [] : [{ slice, its }]
  })
  const aimed = shown.flatMap(({ its }) => its.figures.filter(({ isDetail, reached }) => !isDetail && reached !== null))
  const machines = Map.groupBy(shown, ({ its }) => its.machine)
  const when = [...machines].map(
    ([machine, of]) =>
      `- ${machine}: ${of
        .map(
          ({ slice, its }) =>
            `${keyOf(slice)} (${its.at.slice(0, 16)}Z, ${its.seconds} s, load ${its.load.toFixed(1)})`,
        )
        .join('; ')}`,
  )
  return [
    `${aimed.filter(({ reached }) => reached).length} of ${aimed.length} aims reached.`,
    '',
    '| bench | size | figure | measured | limit in the same run | ratio | aim | reached |',
    '|---|---|---|---|---|---|---|---|',
    ...shown.flatMap(({ slice, its }) =>
      its.figures.filter(({ isDetail }) => isDetail !== true).map((figure) => rowOf(slice, figure)),
    ),
    '',
    'Where and when, with the load average of the machine when each began:',
    '',
    ...when,
  ].join('\n')
}

/** Writes the table between its marks. */
export function writeTable(): void {
  const text = readFileSync(shownFile, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no part between ${begin} and ${end}`)
  writeFileSync(shownFile, `${text.slice(0, from + begin.length)}\n\n${tableOf(kept())}\n\n${text.slice(to)}`)
}
