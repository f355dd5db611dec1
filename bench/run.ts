/**
 * Runs the benchmarks, each in a process of its own, at 10,000, 100,000 and 1,000,000 rows, and writes all figures as one table into
 * `docs/benchmarks.md`. What was measured is kept after each, so that a run can be ended at any time and goes on where it was:
 * what is younger than a day is not run again.
 *
 * `npm run bench -- --only lists,dashboard --size 100000,1000000`; `--again` runs what was measured already; `--hours 2` says how
 * young that is; `--dry` says what would be run, and for how long; `--table` only writes the table.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { choose, type Slice } from './plan.ts'
import type { Measured } from './support.ts'
import { keep, kept, keyOf, tableOf, writeTable } from './table.ts'

const text = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
const list = (name: string): readonly string[] | null => text(name)?.split(',') ?? null
const flag = (name: string): boolean => process.argv.includes(`--${name}`)

const known = ['only', 'size', 'again', 'hours', 'dry', 'table']
const unknown = process.argv.slice(2).filter((each) => each.startsWith('--') && !known.includes(each.slice(2)))
if (unknown.length > 0) {
  console.log(`No option ${unknown.join(', ')}. There are --${known.join(', --')}: see docs/benchmarks.md.`)
  process.exit(2)
}

const hours = Number(text('hours') ?? 24)
const slices = choose({ only: list('only'), sizes: list('size')?.map(Number) ?? null })

const isYoung = (slice: Slice): boolean => {
  const at = kept()[keyOf(slice)]?.at
  return at !== undefined && Date.now() - Date.parse(at) < hours * 3_600_000
}

/** Runs one; what it measured is kept at once. False when it failed. */
function run(slice: Slice): boolean {
  const file = join(tmpdir(), `les-bench-${process.pid}.json`)
  rmSync(file, { force: true })
  const load = loadavg()[0]!
  const began = Date.now()
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${slice.bench}.ts`), ...slice.arguments], {
    stdio: 'inherit',
    // Not `LES_…`: a service that a benchmark starts ends at a setting it does not know.
    env: { ...process.env, BENCH_FIGURES: file },
  })
  const seconds = Math.round((Date.now() - began) / 1_000)
  if (status !== 0) {
    console.log(`\n${keyOf(slice)} ended with ${status ?? 'a signal'} after ${seconds} s`)
    return false
  }
  if (existsSync(file))
    keep(slice, {
      ...(JSON.parse(readFileSync(file, 'utf8')) as Measured),
      at: new Date(began).toISOString(),
      seconds,
      load: Math.round(load * 10) / 10,
    })
  rmSync(file, { force: true })
  return true
}

const left = flag('table') ? [] : slices.filter((slice) => flag('again') || !isYoung(slice))
const minutes = left.reduce((sum, slice) => sum + slice.minutes, 0)
if (!flag('table')) console.log(`${left.length} of ${slices.length} to run, about ${Math.ceil(minutes)} minutes`)
let failed = 0
for (const slice of left) {
  console.log(`\n# ${keyOf(slice)}: about ${slice.minutes} min`)
  if (flag('dry')) continue
  if (!run(slice)) failed += 1
  writeTable()
}
if (flag('table')) writeTable()
if (!flag('dry')) console.log(`\n${tableOf(kept())}`)
process.exitCode = failed > 0 ? 1 : 0
