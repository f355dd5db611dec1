/**
 * Mutation testing of what needs no database: `npm run mutants [-- --folder keywords --folder credits] [--again] [--list]`. Stryker changes
 * one thing at a time in a copy of the checkout under .cache and runs the tests that reach it. What is unchanged since the last run is not
 * tried again unless `--again` says so. Survivors are listed in .cache/mutants/<folder>.survivors.txt, scores in docs/generated/mutants.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from '../package/bundle.ts'
import { mutatedFolders, type MutatedFolder } from './folders.ts'
import { percent, writeFigures, type Score } from './report.ts'

type Mutant = {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: {
    readonly start: { readonly line: number; readonly column: number }
    readonly end: { readonly line: number; readonly column: number }
  }
}
type StrykerReport = {
  readonly files: Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const cache = join(root, '.cache/mutants')
const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
  },
})

const settings = ({ name, mutate, tests, leaveTables }: MutatedFolder) => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts/mutants/documentation.ts')],
  ignorers: ['documentation'],
  vitest: {
    configFile: 'scripts/mutants/vitest.config.ts',
    // Finding out which tests import a file takes as long as running them: those that are named are few enough.
    related: tests === undefined,
  },
  ignoreStatic: leaveTables === true,
  mutate: [...mutate, '!**/*.test.ts'],
  // Not there on purpose: Stryker would rewrite it with the API of an older TypeScript, and vitest needs none.
  tsconfigFile: 'scripts/mutants/no-tsconfig.json',
  ignorePatterns: [
    'bench',
    'docs/pictures',
    '.data',
    '.cache',
    'packages/dashboard',
    'packages/server/test/scenarios',
    'packages/server/test/mutants',
  ],
  tempDirName: `.cache/mutants/${name}.sandbox`,
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  timeoutMS: 30_000,
  timeoutFactor: 3,
  incremental: true,
  incrementalFile: `.cache/mutants/${name}.incremental.json`,
  force: values.again,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `.cache/mutants/${name}.report.json` },
  allowEmpty: true,
  clearTextReporter: { allowColor: false },
  allowConsoleColors: false,
})

const count = (mutants: readonly Mutant[], status: string) =>
  mutants.filter((mutant) => mutant.status === status).length

function survivors(report: StrykerReport): string[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, location: { start, end }, replacement }) => {
        const lines = source.split('\n').slice(start.line - 1, end.line)
        const was = lines
          .map((line, n) =>
            line.slice(n === 0 ? start.column - 1 : 0, n === lines.length - 1 ? end.column - 1 : undefined),
          )
          .join(' ')
        const short = (code: string) => code.replace(/\s+/g, ' ').slice(0, 160)
        const place = `${file}:${start.line}:${start.column} ${status === 'Survived' ? '' : '(never run) '}`
        return `${place}${short(was)}  =>  ${short(replacement ?? '')}`
      }),
  )
}

/** The packages that tests load whole and in which nothing is changed, each as one file: their many modules cost more than the tests. */
async function bundled(name: string, packages: NonNullable<MutatedFolder['bundled']>): Promise<string> {
  const folder = join(cache, 'bundled', name)
  for (const [one, entry] of Object.entries(packages))
    await bundle({
      entries: { [one]: entry },
      folder,
      oneFile: true,
      target: 'node24',
      // A class that both sides know must be the same one.
      outside: /^(?![./]|@les\/)/,
    })
  return folder
}

async function mutate(folder: MutatedFolder): Promise<Score> {
  const config = join(cache, `${folder.name}.config.json`)
  writeFileSync(config, JSON.stringify(settings(folder)))
  const began = performance.now()
  const ran = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...(folder.tests === undefined ? {} : { LES_MUTANTS_TESTS: folder.tests.join(' ') }),
        ...(folder.bundled === undefined ? {} : { LES_MUTANTS_BUNDLED: await bundled(folder.name, folder.bundled) }),
      },
    },
  )
  if (ran.status !== 0) throw new Error(`Stryker ended with ${ran.status ?? ran.signal} on ${folder.name}`)
  const report = JSON.parse(readFileSync(join(cache, `${folder.name}.report.json`), 'utf8')) as StrykerReport
  const mutants = Object.values(report.files).flatMap((file) => file.mutants)
  const score: Score = {
    killed: count(mutants, 'Killed'),
    timeout: count(mutants, 'Timeout'),
    survived: count(mutants, 'Survived'),
    noCoverage: count(mutants, 'NoCoverage'),
  }
  writeFileSync(join(cache, `${folder.name}.survivors.txt`), `${survivors(report).join('\n')}\n`)
  console.log(
    `${folder.name}: ${percent(score)} % of ${mutants.length} changes noticed ` +
      `in ${((performance.now() - began) / 1000).toFixed(0)} s; ${score.survived + score.noCoverage} survivors ` +
      `in .cache/mutants/${folder.name}.survivors.txt`,
  )
  return score
}

const all = mutatedFolders(root)
const unknown = (values.folder ?? []).filter((name) => !all.some((folder) => folder.name === name))
if (unknown.length > 0)
  throw new Error(`no such folder: ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`)
mkdirSync(cache, { recursive: true })
if (values.list) console.log(all.map(({ name, mutate: globs }) => `${name}: ${globs.join(', ')}`).join('\n'))
else
  for (const folder of all.filter(({ name }) => values.folder?.includes(name) ?? true))
    writeFigures(root, { folders: { [folder.name]: await mutate(folder) } }, { folders: all.map(({ name }) => name) })
